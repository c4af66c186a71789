// Reads task files: includes, groups and the names in them.
#include "dialects/lm_eval/tasks.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "dialects/foreign/values.h"
#include "text/found.h"
#include "text/yaml/yaml.h"

namespace assay::lm_eval {
namespace {

constexpr int kDepthMax = 8;                      // of includes, and of groups
constexpr std::size_t kTasksMax = 100;            // of one file
constexpr std::size_t kFilesMax = 1'000;          // that are looked through for a task
constexpr std::size_t kReadBytesMax = 64u << 20;  // of all of them
constexpr std::string_view kNoPython =
    "assay runs no Python of a task: write the column into the rows, or a check into a blueprint "
    "(docs/datasets.md)";

std::string FolderOf(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

bool IsYaml(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

// Where `!function` calls Python: as a whole value, not within a text in quotes.
std::vector<Span> FunctionsIn(FileId file, std::string_view text) {
  constexpr std::string_view kTag = "!function";
  std::vector<Span> places;
  for (std::size_t at = text.find(kTag); at != std::string_view::npos; at = text.find(kTag, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is the start
    std::string_view before = text.substr(line, at - line);
    while (before.ends_with(' ')) before.remove_suffix(1);
    const bool is_value = before.ends_with(':') || before.ends_with('-') || before.ends_with('[') ||
                          before.ends_with(',') || before.ends_with('{');
    if (!is_value || before.find('#') != std::string_view::npos) continue;
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    places.push_back({file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at)});
  }
  return places;
}

class TaskReader {
 public:
  explicit TaskReader(const ReadInput& input) : input_(input) {}

  std::vector<Task> Read(FileId file, std::string_view text) {
    const std::string folder = FolderOf(input_.path);
    std::optional<Map> config = ConfigOf(file, text, folder, 0);
    if (config) Add(*std::move(config), folder, {file, 0, 0}, 0);
    return has_failed_ ? std::vector<Task>() : std::move(tasks_);
  }

 private:
  void Complain(std::string code, std::string message, Span where, std::string hint) {
    has_failed_ = true;
    input_.diagnostics.Error(std::move(code), std::move(message), where, std::move(hint));
  }

  // The mapping of a file, over those that it includes.
  std::optional<Map> ConfigOf(FileId file, std::string_view text, const std::string& folder, int depth) {
    const std::vector<Span> functions = FunctionsIn(file, text);
    for (const Span place : functions)
      Complain("lm-eval.python", "!function names Python", place, std::string(kNoPython));
    if (!functions.empty()) return std::nullopt;
    const std::size_t errors_before = input_.diagnostics.ErrorCount();
    std::vector<Value> documents = ReadYaml(file, text, YamlRules::kPyYaml, input_.diagnostics);
    if (input_.diagnostics.ErrorCount() > errors_before) {
      has_failed_ = true;
      return std::nullopt;
    }
    if (documents.size() != 1 || !documents.front().is_map()) {
      Complain("lm-eval.file", "expected one mapping, a task or a group", {file, 0, 0},
               "keep one document in the file");
      return std::nullopt;
    }
    Map config = std::move(documents.front().AsMap());
    return Included(std::move(config), folder, depth);
  }

  std::optional<Map> Included(Map config, const std::string& folder, int depth) {
    const Member* include = config.FindMember("include");
    if (include == nullptr) return config;
    const List one{include->value};
    const List paths = include->value.is_list() ? include->value.AsList() : one;
    const Span where = include->value.span;
    config.Erase("include");
    Map merged;
    for (const Value& path : paths) {
      std::optional<Map> base = IncludedFile(path, folder, where, depth);
      if (!base) return std::nullopt;
      for (Member& member : *base) merged.Set(member.key, std::move(member.value), member.key_span);
    }
    for (Member& member : config) merged.Set(member.key, std::move(member.value), member.key_span);
    return merged;
  }

  std::optional<Map> IncludedFile(const Value& path, const std::string& folder, Span where, int depth) {
    if (!path.is_string() || depth >= kDepthMax) {
      Complain("lm-eval.include",
               path.is_string()
                   ? fmt::format("include: files include each other more than {} deep", kDepthMax)
                   : fmt::format("include: expected a file, found {}", KindName(path)),
               where, "name a file of the folder");
      return std::nullopt;
    }
    const std::string full = path.AsString().starts_with('/') ? path.AsString() : folder + path.AsString();
    const std::optional<FileId> file = FileAt(full, where);
    if (!file) return std::nullopt;
    std::optional<Map> base = ConfigOf(*file, input_.sources.Text(*file), FolderOf(full), depth + 1);
    if (base) {
      // A template does not name the task that it is a part of.
      for (const std::string_view key : {"task", "group", "task_alias", "group_alias"}) base->Erase(key);
    }
    return base;
  }

  std::optional<FileId> FileAt(const std::string& path, Span where) {
    if (const auto known = files_.find(path); known != files_.end()) return known->second;
    Result<std::string> text = input_.files.Read(path);
    if (!text) {
      Complain("lm-eval.include", text.error().message, where,
               "name a file of the folder; --allow-path grants others");
      return std::nullopt;
    }
    read_bytes_ += text->size();
    if (read_bytes_ > kReadBytesMax) {
      Complain("lm-eval.limit", fmt::format("the files of tasks have more than {} MiB", kReadBytesMax >> 20),
               where, "name one task");
      return std::nullopt;
    }
    const FileId file = input_.sources.Add(path, *std::move(text));
    files_.emplace(path, file);
    return file;
  }

  void Add(Map config, const std::string& folder, Span whole, int depth) {
    const Member* task = config.FindMember("task");
    if (task != nullptr && task->value.is_list()) return AddGroup(task->value, folder, depth);
    if (tasks_.size() >= kTasksMax) {
      if (!std::exchange(is_full_, true))
        Complain("lm-eval.limit", fmt::format("expected at most {} tasks, found more", kTasksMax), whole,
                 "name a smaller group");
      return;
    }
    std::string name = task != nullptr && task->value.is_string() ? task->value.AsString() : std::string();
    if (name.empty()) {
      const std::string_view path = input_.path;
      name = path.substr(path.rfind('/') + 1);
      name = name.substr(0, name.rfind('.'));
    }
    tasks_.push_back({std::move(name), std::move(config), folder, FolderOf(input_.path), whole});
  }

  void AddGroup(const Value& members, const std::string& folder, int depth) {
    if (depth >= kDepthMax) {
      return Complain("lm-eval.group", fmt::format("groups contain each other more than {} deep", kDepthMax),
                      members.span, "name the tasks themselves");
    }
    for (const Value& member : members.AsList()) {
      if (is_full_) return;
      if (member.is_string()) {
        AddNamed(member.AsString(), {}, member.span, folder, depth);
      } else if (member.is_map()) {
        AddMapping(member, folder, depth);
      } else {
        Complain("lm-eval.group", fmt::format("task: expected names of tasks, found {}", KindName(member)),
                 member.span, "write task: [NAME, NAME]");
      }
    }
  }

  // A task that is named and changed, or written out in the group.
  void AddMapping(const Value& member, const std::string& folder, int depth) {
    const std::string* task = FindText(member, "task");
    const bool is_whole = member.Find("doc_to_text") != nullptr || member.Find("include") != nullptr;
    if (task != nullptr && !is_whole) return AddNamed(*task, member.AsMap(), member.span, folder, depth);
    std::optional<Map> config = Included(member.AsMap(), folder, depth);
    if (config) Add(*std::move(config), folder, member.span, depth + 1);
  }

  void AddNamed(const std::string& name, const Map& changes, Span where, const std::string& folder,
                int depth) {
    const std::optional<std::string> path = PathOf(name, folder);
    if (!path) {
      return Complain("lm-eval.group",
                      fmt::format("no file of the folder describes the task {}", Quoted(name)), where,
                      "put its file beside the group's");
    }
    const std::optional<FileId> file = FileAt(*path, where);
    if (!file) return;
    std::optional<Map> config = ConfigOf(*file, input_.sources.Text(*file), FolderOf(*path), depth);
    if (!config) return;
    for (const Member& change : changes) {
      if (change.key != "task") config->Set(change.key, change.value, change.key_span);
    }
    Add(*std::move(config), FolderOf(*path), {*file, 0, 0}, depth + 1);
  }

  // The file of the folder whose `task` or `group` is the name.
  std::optional<std::string> PathOf(const std::string& name, const std::string& folder) {
    std::map<std::string, std::string>& known = named_[folder];
    if (looked_.insert(folder).second) Look(folder, known);
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional<std::string>(found->second);
  }

  void Look(const std::string& folder, std::map<std::string, std::string>& known) {
    const Result<std::vector<std::string>> names = input_.files.List(folder.empty() ? "." : folder);
    if (!names) return;
    std::size_t looked = 0;
    for (const std::string& name : *names) {
      const std::string path = folder + name;
      if (!IsYaml(name) || path == input_.path || ++looked > kFilesMax) continue;
      const std::optional<FileId> file = FileAt(path, {});
      if (!file) return;
      if (std::string task = NameIn(input_.sources.Text(*file)); !task.empty())
        known.emplace(std::move(task), path);
    }
  }

  // What a line `task: NAME` or `group: NAME` says. A group says both, and its tasks are no text.
  static std::string NameIn(std::string_view text) {
    for (const std::string_view key : {"task:", "group:"}) {
      for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        if (at > 0 && text[at - 1] != '\n') continue;
        const std::size_t from = at + key.size();
        std::string_view value =
            text.substr(from, std::min(text.find_first_of("\r\n#", from), text.size()) - from);
        constexpr std::string_view kAround = " \t\"'";
        while (!value.empty() && kAround.find(value.front()) != std::string_view::npos)
          value.remove_prefix(1);
        while (!value.empty() && kAround.find(value.back()) != std::string_view::npos) value.remove_suffix(1);
        if (!value.empty() && value.front() != '[') return std::string(value);
      }
    }
    return {};
  }

  const ReadInput& input_;
  std::vector<Task> tasks_;
  std::map<std::string, FileId> files_;
  std::map<std::string, std::map<std::string, std::string>> named_;  // by folder
  std::set<std::string> looked_;
  std::size_t read_bytes_ = 0;
  bool has_failed_ = false;
  bool is_full_ = false;
};

}  // namespace

std::vector<std::string> SplitsOf(const Task& task) {
  std::vector<std::string> splits;
  const auto add = [&splits](const std::string& name) {
    if (!name.empty() && std::find(splits.begin(), splits.end(), name) == splits.end())
      splits.push_back(name);
  };
  for (const std::string_view key : {"test_split", "validation_split", "training_split", "fewshot_split"})
    add(task.config.TextAt(key));
  if (const Value* config = task.config.Find("fewshot_config")) add(config->TextAt("split"));
  if (const Value* kwargs = task.config.Find("dataset_kwargs")) {
    for (const Member& file : kwargs->MapAt("data_files")) add(file.key);
  }
  return splits;
}

std::vector<Task> ReadTasks(const ReadInput& input, FileId file, std::string_view text) {
  return TaskReader(input).Read(file, text);
}

}  // namespace assay::lm_eval
