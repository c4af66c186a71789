// Logs of Inspect (inspect_ai), version 2: a ZIP archive (deflated or zstd) of JSON, one member for each
// sample and epoch. A sample is a case, an epoch an attempt, a scorer a check; the first scorer's value is
// the score.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/diagnostics.h"
#include "base/limits.h"
#include "report/import/import.h"
#include "report/import/limits.h"
#include "text/json/json.h"
#include "text/zip.h"

namespace assay {

namespace {

// Inspect's letters for correct, partial, incorrect and no answer; else a number, or a text of one.
std::optional<double> NumberOfScore(const Value& value) {
  if (value.is_bool()) return value.AsBool() ? 1 : 0;
  if (value.is_number()) return value.AsNumber();
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.AsString();
  if (text == "C") return 1;
  if (text == "P") return 0.5;
  if (text == "I" || text == "N") return 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Long texts stand apart: "attachment://HASH".
std::string WithAttachments(const std::string& text, const Value& sample) {
  constexpr std::string_view kMark = "attachment://";
  const Value* attachments = sample.Find("attachments");
  if (attachments == nullptr || !text.starts_with(kMark)) return text;
  const std::string found = TextAt(*attachments, std::string_view(text).substr(kMark.size()));
  return found.empty() ? text : found;
}

std::string IdOf(const Value& sample) {
  const Value* id = sample.Find("id");
  if (id == nullptr) return "sample";
  if (id->is_number()) return fmt::format("{}", id->AsNumber());
  return id->is_string() ? id->AsString() : std::string("sample");
}

Case CaseOf(const Value& sample) {
  Case the_case;
  if (const Value* input = sample.Find("input")) the_case.turns = TurnsOf(*input);
  for (Turn& turn : the_case.turns) turn.text = WithAttachments(turn.text, sample);
  if (const Value* target = sample.Find("target")) {
    const std::string text = ContentText(*target);
    if (!text.empty()) the_case.ideal = text;
  }
  const Value* scores = sample.Find("scores");
  if (scores == nullptr || !scores->is_map()) return the_case;
  for (const Member& scorer : scores->AsMap()) {
    Check& check = the_case.checks.emplace_back();
    check.id = scorer.key;
    check.kind = scorer.key;
    check.text = scorer.key;
    check.weight = the_case.checks.size() == 1 ? 1 : 0;
  }
  return the_case;
}

std::vector<Score> ScoresOf(const Value& sample, const Case& the_case) {
  const Value* scores = sample.Find("scores");
  std::vector<Score> points;
  for (const Check& check : the_case.checks) {
    const Value* given = scores == nullptr ? nullptr : scores->Find(check.id);
    const Value* value = given == nullptr ? nullptr : given->Find("value");
    const std::optional<double> number = value == nullptr ? std::nullopt : NumberOfScore(*value);
    Score score = number ? Score::Of(*number) : Score{};
    if (given != nullptr) score.explanation = TextAt(*given, "explanation");
    points.push_back(std::move(score));
  }
  return points;
}

// What the model said last.
std::string AnswerOf(const Value& sample) {
  const Value* output = sample.Find("output");
  const Value* choices = output == nullptr ? nullptr : output->Find("choices");
  if (choices == nullptr || !choices->is_list() || choices->AsList().empty()) return {};
  const Value* message = choices->AsList().front().Find("message");
  const Value* content = message == nullptr ? nullptr : message->Find("content");
  return content == nullptr ? std::string() : WithAttachments(ContentText(*content), sample);
}

void AddSample(const Value& sample, VariantIndex variant, ImportBuilder& builder) {
  const CaseIndex index = builder.CaseOf(IdOf(sample), [&sample] { return CaseOf(sample); });
  const std::vector<Score> points = ScoresOf(sample, builder.suite().cases[index]);
  const bool has_score = !points.empty() && points.front().state == ScoreState::kScored;
  Cell cell = CellOfScore(has_score ? std::optional<double>(points.front().value) : std::nullopt);
  Transcript& transcript = cell.record.transcript;
  transcript.answer = AnswerOf(sample);
  if (const Value* error = sample.Find("error"); error != nullptr && !error->is_nullish()) {
    cell.state = CellState::kError;
    transcript.error = error->is_string() ? error->AsString() : TextAt(*error, "message");
    if (transcript.error.empty()) transcript.error = "an error without a message";
  } else {
    cell.record.scores = points;
  }
  builder.Add(index, variant, std::move(cell));
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadInspectLog(std::string_view bytes, std::string_view name) {
  ASSAY_TRY(const ZipArchive archive, ZipArchive::Open(bytes, limits::kImportedSamplesMax));
  const ZipEntry* head = archive.Find("header.json");
  if (head == nullptr) head = archive.Find("_journal/start.json");  // a log of a run that was not finished
  if (head == nullptr)
    return Error{ErrorCode::kInvalidInput, "expected a log of Inspect, found an archive without header.json"};
  ASSAY_TRY(const std::string head_text, archive.Read(*head, limits::kInputFileBytesMax));
  ASSAY_TRY(const Value header, ParseJson(head_text));
  const Value* eval = header.Find("eval");
  if (eval == nullptr)
    return Error{ErrorCode::kInvalidInput, "expected a log of Inspect, found a header without `eval`"};
  ImportBuilder builder("inspect");
  const Value* metadata = eval->Find("metadata");
  const std::string own =
      metadata == nullptr ? std::string() : TextAt(*metadata, "variant");  // of our export
  const std::string model = TextAt(*eval, "model");
  builder.suite().id = TextAt(*eval, "task");
  builder.suite().title = builder.suite().id;
  const VariantIndex variant = builder.VariantOf(own.empty() ? model : own, model);
  std::vector<std::pair<double, Value>> samples;
  std::size_t left = limits::kImportedBytesMax;
  for (const ZipEntry& entry : archive.entries()) {
    if (!entry.name.starts_with("samples/")) continue;
    ASSAY_TRY(const std::string text, archive.Read(entry, left));
    left -= text.size();
    ASSAY_TRY(Value sample, ParseJson(text));
    const double epoch = NumberAt(sample, "epoch").value_or(1);
    // Whole samples hold every event; what is needed of them is little.
    if (sample.is_map()) {
      sample.AsMap().Erase("events");
      sample.AsMap().Erase("messages");
    }
    samples.emplace_back(epoch, std::move(sample));
  }
  std::stable_sort(samples.begin(), samples.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [epoch, sample] : samples) AddSample(sample, variant, builder);
  return builder.Finish(name);
}

}  // namespace assay
