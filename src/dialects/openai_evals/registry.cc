// Reads entries of the registry: which class grades, and where its samples are.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dataset/load.h"
#include "dialects/blueprint/foreign.h"
#include "dialects/foreign/values.h"
#include "dialects/openai_evals/openai_evals.h"
#include "dialects/openai_evals/samples.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/yaml/keys.h"
#include "text/yaml/yaml.h"

namespace assay {
namespace evals {
namespace {

constexpr int kSure = 95;
constexpr std::size_t kEvalsMax = 100;    // of one file
constexpr std::size_t kShotsMax = 1'000;  // of one eval
constexpr std::string_view kPointHint =
    "write the criterion as a point of a blueprint, in words or as a $check: docs/blueprint.md";

struct ClassRow {
  std::string_view name;
  Grading grading;
};
constexpr ClassRow kClasses[] = {{"Match", Grading::kMatch},
                                 {"Includes", Grading::kIncludes},
                                 {"FuzzyMatch", Grading::kFuzzyMatch},
                                 {"JsonMatch", Grading::kJsonMatch}};

// "evals.elsuite.basic.match:Match" -> the row of Match; null for classes elsewhere.
const ClassRow* FindClass(std::string_view written) {
  constexpr std::string_view kBasic = "evals.elsuite.basic.";
  const std::string_view name = written.substr(written.find(':') + 1);  // npos + 1 is the start
  const bool is_basic = written == name || written.starts_with(kBasic);
  const auto found = std::find_if(std::begin(kClasses), std::end(kClasses),
                                  [name](const ClassRow& row) { return row.name == name; });
  return is_basic && found != std::end(kClasses) ? found : nullptr;
}

// A whole registry: what its entries become.
class Registry {
 public:
  Registry(const ReadInput& input, blueprint::DatasetReading& reading) : input_(input), reading_(reading) {}

  void Add(const Map& entries) {
    for (const Member& entry : entries) {
      if (entry.value.Find("class") != nullptr) evals_.push_back(&entry);
      if (entry.value.Find("choice_strings") != nullptr) RefuseRubric(entry);
    }
    for (const Member& entry : entries) DescribeBy(entry);
    if (evals_.size() > kEvalsMax) {
      Complain("dataset.limit",
               fmt::format("expected at most {} evals in a file, found {}", kEvalsMax, evals_.size()),
               evals_[kEvalsMax]->key_span, "share them out among files");
      return;
    }
    for (const Member* entry : evals_) AddEval(*entry);
    if (max_tokens_) header.Append("max_tokens", Value(*max_tokens_));
  }

  Map header;
  std::vector<blueprint::PromptEntry> prompts;

 private:
  void Complain(std::string code, std::string message, Span where, std::string hint) {
    reading_.problems.Add(
        {.code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = where});
  }

  void RefuseRubric(const Member& entry) {
    Complain("evals.class", fmt::format("{} is a rubric for models (modelgraded)", Quoted(entry.key)),
             entry.key_span, std::string(kPointHint));
  }

  // The entry without a class names the eval for people.
  void DescribeBy(const Member& entry) {
    const Value* description = entry.value.Find("description");
    if (description == nullptr || !description->is_string() || header.Find("description") != nullptr) return;
    header.Append("description", *description, entry.key_span);
  }

  void AddEval(const Member& entry) {
    const Value& name = *entry.value.Find("class");
    const ClassRow* row = name.is_string() ? FindClass(name.AsString()) : nullptr;
    if (row == nullptr) {
      Complain(
          "evals.class",
          fmt::format("{}: expected the class Match, Includes, FuzzyMatch or JsonMatch, found {}", entry.key,
                      name.is_string() ? Quoted(name.AsString()) : std::string(KindName(name))),
          name.span, std::string(kPointHint));
      return;
    }
    const Value* args = entry.value.Find("args");
    if (args == nullptr || !args->is_map()) {
      Complain("evals.args", fmt::format("{}: expected args with samples_jsonl", entry.key), entry.key_span,
               "write args: {samples_jsonl: FILE}");
      return;
    }
    Eval eval{.name = entry.key, .grading = row->grading, .is_one_of_several = evals_.size() > 1};
    if (!ReadArgs(*args, eval)) return;
    const std::optional<dataset::Table> table = TableOf(*args, "samples_jsonl", reading_.overrides);
    if (!table) return;
    const std::size_t before = prompts.size();
    AddPrompts(eval, *table, reading_, prompts);
    reading_.read.push_back({.table = *table, .cases = prompts.size() - before});
  }

  // False after an error.
  bool ReadArgs(const Value& args, Eval& eval) {
    const std::size_t errors_before = reading_.problems.ErrorCount();
    for (const Member& member : args.AsMap()) ReadArg(args, member, eval);
    return reading_.problems.ErrorCount() == errors_before;
  }

  void ReadArg(const Value& args, const Member& member, Eval& eval) {
    if (member.key == "samples_jsonl" || member.key == "few_shot_jsonl") return;
    if (member.key == "ignore_case" && eval.grading == Grading::kIncludes) {
      eval.ignores_case = member.value.Truthy();
    } else if (member.key == "num_few_shot" && eval.grading == Grading::kMatch) {
      ReadShots(args, member.value, eval);
    } else if (member.key == "max_tokens") {
      const std::optional<double> most = args.NumberAt("max_tokens");
      if (most) max_tokens_ = std::max(*most, max_tokens_.value_or(0));
    } else if (member.key == "modelgraded_spec" || member.key == "eval_type") {
      Complain("evals.class", fmt::format("{}: {} asks a model to grade", eval.name, member.key),
               member.key_span, std::string(kPointHint));
    } else {
      reading_.problems.Add({.code = "evals.argument",
                             .message = fmt::format("{}: {} has no effect", eval.name, Quoted(member.key)),
                             .hint = "the classes take samples_jsonl, max_tokens; Match num_few_shot and "
                                     "few_shot_jsonl; Includes ignore_case",
                             .where = member.key_span,
                             .severity = Severity::kWarning});
    }
  }

