// Turns the members of a task into prompt, rows and points, and says what of it cannot be read.
#include "dialects/lm_eval/prompts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "dialects/foreign/values.h"
#include "dialects/lm_eval/keys.h"

namespace assay::lm_eval {
namespace {

using foreign::PlacedAt;

constexpr std::string_view kPythonHint =
    "assay runs no Python of a task: write the column into the rows, or a check into a blueprint "
    "(docs/datasets.md)";
constexpr std::string_view kTemplateHint =
    "write the result into a column of the rows; docs/datasets.md lists the filters of templates";

// Members that change what is asked or graded in a way that assay does not follow, and the remedy.
struct Refused {
  std::string_view key;
  std::string_view code;
  std::string_view is;
  std::string_view hint;
};
constexpr Refused kRefused[] = {
    {"class", "lm-eval.python", "is Python", kPythonHint},
    {"custom_dataset", "lm-eval.python", "is Python", kPythonHint},
    {"process_docs", "lm-eval.python", "is Python", kPythonHint},
    {"process_results", "lm-eval.python", "is Python", kPythonHint},
    {"use_prompt", "lm-eval.template", "names templates of a library", kTemplateHint},
    {"doc_to_image", "lm-eval.media", "shows pictures", "write a blueprint with `image`: docs/blueprint.md"},
    {"doc_to_audio", "lm-eval.media", "plays sound", "write a blueprint with `audio`: docs/blueprint.md"},
    {"gen_prefix", "lm-eval.prefix", "begins the answer", "put its words into the question: doc_to_text"},
};

bool IsWord(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), is_letter);
}

class TaskLowering {
 public:
  TaskLowering(const Task& task, const std::vector<foreign::RowsFile>& said, TaskNeeds& needs,
               dataset::Problems& problems)
      : task_(task), said_(said), needs_(needs), problems_(problems) {}

  std::optional<Value> Lower(bool is_one_of_several) {
    const std::size_t errors_before = problems_.ErrorCount();
    CheckKeys();
    CheckOutput();
    ReadGeneration();
    Map entry;
    const Value question = TemplateAt("doc_to_text");
    const Value target = TemplateAt("doc_to_target");
    for (const std::string_view key : {"doc_to_text", "doc_to_target"}) {
      if (task_.config.Find(key) == nullptr)
        Complain("lm-eval.key", fmt::format("expected {}", key), task_.whole,
                 fmt::format("write {}: a template of the rows' columns", key));
    }
    List points = PointsOf(target);
    Value rows = Rows();
    if (problems_.ErrorCount() > errors_before) return std::nullopt;
    if (is_one_of_several) {
      entry.Append("id", PlacedAt(task_.whole, task_.name));
      entry.Append("tags", PlacedAt(task_.whole, List{PlacedAt(task_.whole, task_.name)}));
    }
    entry.Append("dataset", std::move(rows));
    entry.Append("prompt", QuestionOf(question));
    if (temperature_) entry.Append("temperature", Value(*temperature_));
    entry.Append("should", PlacedAt(task_.whole, std::move(points)));
    AddShots(entry, question, target);
    if (problems_.ErrorCount() > errors_before) return std::nullopt;
    return PlacedAt(task_.whole, std::move(entry));
  }

