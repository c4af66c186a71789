// Imports logs of Inspect (inspect_ai), version 2: a ZIP archive (deflated or zstd) of JSON, one member for
// each sample and epoch, or one JSON with a list of them. A sample is a case, an epoch an attempt, a scorer a
// check; the first scorer's value is the score.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/limits.h"
#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "report/import/limits.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/json/sieve.h"
#include "text/packed/zip.h"

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
  if (!text.starts_with(kMark)) return text;
  const std::string& found = sample.MapAt("attachments").TextAt(std::string_view(text).substr(kMark.size()));
  return found.empty() ? text : found;
}

// By its id and its input: logs that are joined may give one id to several samples.
RowIdentity SampleIdentity(const Value& sample, const Case& the_case) {
  RowIdentity row{.label = sample.TextAt("id"), .asked = AskedText(the_case.turns)};
  if (const auto number = sample.NumberAt("id")) row.label = fmt::format("{}", *number);
  for (const Turn& turn : the_case.turns) {
    if (row.label.empty() && turn.role == Role::kUser) row.label = LabelOfText(turn.text);
  }
  if (row.label.empty()) row.label = "sample";
  return row;
}

Case InspectCaseOf(const Value& sample) {
  Case the_case;
  if (const Value* input = sample.Find("input")) the_case.turns = TurnsOf(*input);
  for (Turn& turn : the_case.turns) turn.text = WithAttachments(turn.text, sample);
  if (const Value* target = sample.Find("target")) {
    const std::string text = ContentText(*target);
    if (!text.empty()) the_case.ideal = text;
  }
  for (const Member& scorer : sample.MapAt("scores")) {
    Check& check = the_case.checks.emplace_back();
    check.id = scorer.key;
    check.kind = scorer.key;
    check.text = scorer.key;
    check.weight = the_case.checks.size() == 1 ? 1 : 0;
  }
  return the_case;
}

std::vector<Score> ScoresOf(const Value& sample, const Case& the_case) {
  std::vector<Score> points;
  for (const Check& check : the_case.checks) {
    const Map& given = sample.MapAt("scores").MapAt(check.id);
    const Value* value = given.Find("value");
    const std::optional<double> number = value == nullptr ? std::nullopt : NumberOfScore(*value);
    Score score = number ? Score::Of(*number) : Score{};
    score.explanation = given.TextAt("explanation");
    points.push_back(std::move(score));
  }
  return points;
}

// What the model said last.
std::string AnswerOf(const Value& sample) {
  const List& choices = sample.MapAt("output").ListAt("choices");
  if (choices.empty()) return {};
  const Value* content = choices.front().MapAt("message").Find("content");
  return content == nullptr ? std::string() : WithAttachments(ContentText(*content), sample);
}

// What is kept of a sample; the sample itself, with every event of it, is gone before the next is read.
struct Folded {
  double epoch = 1;
  RowIdentity identity;
  Case the_case;
  Cell cell;
  std::uint64_t bytes = 0;  // that the budget has counted
};

Folded FoldedOf(const Value& sample) {
  Folded folded{.epoch = ScoreAt(sample, "epoch").value_or(1),
                .identity = {},
                .the_case = InspectCaseOf(sample),
                .cell = {},
                .bytes = 0};
  folded.identity = SampleIdentity(sample, folded.the_case);
  const std::vector<Score> points = ScoresOf(sample, folded.the_case);
  const bool has_score = !points.empty() && points.front().state == ScoreState::kScored;
  folded.cell = CellOfScore(has_score ? std::optional<double>(points.front().value) : std::nullopt);
  Transcript& transcript = folded.cell.record.transcript;
  transcript.answer = AnswerOf(sample);
  if (const Value* error = sample.Find("error"); error != nullptr && !error->is_nullish()) {
    folded.cell.state = CellState::kError;
    transcript.error = sample.TextAt("error");
    if (transcript.error.empty()) transcript.error = sample.MapAt("error").TextAt("message");
    if (transcript.error.empty()) transcript.error = "an error without a message";
  } else {
    folded.cell.record.scores = points;
  }
  return folded;
}

// Points stand where the case has them: scorers may come in another order, or be missing, in a later epoch.
Status AddSample(Folded folded, VariantIndex variant, ImportBuilder& builder) {
  const CaseIndex index = builder.CaseOf(std::move(folded.identity), [&folded] { return folded.the_case; });
  std::vector<Score> own = std::exchange(folded.cell.record.scores, {});
  if (!own.empty() || folded.cell.state != CellState::kError) {
    for (const Check& check : builder.suite().cases[index].checks) {
      Score& point = folded.cell.record.scores.emplace_back();
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (folded.the_case.checks[i].id == check.id) point = std::move(own[i]);
      }
    }
    const auto& points = folded.cell.record.scores;
    const bool has_score = !points.empty() && points.front().state == ScoreState::kScored;
    Cell scored = CellOfScore(has_score ? std::optional<double>(points.front().value) : std::nullopt);
    folded.cell.state = scored.state;
    folded.cell.score = scored.score;
  }
  return builder.Add(index, variant, std::move(folded.cell));
}

// What is read of a sample. The rest, every event of it, is most of a log.
constexpr SieveMember kOfSample[] = {{.name = "id"},     {.name = "epoch"},      {.name = "input"},
                                     {.name = "target"}, {.name = "scores"},     {.name = "output"},
                                     {.name = "error"},  {.name = "attachments"}};
constexpr SieveMember kOfLog[] = {{.name = "eval"},
                                  {.name = "samples", .members = kOfSample, .is_list = true}};

// The samples of a log, in the order of the file, and what they take together.
class Samples {
 public:
  explicit Samples(ImportBudget& budget) : budget_(budget) {}

