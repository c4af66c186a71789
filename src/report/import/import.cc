// The table of importers, the detection of a file's format, and what the readers share.
#include "report/import/import.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"
#include "report/decide/standings.h"
#include "report/fold/cell_counts.h"
#include "report/import/import_builder.h"
#include "report/import/limits.h"
#include "spec/suite/names/suite_names.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/thoughts.h"

namespace assay {

namespace {

constexpr double kScoreNoise = 1e-9;
constexpr std::size_t kLabelBytesMax = 200;  // of a label that is cut
constexpr std::size_t kDigestDigits = 12;

bool IsZip(std::string_view bytes) { return bytes.starts_with("PK"); }

// The first line, or the start of it: whether it is an object with such a member.
bool HasMember(std::string_view head, std::string_view member) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' && head.find(member) != std::string_view::npos;
}
bool IsPromptfoo(std::string_view bytes) {
  return HasMember(bytes, "\"results\"") && HasMember(bytes, "\"prompts\"");
}
// Version and status come first in it, then `eval`.
bool IsInspectJson(std::string_view bytes) {
  return HasMember(bytes, "\"eval\"") && HasMember(bytes, "\"eval_id\"");
}
bool IsLmEval(std::string_view bytes) {
  return HasMember(bytes, "\"doc_id\"") && HasMember(bytes, "\"filtered_resps\"");
}
bool IsOwn(std::string_view bytes) {
  return HasMember(bytes, "\"points\"") && HasMember(bytes, "\"variant\"");
}

// The members that come first in it.
bool IsComparison(std::string_view bytes) {
  return HasMember(bytes, "\"configId\"") && HasMember(bytes, "\"runLabel\"");
}
bool IsResearchRows(std::string_view bytes) {
  return HasMember(bytes, "\"run_id\"") && HasMember(bytes, "\"source_provider\"") &&
         HasMember(bytes, "\"test_id\"");
}
bool IsInfibench(std::string_view bytes) {
  return !bytes.starts_with('{') && bytes.find("\n  all_scores:") != std::string_view::npos;
}

constexpr ImportRow kImports[] = {
    {"inspect", "a log of Inspect (.eval)", IsZip, ReadInspectLog},
    {"inspect-json", "a log of Inspect (JSON)", IsInspectJson, ReadInspectJson},
    {"promptfoo", "results of promptfoo (JSON, version 3)", IsPromptfoo, ReadPromptfooResults},
    {"lm-eval-samples", "samples of lm-evaluation-harness (JSONL)", IsLmEval, ReadLmEvalSamples},
    {"jsonl", "lines of `assay export --to jsonl`", IsOwn, ReadOwnLines},
    {"blueprint", "results of a blueprint (…_comparison.json, core.json)", IsComparison, ReadComparison},
    {"research", "rows of a research session (results.jsonl, or its folder)", IsResearchRows,
     ReadResearchRows},
    {"infibench", "results of InfiBench (SUITE_MODEL.yaml)", IsInfibench, ReadInfibenchFile},
};

// What its model thought before an answer is told as thoughts, as of answers that are asked for.
void PartThoughts(Transcript& transcript) {
  SplitAnswer split = SplitThoughts(transcript.answer);
  if (!split.thoughts.empty()) transcript.generated_reasoning.push_back(std::move(split.thoughts));
  transcript.answer = std::move(split.answer);
}

bool IsEarlier(const Cell& a, const Cell& b) {
  if (a.case_index != b.case_index) return a.case_index < b.case_index;
  return a.variant != b.variant ? a.variant < b.variant : a.attempt < b.attempt;
}

Status VisitCells(const ImportedRun& run, const CellRange& range, const Report::Visitor& visit) {
  if (range.order == CellRange::Order::kByCase) {
    auto cell = std::partition_point(run.cells.begin(), run.cells.end(), [&range](const Cell& each) {
      return each.case_index < range.first_case;
    });
    for (; cell != run.cells.end() && cell->case_index < range.last_case; ++cell) {
      if (range.Has(cell->case_index, cell->variant)) ASSAY_CHECK_OK(visit(*cell));
    }
    return Ok();
  }
  const VariantIndex last =
      std::min(range.last_variant, static_cast<VariantIndex>(run.suite.variants.size()));
  auto place = std::partition_point(run.by_variant.begin(), run.by_variant.end(), [&](std::size_t each) {
    return run.cells[each].variant < range.first_variant;
  });
  for (; place != run.by_variant.end() && run.cells[*place].variant < last; ++place) {
    const Cell& cell = run.cells[*place];
    if (range.Has(cell.case_index, cell.variant)) ASSAY_CHECK_OK(visit(cell));
  }
  return Ok();
}

// Places of cells in plan order, variant by variant.
std::vector<std::size_t> ByVariant(const std::vector<Cell>& cells) {
  std::vector<std::size_t> places(cells.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&cells](std::size_t a, std::size_t b) { return cells[a].variant < cells[b].variant; });
  return places;
}