 private:
  const Value* Find(std::string_view key) const {
    const Value* value = task_.config.Find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  void Complain(std::string code, std::string message, Span where, std::string_view hint) {
    problems_.Add({.code = std::move(code),
                   .message = fmt::format("{}: {}", task_.name, message),
                   .hint = std::string(hint),
                   .where = where});
  }

  void Warn(std::string code, std::string message, Span where, std::string_view hint) {
    problems_.Add({.code = std::move(code),
                   .message = fmt::format("{}: {}", task_.name, message),
                   .hint = std::string(hint),
                   .where = where,
                   .severity = Severity::kWarning});
  }

  void CheckKeys() {
    for (const Member& member : task_.config) {
      if (member.value.is_null()) continue;
      const auto refused = std::find_if(std::begin(kRefused), std::end(kRefused),
                                        [&](const Refused& row) { return row.key == member.key; });
      if (refused != std::end(kRefused)) {
        Complain(std::string(refused->code), fmt::format("{} {}", member.key, refused->is), member.key_span,
                 refused->hint);
      } else if (FindKey(kTask, member.key) == nullptr) {
        const std::string_view near = NearKey(kTask, member.key);
        Warn("lm-eval.key", fmt::format("{} has no effect", Quoted(member.key)), member.key_span,
             near.empty() ? "assay schema lm-eval lists the keys that assay reads"
                          : fmt::format("did you mean {}?", near));
      }
    }
  }

  void CheckOutput() {
    const Value* type = Find("output_type");
    if (type == nullptr || TextAt("output_type", "") == "generate_until") return;
    Complain("lm-eval.likelihood",
             fmt::format("output_type: {} needs log-probabilities of tokens", InWords(*type)), type->span,
             "ask for the letter and grade it: a blueprint with $choice (docs/datasets.md)");
  }

  static std::string InWords(const Value& value) {
    return value.is_string() ? Quoted(value.AsString()) : std::string(KindName(value));
  }

  // A template, or the name of a column alone.
  Value AsTemplate(const Value& given, std::string_view key) {
    if (!given.is_string()) return given;
    const std::string& text = given.AsString();
    for (const std::string_view mark : {"{%", "{#"}) {
      if (text.find(mark) == std::string::npos) continue;
      Complain("lm-eval.template", fmt::format("{}: {} … is a statement of Jinja", key, mark), given.span,
               kTemplateHint);
    }
    return IsWord(text) ? PlacedAt(given.span, "{{" + text + "}}") : given;
  }

  Value TemplateAt(std::string_view key) {
    const Value* given = Find(key);
    if (given == nullptr) return Value();
    if (!given->is_list()) return AsTemplate(*given, key);
    List items;
    for (const Value& item : task_.config.ListAt(key))
      items.push_back(key == "doc_to_choice" && item.is_string() && IsWord(item.AsString())
                          ? item
                          : AsTemplate(item, key));
    return PlacedAt(given->span, std::move(items));
  }

  std::string TextAt(std::string_view key, std::string_view otherwise) const {
    return std::string(task_.config.TextAt(key, otherwise));
  }

  Value QuestionOf(const Value& question) {
    const std::string description = TextAt("description", "");
    if (!question.is_string()) return question;
    return PlacedAt(question.span, description + question.AsString());
  }

  void ReadGeneration() {
    const Value* given = Find("generation_kwargs");
    if (const Value* repeats = Find("repeats")) ReadRepeats(*repeats);
    if (given == nullptr) return;
    if (!given->is_map())
      return Complain("lm-eval.generation", "generation_kwargs: expected a mapping", given->span,
                      "write {until: [...]}");
    for (const Member& member : task_.config.MapAt("generation_kwargs")) {
      if (member.key == "until") {
        until_ = member.value.is_list() ? member.value : PlacedAt(member.value.span, List{member.value});
      } else if (member.key == "temperature") {
        temperature_ = given->NumberAt("temperature");
      } else if (member.key == "do_sample") {
        if (!member.value.Truthy()) temperature_ = temperature_.value_or(0);
      } else if (member.key == "max_gen_toks" || member.key == "max_tokens" ||
                 member.key == "max_new_tokens") {
        needs_.max_tokens = given->NumberAt(member.key);
      } else {
        Warn("lm-eval.generation", fmt::format("generation_kwargs: {} is not sent", Quoted(member.key)),
             member.key_span, "assay sends temperature and the limit of tokens");
      }
    }
    if (const std::optional<bool> samples = given->BoolAt("do_sample"); samples && !*samples)
      temperature_ = 0;
  }

  void ReadRepeats(const Value& repeats) {
    constexpr double kRepeatsMax = 1'000;
    const std::optional<double> count =
        repeats.is_number() ? std::optional<double>(repeats.AsNumber()) : std::nullopt;
    if (!count || *count < 1 || *count > kRepeatsMax || std::floor(*count) != *count) {
      return Complain("lm-eval.repeats", "repeats: expected a whole number from 1 to 1,000", repeats.span,
                      "write how often each question is answered");
    }
    needs_.repeats = static_cast<std::size_t>(*count);
  }

  // --- points ---

  List PointsOf(const Value& target) {
    Map shared;
    AddMetric(shared);
    List points;
    const Value* filters = Find("filter_list");
    if (filters == nullptr) {
      points.push_back(PointOf("exact_match", {}, shared, target, task_.whole));
      return points;
    }
    if (!filters->is_list()) {
      Complain("lm-eval.filter", fmt::format("filter_list: expected a list, found {}", KindName(*filters)),
               filters->span, "write [{name, filter: [{function}]}]");
      return points;
    }
    for (const Value& each : task_.config.ListAt("filter_list")) {
      const Value* steps = each.Find("filter");
      if (steps == nullptr || !steps->is_list()) {
        Complain("lm-eval.filter", "filter_list: expected {name, filter: [{function, ...}]}", each.span,
                 "write the steps as `filter`");
        continue;
      }
      points.push_back(
          PointOf(each.TextAt("name", "exact_match"), StepsOf(*steps), shared, target, each.span));
    }
    return points;
  }

  List StepsOf(const Value& steps) {
    constexpr std::string_view kSteps[] = {"regex",     "multi_choice_regex", "take_first", "lowercase",
                                           "uppercase", "remove_whitespace",  "map",        "majority_vote"};
    List kept;
    for (const Value& step : steps.AsList()) {
      const std::string& function = step.TextAt("function");
      if (std::find(std::begin(kSteps), std::end(kSteps), function) == std::end(kSteps)) {
        Complain(
            "lm-eval.filter", fmt::format("filter_list: unknown function {}", Quoted(function)), step.span,
            "assay knows regex, multi_choice_regex, take_first, lowercase, uppercase, remove_whitespace, map "
            "and majority_vote");
      } else if (function == "majority_vote" && needs_.repeats > 1) {
        Complain("lm-eval.filter", "filter_list: majority_vote of several answers is not taken", step.span,
                 "leave it out: each answer counts, and --pass-at-k tells how often one of several is right");
      } else {
        kept.push_back(step);
      }
    }
    return kept;
  }

  Value PointOf(std::string_view name, List steps, const Map& shared, const Value& target, Span where) {
    Map args;
    args.Append("name", PlacedAt(where, name));
    args.Append("target", target);
    if (Value choices = TemplateAt("doc_to_choice"); !choices.is_undefined())
      args.Append("choices", std::move(choices));
    if (!until_.is_undefined()) args.Append("until", until_);
    const bool needs_listed = std::any_of(steps.begin(), steps.end(), [](const Value& step) {
      return step.TextAt("function") == "multi_choice_regex";
    });
    if (needs_listed) args.Append("listed", PlacedAt(where, "{{choices}}"));
    args.Append("filters", PlacedAt(where, std::move(steps)));
    for (const Member& member : shared) args.Append(member.key, member.value, member.key_span);
    return foreign::OneMember(where, "$filtered_match", PlacedAt(where, std::move(args)));
  }

  void AddMetric(Map& shared) {
    const Value* metrics = Find("metric_list");
    if (metrics == nullptr) return;
    constexpr std::string_view kOptions[] = {"ignore_case", "ignore_punctuation", "ignore_numbers",
                                             "regexes_to_ignore"};
    const List& listed = task_.config.ListAt("metric_list");
    for (const Value& each : metrics->is_list() ? listed : List{*metrics}) {
      const Value* metric = each.Find("metric");
      if (each.TextAt("metric") != "exact_match") {
        Complain("lm-eval.metric",
                 fmt::format("metric_list: expected exact_match, found {}",
                             metric == nullptr ? "none" : InWords(*metric)),
                 metric == nullptr ? each.span : metric->span,
                 "write a blueprint with $bleu, $rouge, $squad_f1 or another check: docs/datasets.md");
        continue;
      }
      for (const std::string_view key : kOptions) {
        if (const Value* option = each.Find(key)) shared.Set(std::string(key), *option, option->span);
      }
    }
  }

  // --- rows ---

  Value Rows() {
    const std::string split = SplitOfRows();
    for (const foreign::RowsFile& data : said_) {
      const bool is_asked = data.split.empty() || data.split == split;
      if (data.task == task_.name && is_asked) return PlacedAt(task_.whole, data.path);
    }
    return RowsOf(split);
  }

  Value RowsOf(const std::string& split) {
    const Value* kwargs = Find("dataset_kwargs");
    const Value* files = kwargs == nullptr ? nullptr : kwargs->Find("data_files");
    if (files != nullptr && files->is_map()) {
      const Value* of_split = files->Find(split);
      if (of_split == nullptr) {
        Complain("lm-eval.data", fmt::format("data_files: no file for the split {}", Quoted(split)),
                 files->span, "name the split as test_split or validation_split");
        return Value();
      }
      files = of_split;
    }
    if (files != nullptr && (files->is_string() || files->is_list())) return Dataset(*files, *kwargs);
    const Value* path = Find("dataset_path");
    Complain(
        "lm-eval.data",
        path == nullptr ? "no file of rows is named"
                        : fmt::format("dataset_path {} is not on this machine", InWords(*path)),
        path == nullptr ? task_.whole : path->span,
        fmt::format("download the rows as JSON Lines or CSV, and name them: --data {}=FILE", task_.name));
    return Value();
  }

  Value Dataset(const Value& files, const Value& kwargs) {
    Map dataset;
    List paths;
    for (const Value& path : files.is_list() ? files.AsList() : List{files}) {
      const bool is_own = path.is_string() && !path.AsString().starts_with('/') &&
                          path.AsString().find("://") == std::string::npos &&
                          task_.own_folder != task_.folder;
      paths.push_back(is_own ? PlacedAt(path.span, FromOwnFolder() + path.AsString()) : path);
    }
    dataset.Append("path", PlacedAt(files.span, std::move(paths)));
    if (const Value* field = kwargs.Find("field")) dataset.Append("at", *field);
    for (const std::string_view key : {"delimiter", "sep"}) {
      if (const Value* mark = kwargs.Find(key); mark != nullptr && mark->is_string())
        dataset.Set("delimiter", *mark);
    }
    return PlacedAt(files.span, std::move(dataset));
  }

  // Paths of datasets count from the folder of the file that the user named.
  std::string FromOwnFolder() const {
    return task_.folder.starts_with(task_.own_folder) ? task_.folder.substr(task_.own_folder.size())
                                                      : task_.folder;
  }

  // --- shots ---

  std::string SplitOfRows() const {
    for (const std::string_view key : {"test_split", "validation_split", "training_split"}) {
      if (std::string split = TextAt(key, ""); !split.empty()) return split;
    }
    return {};
  }

  std::string SplitOfShots(const Value& config) const {
    if (const std::string& split = config.TextAt("split"); !split.empty()) return split;
    for (const std::string_view key : {"fewshot_split", "training_split", "validation_split", "test_split"}) {
      if (std::string split = TextAt(key, ""); !split.empty()) return split;
    }
    return {};
  }

  // Where the examples come from; nothing is added where they are rows of the questions' own file.
  void AddPool(const Value& config, Map& shots) {
    if (const Value* samples = config.Find("samples"); samples != nullptr && samples->is_list()) {
      shots.Append("rows", *samples, samples->span);
      return;
    }
    const std::string split = SplitOfShots(config);
    for (const foreign::RowsFile& data : said_) {
      if (data.task != task_.name || data.split != split) continue;
      shots.Append("path", PlacedAt(task_.whole, data.path));
      return;
    }
    const Value* kwargs = Find("dataset_kwargs");
    const Value* files = kwargs == nullptr ? nullptr : kwargs->Find("data_files");
    const bool has_splits = files != nullptr && files->is_map();
    if (split == SplitOfRows() || (files != nullptr && !has_splits)) return;
    if (!has_splits) {
      return Complain(
          "lm-eval.data", fmt::format("the examples of the split {} are not on this machine", Quoted(split)),
          task_.whole, fmt::format("download them, and name them: --data {}/{}=FILE", task_.name, split));
    }
    const Value rows = RowsOf(split);
    if (const Value* path = rows.Find("path")) shots.Append("path", *path);
  }

  // The wanted answer as a template of one text.
  std::string AnswerTemplate(const Value& target, Span where) {
    const Value choices = TemplateAt("doc_to_choice");
    const std::string text = target.is_string() ? target.AsString() : std::string();
    if (choices.is_undefined() && !text.empty()) return text;
    const auto inner = [](std::string_view whole) {
      const bool is_one = whole.size() > 4 && whole.starts_with("{{") && whole.ends_with("}}") &&
                          whole.find("}}") == whole.size() - 2;
      return is_one ? std::string(whole.substr(2, whole.size() - 4)) : std::string();
    };
    const std::string list = choices.is_string() ? inner(choices.AsString()) : std::string();
    const std::string index = inner(text);
    if (!list.empty() && !index.empty()) return fmt::format("{{{{{} | at({})}}}}", list, index);
    Complain("lm-eval.fewshot",
             "num_fewshot: examples need doc_to_target as a text, or an index into a column of choices",
             where, "write num_fewshot: 0, or the answer's text into a column");
    return {};
  }

  static std::optional<double> NumberIn(const Value& value) {
    return value.is_number() ? std::optional<double>(value.AsNumber()) : std::nullopt;
  }

  // The examples are texts as the question is, with their answers behind them.
  void AddShots(Map& entry, const Value& question, const Value& target) {
    const Value* count = Find("num_fewshot");
    const Value none;
    const Value* config = Find("fewshot_config");
    if (count == nullptr && config != nullptr) count = config->Find("num_fewshot");
    const std::optional<double> number = count == nullptr ? 0 : NumberIn(*count);
    if (number == 0) return;
    if (!number || !question.is_string()) {
      return Complain("lm-eval.fewshot",
                      fmt::format("num_fewshot: expected a number, found {}", KindName(*count)), count->span,
                      "write how many examples each question has");
    }
    const Value& said = config == nullptr ? none : *config;
    Map shots;
    AddPool(said, shots);
    shots.Append("n", PlacedAt(count->span, *number));
    if (said.TextAt("sampler") == "first_n") shots.Append("pick", PlacedAt(count->span, "first"));
    shots.Append("as", PlacedAt(count->span, "text"));
    const std::string between = TextAt("fewshot_delimiter", "\n\n");
    shots.Append("separator", PlacedAt(count->span, between));
    shots.Append("text", PlacedAt(count->span, question.AsString() + TextAt("target_delimiter", " ") +
                                                   AnswerTemplate(target, count->span)));
    entry.Append("shots", PlacedAt(count->span, std::move(shots)));
    Value* prompt = entry.Find("prompt");
    *prompt = PlacedAt(prompt->span, TextAt("description", "") + "{{shots}}" + between + question.AsString());
  }

  const Task& task_;
  const std::vector<foreign::RowsFile>& said_;
  TaskNeeds& needs_;
  dataset::Problems& problems_;
  Value until_;
  std::optional<double> temperature_;
};

}  // namespace

std::optional<Value> PromptOf(const Task& task, const std::vector<foreign::RowsFile>& said,
                              bool is_one_of_several, TaskNeeds& needs, dataset::Problems& problems) {
  return TaskLowering(task, said, needs, problems).Lower(is_one_of_several);
}

}  // namespace assay::lm_eval
