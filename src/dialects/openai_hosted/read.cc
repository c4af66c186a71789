// Recognises an exported eval, and reads it with the rows of its run into a Suite.
#include <fmt/core.h>

#include <algorithm>

#include "dialects/blueprint/foreign.h"
#include "dialects/blueprint/lower/lower.h"
#include "dialects/foreign/texts.h"
#include "dialects/foreign/values.h"
#include "dialects/openai_hosted/criteria.h"
#include "dialects/openai_hosted/openai_hosted.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/yaml/keys.h"
#include "text/yaml/yaml.h"

namespace assay {
namespace hosted {
namespace {

using foreign::PlacedAt;

constexpr int kSure = 95;

// A name of a model without a provider is one of OpenAI's.
std::string ModelName(const std::string& written) {
  return written.find(':') == std::string::npos ? "openai:" + written : written;
}

// Rows of a file may be the items themselves.
void WrapItems(dataset::Table& table) {
  if (std::find(table.columns.begin(), table.columns.end(), "item") != table.columns.end()) return;
  for (dataset::Row& row : table.rows) {
    Map cells;
    cells.Append("item", PlacedAt(row.where, std::move(row.cells)), row.where);
    row.cells = std::move(cells);
  }
  table.members.WrapIn("item", table.columns);
  table.columns = {"item"};
}

class Export {
 public:
  Export(const ReadInput& input, blueprint::DatasetReading& reading) : input_(input), reading_(reading) {}

  Map header;
  List prompts;

  void Read(const Value& document) {
    const Value& eval = document.Find("eval") != nullptr ? *document.Find("eval") : document;
    if (!eval.TextAt("name").empty()) header.Append("title", *eval.Find("name"));
    CheckSource(eval);
    List points = Points(eval);
    const Value* source = RunSource(document);
    Value rows = Rows(source, eval);
    Value messages = source == nullptr ? Value() : Messages(*source);
    if (source == nullptr) {
      Complain("hosted.run", "expected the data_source of a run: what is asked, and of whom", eval.span,
               "add the run's data_source to the file, as a member of that name");
    } else {
      ReadModel(*source);
    }
    if (problems().HasErrors()) return;
    Map entry;
    entry.Append("dataset", std::move(rows));
    entry.Append("messages", std::move(messages));
    entry.Append("should", PlacedAt(eval.span, std::move(points)));
    prompts.push_back(PlacedAt(eval.span, std::move(entry)));
  }

 private:
  dataset::Problems& problems() { return reading_.problems; }

  void Complain(std::string code, std::string message, Span where, std::string hint) {
    problems().Add(
        {.code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = where});
  }

  void Warn(std::string code, std::string message, Span where, std::string hint) {
    problems().Add({.code = std::move(code),
                    .message = std::move(message),
                    .hint = std::move(hint),
                    .where = where,
                    .severity = Severity::kWarning});
  }

  void CheckSource(const Value& eval) {
    const Value* config = eval.Find("data_source_config");
    const std::string type(config == nullptr ? std::string_view() : config->TextAt("type", "custom"));
    if (type == "custom") return;
    Complain("hosted.source",
             fmt::format("data_source_config: expected the type custom, found {}", Quoted(type)),
             config == nullptr ? eval.span : config->span,
             "stored completions and logs are on the service: export their rows as items");
  }

  List Points(const Value& eval) {
    const Value* criteria = eval.Find("testing_criteria");
    List points;
    if (eval.ListAt("testing_criteria").empty()) {
      Complain("hosted.criteria", "testing_criteria: expected a list of graders",
               criteria == nullptr ? eval.span : criteria->span, "write at least one");
      return points;
    }
    for (const Value& criterion : eval.ListAt("testing_criteria")) {
      if (Value point = PointOf(criterion, problems()); !point.is_undefined())
        points.push_back(std::move(point));
    }
    return points;
  }

  // The data source of the file, or of the first of its runs.
  const Value* RunSource(const Value& document) {
    for (const std::string_view key : {"data_source", "run", "runs"}) {
      const Value* found = document.Find(key);
      if (found == nullptr) continue;
      if (key == "data_source") return found;
      if (const Value* data = found->Find("data")) found = data;
      if (const Value* source = FirstOf(*found).Find("data_source")) return source;
    }
    return nullptr;
  }

