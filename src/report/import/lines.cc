// Imports files with one JSON object a line: samples of lm-evaluation-harness, and assay's own lines
// (docs/formats/jsonl.md).
#include <fmt/core.h>

#include <algorithm>

#include "report/import/import.h"
#include "text/json/json.h"

namespace assay {

namespace {

// The prompt of a document, as it was sent: messages as JSON, or a text.
std::vector<Turn> TurnsOfDocument(const Value& line) {
  const Value* arguments = line.Find("arguments");
  const Value* first = arguments == nullptr ? nullptr : arguments->Find("gen_args_0");
  if (first == nullptr && arguments != nullptr && arguments->is_list() && !arguments->AsList().empty())
    first = &arguments->AsList().front();
  const Value* prompt = first == nullptr ? nullptr : first->Find("arg_0");
  if (prompt == nullptr) return TurnsOf(Value(""));
  const std::string text = ContentText(*prompt);
  const Result<Value> parsed = text.starts_with("[{") ? ParseJson(text) : Result<Value>(Value());
  return parsed && parsed->is_list() ? TurnsOf(*parsed) : TurnsOf(Value(text));
}

std::string DocumentId(const Value& line) {
  const Value* document = line.Find("doc");
  const std::string own = document == nullptr ? std::string() : TextAt(*document, "id");
  return own.empty() ? fmt::format("{}", NumberAt(line, "doc_id").value_or(0)) : own;
}

std::string FirstMetric(const Value& line) {
  const Value* metrics = line.Find("metrics");
  if (metrics == nullptr || !metrics->is_list() || metrics->AsList().empty()) return {};
  const Value& first = metrics->AsList().front();
  return first.is_string() ? first.AsString() : std::string();
}

std::string FirstReply(const Value& line) {
  const Value* replies = line.Find("filtered_resps");
  if (replies == nullptr || !replies->is_list() || replies->AsList().empty()) return {};
  const Value& first = replies->AsList().front();
  return first.is_string() ? first.AsString() : ContentText(first);
}

// lm-eval writes OUTPUT/MODEL/samples_TASK_TIME.jsonl, with "__" in place of "/" in the model's name.
std::string ModelOfFolder(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || !path.substr(slash + 1).starts_with("samples_")) return {};
  std::string model(path.substr(0, slash));
  model.erase(0, model.rfind('/') + 1);
  if (model.empty() || model == "." || model == "..") return {};
  for (std::size_t at = model.find("__"); at != std::string::npos; at = model.find("__", at + 1))
    model.replace(at, 2, "/");
  return model;
}

CellState StateNamed(std::string_view name) {
  if (name == "scored") return CellState::kScored;
  if (name == "partial") return CellState::kPartial;
  if (name == "error") return CellState::kError;
  return name == "skipped" ? CellState::kSkipped : CellState::kUnscored;
}

Case OwnCase(const Value& line) {
  Case the_case;
  List asked;
  if (const Value* messages = line.Find("messages"); messages != nullptr && messages->is_list())
    asked = messages->AsList();
  // The last answer is the model's own.
  if (!asked.empty() && TextAt(asked.back(), "role") == "assistant") asked.pop_back();
  the_case.turns = TurnsOf(Value(std::move(asked)));
  if (const std::string ideal = TextAt(line, "ideal"); !ideal.empty()) the_case.ideal = ideal;
  if (const Value* tags = line.Find("tags"); tags != nullptr && tags->is_list()) {
    for (const Value& tag : tags->AsList()) {
      if (tag.is_string()) the_case.tags.edit().push_back(tag.AsString());
    }
  }
  const Value* points = line.Find("points");
  if (points == nullptr || !points->is_list()) return the_case;
  for (const Value& point : points->AsList()) {
    Check& check = the_case.checks.emplace_back();
    check.id = std::to_string(the_case.checks.size());
    check.kind = TextAt(point, "kind");
    check.text = TextAt(point, "text");
    check.weight = NumberAt(point, "weight").value_or(1);
    check.invert = NumberAt(point, "not").value_or(0) != 0;
  }
  return the_case;
}

Score OwnScore(const Value& point) {
  const std::optional<double> number = NumberAt(point, "score");
  Score score = number ? Score::Of(*number) : Score{};
  score.max = NumberAt(point, "max").value_or(1);
  score.explanation = TextAt(point, "reason");
  score.error = TextAt(point, "error");
  const std::string state = TextAt(point, "state");
  if (state == "error") score.state = ScoreState::kError;
  if (state == "missing") score.state = ScoreState::kMissing;
  return score;
}

Cell OwnCell(const Value& line, std::size_t checks) {
  Cell cell = CellOfScore(NumberAt(line, "score"));
  cell.state = StateNamed(TextAt(line, "state"));
  Transcript& transcript = cell.record.transcript;
  transcript.answer = TextAt(line, "answer");
  const Value* answer = line.Find("answer");
  const bool has_answer = answer != nullptr && answer->is_string();
  (has_answer ? cell.record.grading_error : transcript.error) = TextAt(line, "error");
  transcript.error_class = TextAt(line, "error_class");
  if (const Value* messages = line.Find("messages"); messages != nullptr) {
    std::vector<Message> history;
    for (const Turn& turn : TurnsOf(*messages)) {
      if (turn.kind == TurnKind::kText) history.push_back({.role = turn.role, .text = turn.text});
    }
    const auto answers = std::count_if(history.begin(), history.end(), [](const Message& message) {
      return message.role == Role::kAssistant;
    });
    // Of a single answer `answer` says all.
    if (answers > 1) transcript.history = std::move(history);
  }
  if (const Value* points = line.Find("points"); has_answer && points != nullptr && points->is_list()) {
    for (const Value& point : points->AsList()) cell.record.scores.push_back(OwnScore(point));
    cell.record.scores.resize(checks);
  }
  return cell;
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadLmEvalSamples(std::string_view bytes, std::string_view name) {
  ImportBuilder builder("lm-eval");
  const std::size_t folder = name.rfind('/');
  const std::string file(folder == std::string_view::npos ? name : name.substr(folder + 1));
  builder.suite().id = file;
  builder.suite().title = file;
  // The samples do not name their model: the folder that lm-eval writes them to does.
  const std::string model = ModelOfFolder(name);
  const VariantIndex variant = builder.VariantOf(model.empty() ? file : model, model.empty() ? file : model);
  std::string filter;
  bool is_first = true;
  ASSAY_CHECK_OK(ForEachJsonLine(bytes, [&](const Value& line) {
    if (is_first) filter = TextAt(line, "filter");
    is_first = false;
    if (TextAt(line, "filter") != filter) return Ok();  // the same documents, seen another way
    const CaseIndex index = builder.CaseOf(DocumentId(line), [&line] {
      Case the_case;
      the_case.turns = TurnsOfDocument(line);
      if (const Value* target = line.Find("target")) the_case.ideal = ContentText(*target);
      return the_case;
    });
    Cell cell = CellOfScore(NumberAt(line, FirstMetric(line)));
    cell.record.transcript.answer = FirstReply(line);
    if (const std::string error = TextAt(line, "error"); !error.empty() && cell.state != CellState::kScored) {
      cell.state = CellState::kError;
      cell.record.transcript.error = error;
    }
    builder.Add(index, variant, std::move(cell));
    return Ok();
  }));
  return builder.Finish(name);
}

Result<std::shared_ptr<const ImportedRun>> ReadOwnLines(std::string_view bytes, std::string_view name) {
  ImportBuilder builder("jsonl");
  ASSAY_CHECK_OK(ForEachJsonLine(bytes, [&](const Value& line) {
    if (builder.suite().id.empty()) builder.suite().id = builder.suite().title = TextAt(line, "suite");
    const CaseIndex index = builder.CaseOf(TextAt(line, "case"), [&line] { return OwnCase(line); });
    if (std::string digest = TextAt(line, "digest"); !digest.empty())
      builder.SetDigest(index, std::move(digest));
    const VariantIndex variant = builder.VariantOf(TextAt(line, "variant"), TextAt(line, "model"));
    builder.Add(index, variant, OwnCell(line, builder.suite().cases[index].checks.size()));
    return Ok();
  }));
  return builder.Finish(name);
}

}  // namespace assay