// A mean of shares may miss 1 by its last digit.
bool IsImportShare(double score) { return score >= -kScoreNoise && score <= 1 + kScoreNoise; }

// Intervals end where all scores lie between 0 and 1, as they mostly do.
ScoreBounds BoundsOf(const std::vector<Cell>& cells) {
  const bool are_shares = std::all_of(cells.begin(), cells.end(), [](const Cell& cell) {
    return cell.state != CellState::kScored || IsImportShare(cell.score);
  });
  return {.are_known = are_shares};
}

// An id that no other case has: with the digits of a digest only where words do not do.
std::string WithDigits(std::string_view text, const Digest& digest) {
  return fmt::format("{} #{}", CutToBytes(text, kLabelBytesMax), HexPrefix(digest, kDigestDigits));
}

// Where a file that is called JSON breaks; "" if it does not, or is something else.
std::string BrokenJson(const ByteSource& bytes, std::string_view name) {
  if (!name.ends_with(".json") || bytes.size_bytes() > limits::kInputFileBytesMax) return {};
  std::string text(static_cast<std::size_t>(bytes.size_bytes()), '\0');
  if (!bytes.ReadAt(0, text.data(), text.size())) return {};
  SourceFiles sources;
  const FileId file = sources.Add(std::string(name), text);
  Diagnostics problems;
  ReadJson(file, text, problems);
  if (!problems.HasErrors()) return {};
  Diagnostic first = problems.All().front();
  first.hint += first.hint.empty() ? "" : "; ";
  first.hint += "a file that was cut off has to be written again";
  std::string told = FormatDiagnostic(first, sources);
  const std::string_view ours = ": error: ";
  if (const std::size_t at = told.find(ours); at != std::string::npos) told.replace(at, ours.size(), ": ");
  while (told.ends_with('\n')) told.pop_back();
  return told;
}

}  // namespace

std::span<const ImportRow> ImportTable() { return kImports; }

const ImportRow* FindImport(std::string_view head) {
  for (const ImportRow& row : kImports) {
    if (row.is_own(head)) return &row;
  }
  return nullptr;
}

Result<std::shared_ptr<const ImportedRun>> ImportRun(std::string_view bytes, const ImportAsk& ask) {
  return ImportRun(std::make_shared<const MemorySource>(bytes), ask);
}

Result<std::shared_ptr<const ImportedRun>> ImportRun(const SharedBytes& bytes, const ImportAsk& ask) {
  std::string head(limits::kImportedHeadBytes, '\0');
  ASSAY_TRY(const std::size_t head_bytes, bytes->ReadAt(0, head.data(), head.size()));
  head.resize(head_bytes);
  if (const ImportRow* row = FindImport(head)) {
    Result<std::shared_ptr<const ImportedRun>> run = row->read(bytes, ask);
    if (run) return run;
    // Whatever is wrong with it, it is the file that the user named.
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} ({}): {}", Quoted(ask.name), row->help, run.error().message)};
  }
  if (const std::string broken = BrokenJson(*bytes, ask.name); !broken.empty())
    return Error{ErrorCode::kInvalidInput, broken};
  std::string known;
  for (const ImportRow& row : ImportTable()) known += fmt::format("\n  {}", row.help);
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("{} is no file of results that can be read; these can:{}", Quoted(ask.name), known)};
}

ImportBuilder::ImportBuilder(std::string_view dialect, ImportBudget budget) : budget_(budget) {
  run_->suite.dialect = dialect;
}

VariantIndex ImportBuilder::VariantOf(const std::string& id, const std::string& model) {
  const auto [found, is_new] = variants_.emplace(id, static_cast<VariantIndex>(run_->suite.variants.size()));
  if (is_new) {
    Variant& variant = run_->suite.variants.emplace_back();
    variant.id = id;
    variant.model_id = model;
    const std::size_t end = model.find_first_of("/:");
    variant.provider = end == std::string::npos ? std::string() : model.substr(0, end);
    variant.model = end == std::string::npos ? model : model.substr(end + 1);
  }
  return found->second;
}

Digest ImportBuilder::DigestOf(const RowIdentity& row) {
  Sha256 hash;
  hash.Update(fmt::format("{}:", row.label.size()));
  hash.Update(row.label);
  hash.Update(row.asked);
  return hash.Finish();
}