  // A run alone, or the first of a list.
  const Value& FirstOf(const Value& runs) {
    if (!runs.is_list() || runs.AsList().empty()) return runs;
    if (runs.AsList().size() > 1)
      Warn("hosted.run", "the first run is read, and the others are left out", runs.span, "keep one run");
    return runs.AsList().front();
  }

  Value Messages(const Value& source) {
    const Value* given = source.Find("input_messages");
    const std::string type(given == nullptr ? std::string_view() : given->TextAt("type", "template"));
    if (given == nullptr) {
      const bool is_graded_already = source.TextAt("type") == "jsonl";
      Complain("hosted.run",
               is_graded_already ? "a data_source of type jsonl grades answers that are there already"
                                 : "data_source: expected input_messages",
               source.span,
               is_graded_already ? "add input_messages, so that a model answers; docs/formats-of-others.md"
                                 : "write {type: template, template: [{role, content}]}");
      return Value();
    }
    if (type == "item_reference") {
      const std::string& path = given->TextAt("item_reference");
      return PlacedAt(given->span, fmt::format("{{{{{}}}}}", path));
    }
    List messages;
    for (const Value& message : given->ListAt("template")) AddMessage(message, messages);
    if (messages.empty()) {
      Complain("hosted.run", "input_messages: expected messages as template", given->span,
               "write {type: template, template: [{role, content}]}");
    }
    return PlacedAt(given->span, std::move(messages));
  }

  void AddMessage(const Value& message, List& messages) {
    const Value* content = message.Find("content");
    Value text = ContentOf(content == nullptr ? Value() : *content, "input_messages", problems());
    if (text.is_undefined()) return;
    std::string_view role = message.TextAt("role", "user");
    if (role == "developer") role = "system";
    messages.push_back(foreign::MessageAt(message.span, role, std::move(text)));
  }

  Value Rows(const Value* source, const Value& eval) {
    const std::vector<foreign::RowsFile> said = foreign::RowsFilesOf(input_);
    if (said.size() > 1)
      Complain("hosted.data", "--data: an export has one set of rows", eval.span, "name it once");
    if (!said.empty()) {
      reading_.said_paths.push_back(said.front().path);
      return PlacedAt(eval.span, said.front().path);
    }
    const Value* of = source == nullptr ? nullptr : source->Find("source");
    const Value* content = of == nullptr ? nullptr : of->Find("content");
    if (content != nullptr && content->is_list()) {
      Map dataset;
      dataset.Append("rows", *content);
      return PlacedAt(content->span, std::move(dataset));
    }
    if (source != nullptr) {
      const std::string& id = of == nullptr ? std::string() : of->TextAt("id");
      Complain("hosted.data",
               id.empty() ? "source: expected the rows as content"
                          : fmt::format("the rows are on the service, as {}", id),
               of == nullptr ? source->span : of->span,
               "download the file, and name it: --data items=FILE.jsonl");
    }
    return Value();
  }

  void ReadModel(const Value& source) {
    if (const std::string* model = FindText(source, "model")) {
      const Value& written = *source.Find("model");
      const Span where = written.span;
      header.Append("models", PlacedAt(where, List{PlacedAt(where, ModelName(*model))}));
    }
    for (const Member& member : source.MapAt("sampling_params")) {
      const bool is_limit = member.key == "max_completion_tokens" || member.key == "max_completions_tokens" ||
                            member.key == "max_output_tokens" || member.key == "max_tokens";
      const std::string_view form = member.value.TextAt("type");
      const bool is_plain_text = member.key == "response_format" && form == "text";
      if (member.value.is_null() || is_plain_text) continue;
      // Whole numbers of YAML are numbers as JSON has them.
      const Value value =
          member.value.is_number() ? PlacedAt(member.value.span, member.value.AsNumber()) : member.value;
      if (is_limit) {
        header.Set("max_tokens", value, member.key_span);
      } else if (member.key == "temperature" || form == "json_schema") {
        header.Set(member.key, value, member.key_span);
      } else {
        Warn("hosted.run", fmt::format("sampling_params: {} is not sent", Quoted(member.key)),
             member.key_span, "assay sends temperature, the limit of tokens and response_format");
      }
    }
  }