  // The first examples of their file, in its order.
  void ReadShots(const Value& args, const Value& number, Eval& eval) {
    const std::optional<double> count = args.NumberAt("num_few_shot");
    if (!count || *count < 0 || *count > kShotsMax || std::floor(*count) != *count) {
      Complain("evals.few-shot",
               fmt::format("num_few_shot: expected a whole number from 0 to {}, found {}", kShotsMax,
                           KindName(number)),
               number.span, "write how many examples each question has");
      return;
    }
    if (*count == 0) return;
    if (args.Find("few_shot_jsonl") == nullptr) {
      Complain("evals.few-shot", "num_few_shot: expected the file of the examples as few_shot_jsonl",
               number.span, "write few_shot_jsonl: FILE");
      return;
    }
    const std::optional<dataset::Table> table = TableOf(args, "few_shot_jsonl", {});
    if (!table) return;
    const auto wanted = static_cast<std::size_t>(*count);
    if (table->rows.size() < wanted) {
      Complain("evals.few-shot",
               fmt::format("num_few_shot: expected {} examples, found {}", wanted, table->rows.size()),
               number.span, "write a smaller number, or more examples");
      return;
    }
    for (std::size_t i = 0; i < wanted; ++i) {
      const dataset::Row& row = table->rows[i];
      const Value* sample = row.cells.Find("sample");
      List turns = MessagesOf(sample == nullptr ? Value() : *sample, "sample", row.where, reading_.problems);
      eval.shots.insert(eval.shots.end(), turns.begin(), turns.end());
    }
    reading_.read.push_back({.table = *table, .cases = 0});
  }

  // Paths count from the file's folder, and from `data` beside it, where the registry keeps them.
  std::string PathOf(const std::string& written) const {
    if (written.starts_with('/') || written.find("://") != std::string::npos) return written;
    const std::string folder(reading_.folder);
    const std::string beside = "../data/" + written;
    if (input_.files.Exists(folder + written)) return written;
    const bool is_registry = folder == "evals/" || folder.ends_with("/evals/");
    return is_registry || input_.files.Exists(folder + beside) ? beside : written;
  }

  std::optional<dataset::Table> TableOf(const Value& args, std::string_view key,
                                        const dataset::Overrides& overrides) {
    const Value* path = args.Find(key);
    const std::string* written = FindText(args, key);
    if (written == nullptr) {
      Complain("evals.args", fmt::format("expected a file as {}", key),
               path == nullptr ? args.span : path->span,
               fmt::format("write {}: FILE, a path from this file's folder", key));
      return std::nullopt;
    }
    dataset::Options options;
    options.where = path->span;
    options.paths.push_back({PathOf(*written), path->span});
    return dataset::Load(options, overrides,
                         {reading_.folder, reading_.files, reading_.sources, reading_.problems});
  }

  const ReadInput& input_;
  blueprint::DatasetReading& reading_;
  std::vector<const Member*> evals_;
  std::optional<double> max_tokens_;
};

}  // namespace
}  // namespace evals

int SniffOpenAiEvals(std::string_view path, std::string_view text) {
  if (!path.ends_with(".yaml") && !path.ends_with(".yml")) return 0;
  const std::string_view start = text.substr(0, kSniffedBytesMax);
  constexpr std::string_view kMarks[] = {"samples_jsonl:", "class: evals.", "class: \"evals.",
                                         "class: 'evals."};
  const bool has_mark = std::any_of(std::begin(kMarks), std::end(kMarks), [start](std::string_view mark) {
    return start.find(mark) != std::string_view::npos;
  });
  if (!has_mark) return 0;
  const std::vector<std::string> keys = TopLevelKeys(start);
  // Nothing that names models or prompts of ours is meant, whatever words its prompts hold.
  const bool is_ours = std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
    return key == "prompts" || key == "models" || key == "prompt" || key == "should" || key == "cases";
  });
  return keys.empty() || is_ours ? 0 : evals::kSure;
}

std::optional<Suite> ReadOpenAiEvals(const ReadInput& input, FileId file, std::string_view text) {
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  const std::vector<Value> documents = ReadYaml(file, text, YamlRules::kPyYaml, input.diagnostics);
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  if (documents.size() != 1 || !documents.front().is_map()) {
    input.diagnostics.Error("evals.file", "expected one mapping of evals, {NAME: {class, args}}",
                            {file, 0, 0}, "keep one document in the file");
    return std::nullopt;
  }
  blueprint::DatasetReading reading = blueprint::DatasetsOf(input);
  evals::Registry registry(input, reading);
  registry.Add(documents.front().AsMap());
  reading.problems.TellTo(input.diagnostics);
  if (reading.problems.HasErrors()) return std::nullopt;
  return blueprint::ReadForeign({.dialect = "openai-evals",
                                 .header = std::move(registry.header),
                                 .entries = std::move(registry.prompts),
                                 .whole = documents.front().span},
                                reading, input, file, text);
}

}  // namespace assay