  Status Add(std::string_view json) {
    if (folded_.size() >= limits::kImportedSamplesMax)
      return Error{ErrorCode::kLimit, fmt::format("expected at most {} samples in a log; export it in parts",
                                                  limits::kImportedSamplesMax)};
    ASSAY_TRY(const Value sample, ParseWithin(json, budget_));
    Folded& folded = folded_.emplace_back(FoldedOf(sample));
    // Until all are there, and they are in order, they are kept apart from the run.
    folded.bytes = BytesOf(folded.the_case) + BytesOf(folded.cell) + folded.identity.label.size() +
                   folded.identity.asked.size();
    return budget_.Keep(2 * sizeof(Folded) + folded.bytes);
  }

  Status Add(const ZipArchive& archive, const ZipEntry& entry) {
    ASSAY_TRY(const std::unique_ptr<ByteStream> plain, archive.Unpack(entry, bytes_left_));
    Counted counted(*plain);
    const Result<std::string> json =
        SieveJson(counted, {.members = kOfSample, .bytes_max = budget_.left_bytes() / 2});
    bytes_left_ -= std::min(bytes_left_, counted.bytes());
    if (!json)
      return Error{json.error().code, fmt::format("{}: {}", Quoted(entry.name), json.error().message)};
    const Status added = Add(*json);
    if (!added)
      return Error{added.error().code, fmt::format("{}: {}", Quoted(entry.name), added.error().message)};
    return Ok();
  }

  std::vector<Folded> Take() { return std::move(folded_); }

 private:
  class Counted final : public ByteStream {
   public:
    explicit Counted(ByteStream& bytes) : bytes_(bytes) {}
    Result<std::string_view> Next() override {
      Result<std::string_view> next = bytes_.Next();
      if (next) count_ += next->size();
      return next;
    }
    std::size_t bytes() const { return count_; }

   private:
    ByteStream& bytes_;
    std::size_t count_ = 0;
  };

  ImportBudget& budget_;
  std::vector<Folded> folded_;
  std::size_t bytes_left_ = limits::kImportedBytesMax;
};

// What a log says of itself, without its samples.
Result<VariantIndex> BeginLog(const Value& header, ImportBuilder& builder) {
  const Value* eval = header.Find("eval");
  if (eval == nullptr)
    return Error{ErrorCode::kInvalidInput, "expected a log of Inspect, found a header without `eval`"};
  const std::string& own = eval->MapAt("metadata").TextAt("variant");  // of our export
  const std::string model = eval->TextAt("model");
  builder.suite().id = eval->TextAt("task");
  builder.suite().title = builder.suite().id;
  return builder.VariantOf(own.empty() ? model : own, model);
}

Result<std::shared_ptr<const ImportedRun>> EndLog(std::vector<Folded> samples, VariantIndex variant,
                                                  ImportBuilder& builder, std::string_view name) {
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Folded& a, const Folded& b) { return a.epoch < b.epoch; });
  for (Folded& sample : samples) {
    builder.budget().Release(sample.bytes);
    ASSAY_CHECK_OK(AddSample(std::move(sample), variant, builder));
  }
  return builder.Finish(name);
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadInspectLog(const SharedBytes& bytes, const ImportAsk& ask) {
  ImportBuilder builder("inspect", ImportBudget(bytes->size_bytes()));
  const std::uint64_t entries_most = builder.budget().left_bytes() / (4 * sizeof(ZipEntry));
  ASSAY_TRY(const ZipArchive archive,
            ZipArchive::Open(bytes, std::min<std::uint64_t>(entries_most, limits::kImportedSamplesMax)));
  ASSAY_CHECK_OK(builder.budget().Keep(2 * sizeof(ZipEntry) * archive.entries().size()));
  const ZipEntry* head = archive.Find("header.json");
  if (head == nullptr) head = archive.Find("_journal/start.json");  // a log of a run that was not finished
  if (head == nullptr)
    return Error{ErrorCode::kInvalidInput, "expected a log of Inspect, found an archive without header.json"};
  constexpr SieveMember kOfHead[] = {{.name = "eval"}};
  ASSAY_TRY(const std::unique_ptr<ByteStream> plain, archive.Unpack(*head, limits::kInputFileBytesMax));
  ASSAY_TRY(const std::string head_text,
            SieveJson(*plain, {.members = kOfHead, .bytes_max = builder.budget().left_bytes() / 2}));
  ASSAY_TRY(const Value header, ParseWithin(head_text, builder.budget()));
  ASSAY_TRY(const VariantIndex variant, BeginLog(header, builder));
  Samples samples(builder.budget());
  for (const ZipEntry& entry : archive.entries()) {
    if (entry.name.starts_with("samples/")) ASSAY_CHECK_OK(samples.Add(archive, entry));
  }
  return EndLog(samples.Take(), variant, builder, ask.name);
}

Result<std::shared_ptr<const ImportedRun>> ReadInspectJson(const SharedBytes& bytes, const ImportAsk& ask) {
  ImportBuilder builder("inspect", ImportBudget(bytes->size_bytes()));
  Samples samples(builder.budget());
  SourceStream stream(*bytes);
  ASSAY_TRY(const std::string head_text,
            SieveJson(stream, {.members = kOfLog,
                               .bytes_max = builder.budget().left_bytes() / 2,
                               .visit = [&samples](std::string_view json) { return samples.Add(json); }}));
  ASSAY_TRY(const Value log, ParseWithin(head_text, builder.budget()));
  ASSAY_TRY(const VariantIndex variant, BeginLog(log, builder));
  return EndLog(samples.Take(), variant, builder, ask.name);
}

}  // namespace assay