  const ReadInput& input_;
  blueprint::DatasetReading& reading_;
};

// The models that a check names, in its order.
std::vector<const Value*> ModelsOf(const Check& check) {
  std::vector<const Value*> models;
  if (const Value* own = check.args.Find("model")) models.push_back(own);
  for (const Member& grader : check.args.MapAt("graders")) {
    if (const Value* model = grader.value.Find("model")) models.push_back(model);
  }
  return models;
}

constexpr std::size_t kModelsMax = 100;  // that the graders of an export name

// Each check is judged by the models that it names, unless the user names others.
void NameJudges(const ReadInput& input, Suite& suite) {
  if (!input.options.judges.empty()) return;
  for (Case& the_case : suite.cases) {
    for (Check& check : the_case.checks) {
      for (const Value* model : ModelsOf(check)) {
        const std::string name = ModelName(model->AsString());
        const auto known = std::find_if(suite.named_judges.begin(), suite.named_judges.end(),
                                        [&](const Judge& judge) { return judge.model_id == name; });
        const auto index = static_cast<JudgeIndex>(known - suite.named_judges.begin());
        if (known == suite.named_judges.end()) {
          if (suite.named_judges.size() >= kModelsMax) {
            input.diagnostics.Error(
                "hosted.grader", fmt::format("expected at most {} models that grade, found more", kModelsMax),
                model->span, "share the criteria out among files");
            return;
          }
          suite.named_judges.push_back(blueprint::JudgeNamed(name));
          suite.named_judges.back().span = model->span;
        }
        check.judges.edit().push_back(index);
      }
    }
  }
}

}  // namespace
}  // namespace hosted

int SniffOpenAiHosted(std::string_view path, std::string_view text) {
  const bool may_be = path.ends_with(".json") || path.ends_with(".yaml") || path.ends_with(".yml");
  if (!may_be) return 0;
  const std::vector<std::string> keys = TopLevelKeys(text.substr(0, kSniffedBytesMax));
  const auto has = [&keys](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  const bool is_wrapped = has("eval") && (has("run") || has("runs") || has("data_source"));
  const bool is_eval =
      has("testing_criteria") || (is_wrapped && text.find("testing_criteria") != std::string_view::npos);
  return is_eval && !has("prompts") && !has("prompt") ? hosted::kSure : 0;
}

std::optional<Suite> ReadOpenAiHosted(const ReadInput& input, FileId file, std::string_view text) {
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  Value document;
  if (input.path.ends_with(".json")) {
    document = ReadJson(file, text, input.diagnostics);
  } else {
    std::vector<Value> documents = ReadYaml(file, text, YamlRules::kPyYaml, input.diagnostics);
    if (documents.size() == 1) document = std::move(documents.front());
  }
  if (input.diagnostics.ErrorCount() > errors_before) return std::nullopt;
  if (!document.is_map()) {
    input.diagnostics.Error("hosted.file", "expected one eval, {data_source_config, testing_criteria}",
                            {file, 0, 0}, "export one eval a file");
    return std::nullopt;
  }
  blueprint::DatasetReading reading = blueprint::DatasetsOf(input);
  reading.reshape = hosted::WrapItems;
  hosted::Export exported(input, reading);
  exported.Read(document);
  std::vector<blueprint::PromptEntry> entries;
  if (!reading.problems.HasErrors())
    entries = blueprint::ExpandDatasets(exported.header, std::move(exported.prompts), reading);
  reading.problems.TellTo(input.diagnostics);
  if (reading.problems.HasErrors()) return std::nullopt;
  foreign::WriteOutNumbers(entries, {"input", "reference", "messages"}, input.sources);
  std::optional<Suite> suite = blueprint::ReadForeign({.dialect = "openai-hosted",
                                                       .checks = kOpenAiHostedChecks,
                                                       .header = std::move(exported.header),
                                                       .entries = std::move(entries),
                                                       .whole = document.span},
                                                      reading, input, file, text);
  if (!suite) return std::nullopt;
  const std::size_t errors = input.diagnostics.ErrorCount();
  hosted::NameJudges(input, *suite);
  if (input.diagnostics.ErrorCount() > errors) return std::nullopt;
  return suite;
}

}  // namespace assay