// A label is the id of the only case that has it; several cases of one label say what differs.
void ImportBuilder::NameCases() {
  std::map<std::string, std::size_t> of_label;
  for (const CaseName& name : names_) ++of_label[name.label];
  std::map<std::string, std::size_t> of_id;
  for (CaseIndex i = 0; i < names_.size(); ++i) {
    const CaseName& name = names_[i];
    std::string& id = run_->suite.cases[i].id;
    const std::string words = fmt::format("{} {}", name.label, name.detail);
    id = of_label[name.label] == 1                              ? name.label
         : name.detail.empty() || words.size() > kLabelBytesMax ? WithDigits(words, name.digest)
                                                                : words;
    ++of_id[id];
  }
  for (CaseIndex i = 0; i < names_.size(); ++i) {
    std::string& id = run_->suite.cases[i].id;
    if (of_id[id] > 1) id = WithDigits(id, names_[i].digest);
  }
}

void ImportBuilder::RemarkOnScores() {
  std::size_t scored = 0;
  std::size_t beyond = 0;
  double low = 0;
  double high = 1;
  for (const Cell& cell : run_->cells) {
    if (cell.state != CellState::kScored) continue;
    ++scored;
    beyond += IsImportShare(cell.score) ? 0 : 1;
    low = std::min(low, cell.score);
    high = std::max(high, cell.score);
  }
  if (beyond == 0) return;
  Remark(
      {.is_warning = true,
       .text = fmt::format("{} of {} scores lie outside 0 to 1 (from {:.6g} to {:.6g}): they count unscaled, "
                           "so means can leave 0 to 100 points",
                           beyond, scored, low, high)});
}

void ImportBuilder::SetDigest(CaseIndex index, std::string digest) {
  if (run_->digests.size() <= index) run_->digests.resize(index + 1);
  run_->digests[index] = std::move(digest);
}

// What the case and the variant take that were added since it was asked last.
std::uint64_t ImportBuilder::BytesOfNewRows() {
  constexpr std::uint64_t kCopies = 3;  // of names: in the suite, in maps, in tables
  std::uint64_t bytes = 0;
  if (names_.size() != std::exchange(known_cases_, names_.size())) {
    const CaseName& name = names_.back();
    bytes += BytesOf(run_->suite.cases.back()) + sizeof(Case) + limits::kImportedRowBytes +
             kCopies * (name.label.size() + name.detail.size());
    if (!run_->digests.empty()) bytes += run_->digests.back().size();
  }
  const std::vector<Variant>& variants = run_->suite.variants;
  if (variants.size() != std::exchange(known_variants_, variants.size())) {
    const Variant& variant = variants.back();
    bytes += 2 * sizeof(Variant) + limits::kImportedRowBytes +
             kCopies * (variant.id.size() + variant.model_id.size());
  }
  return bytes;
}

Status ImportBuilder::Add(CaseIndex case_index, VariantIndex variant, Cell cell) {
  PartThoughts(cell.record.transcript);
  cell.case_index = case_index;
  cell.variant = variant;
  cell.attempt = static_cast<AttemptIndex>(run_->cells.size());  // in the order of the file, until Finish
  const std::size_t checks = run_->suite.cases[case_index].checks.size();
  if (cell.record.scores.size() > checks) cell.record.scores.resize(checks);
  // A list doubles as it grows: for a moment it is there twice.
  const std::uint64_t bytes = BytesOf(cell) + sizeof(Cell) + BytesOfNewRows();
  run_->cells.push_back(std::move(cell));
  return budget_.Keep(bytes);
}

Result<std::shared_ptr<const ImportedRun>> ImportBuilder::Finish(std::string_view run_id) {
  ImportedRun& run = *run_;
  if (run.cells.empty()) return Error{ErrorCode::kInvalidInput, "expected results, found none"};
  NameCases();
  if (std::optional<LongName> name = FindLongName(run.suite))
    return Error{ErrorCode::kInvalidInput, std::move(name->message)};
  const std::size_t cases = run.suite.cases.size();
  if (cases > limits::kImportedPairsMax / std::max<std::size_t>(run.suite.variants.size(), 1)) {
    return Error{ErrorCode::kLimit, fmt::format("{} cases x {} variants are more than {} pairs", cases,
                                                run.suite.variants.size(), limits::kImportedPairsMax)};
  }
  ASSAY_CHECK_OK(budget_.Keep(cases * run.suite.variants.size() * limits::kImportedPairBytes));
  run.digests.resize(cases);
  std::sort(run.cells.begin(), run.cells.end(), IsEarlier);
  run.by_variant = ByVariant(run.cells);
  run.suite.attempts = 1;
  run.suite.score_bounds = BoundsOf(run.cells);
  RemarkOnScores();
  run.report.suite = &run.suite;
  run.report.run.run_id = run_id;
  run.report.variants.resize(run.suite.variants.size());
  for (VariantIndex v = 0; v < run.report.variants.size(); ++v) run.report.variants[v].variant = v;
  const Cell* before = nullptr;
  for (Cell& cell : run.cells) {
    const bool is_next =
        before != nullptr && before->case_index == cell.case_index && before->variant == cell.variant;
    cell.attempt = is_next ? before->attempt + 1 : 0;
    run.suite.attempts = std::max(run.suite.attempts, cell.attempt + 1);
    VariantSummary& summary = run.report.variants[cell.variant];
    ++summary.cells;
    CountState(cell.state, summary);
    before = &cell;
  }
  run.report.for_each_cell = [&run](const CellRange& range, CellParts, const Report::Visitor& visit) {
    return VisitCells(run, range, visit);
  };
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(run.report));
  for (VariantSummary& summary : run.report.variants)
    summary.mean = EstimateMean(scores.samples[summary.variant], scores.design()).mean.value_or(0);
  return std::shared_ptr<const ImportedRun>(run_);
}

std::optional<double> ScoreAt(const Value& map, std::string_view key) {
  if (const std::optional<bool> truth = map.BoolAt(key)) return *truth ? 1 : 0;
  return map.NumberAt(key);
}

std::string ContentText(const Value& content) {
  if (content.is_string()) return content.AsString();
  if (!content.is_list())
    return content.is_nullish() ? std::string() : WriteJson(content, JsonStyle::kJavaScript);
  std::string text;
  for (const Value& part : content.AsList()) {
    const std::string words = part.is_string() ? part.AsString() : part.TextAt("text");
    if (words.empty()) continue;
    text += text.empty() ? words : "\n" + words;
  }
  return text;
}

std::vector<Turn> TurnsOf(const Value& value) {
  std::vector<Turn> turns;
  if (value.is_list()) {
    for (const Value& message : value.AsList()) {
      const std::string role = message.TextAt("role");
      const Value* content = message.Find("content");
      if (content == nullptr) continue;
      turns.push_back({.role = role == "system"      ? Role::kSystem
                               : role == "assistant" ? Role::kAssistant
                                                     : Role::kUser,
                       .kind = TurnKind::kText,
                       .text = ContentText(*content),
                       .span = {}});
    }
  } else {
    turns.push_back({.role = Role::kUser, .kind = TurnKind::kText, .text = ContentText(value), .span = {}});
  }
  turns.push_back({.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}});
  return turns;
}

std::string AskedText(const std::vector<Turn>& turns) {
  std::string text;
  for (const Turn& turn : turns) {
    if (turn.kind == TurnKind::kText)
      text += fmt::format("{}:{}:{}", RoleName(turn.role), turn.text.size(), turn.text);
  }
  return text;
}

std::string LabelOfText(std::string_view text) {
  std::string label(CutToBytes(text, kLabelBytesMax));
  std::replace_if(
      label.begin(), label.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return label.size() < text.size() ? WithDigits(label, Sha256Of(text)) : label;
}

Result<std::string> WholeText(const ByteSource& bytes, ImportBudget& budget) {
  ASSAY_CHECK_OK(budget.Keep(bytes.size_bytes()));
  std::string text;
  SourceStream stream(bytes);
  while (true) {
    ASSAY_TRY(const std::string_view piece, stream.Next());
    if (piece.empty()) return text;
    text += piece;
  }
}

Result<Value> ParseWithin(std::string_view json, ImportBudget& budget) {
  ASSAY_CHECK_OK(budget.UseTree(json));
  return ParseJson(json);
}

Status ForEachJsonLine(const ByteSource& bytes, ImportBudget& budget,
                       const std::function<Status(const Value&)>& visit) {
  SourceStream stream(bytes);
  std::string line;
  std::size_t number = 1;
  const auto take = [&]() -> Status {
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      const Result<Value> value = ParseWithin(line, budget);
      if (!value) return Error{value.error().code, fmt::format("line {}: {}", number, value.error().message)};
      ASSAY_CHECK_OK(visit(*value));
    }
    line.clear();
    ++number;
    return Ok();
  };
  while (true) {
    ASSAY_TRY(std::string_view piece, stream.Next());
    if (piece.empty()) return take();
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
      line += piece.substr(0, end);
      piece.remove_prefix(end + 1);
      ASSAY_CHECK_OK(take());
    }
    line += piece;
    if (const Status fits = budget.Use(2 * line.size()); !fits)
      return Error{ErrorCode::kLimit, fmt::format("line {}: {}", number, fits.error().message)};
  }
}

Cell CellOfScore(std::optional<double> score) {
  Cell cell;
  if (!score || !std::isfinite(*score)) return cell;
  cell.state = CellState::kScored;
  cell.score = *score;
  return cell;
}

}  // namespace assay
