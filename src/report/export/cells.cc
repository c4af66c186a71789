// Chooses the cells of an export, and collects what is said of each beside its numbers.
#include "report/export/cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "report/values/held_bytes.h"
#include "report/values/points.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::int64_t kCellsMsPerSecond = 1000;

}  // namespace

Status PieceWriter::EndLine() {
  out_ += '\n';
  if (out_.size() < kExportPieceBytes) return Ok();
  const Status written = sink_.Write(out_);
  out_.clear();
  return written;
}

Status PieceWriter::Finish() { return sink_.Write(out_); }

std::vector<std::string> ParametersTexts(const Suite& suite) {
  std::vector<std::string> texts;
  for (const Variant& variant : suite.variants) {
    std::string text = CanonicalParams(variant.params);
    if (!text.empty()) text.front() = '{';
    texts.push_back((text.empty() ? std::string("{") : text) + "}");
  }
  return texts;
}

namespace {

template <class Place>
std::tuple<CaseIndex, VariantIndex, AttemptIndex> PlaceOf(const Place& at) {
  return {at.case_index, at.variant, at.attempt};
}

bool ComesBefore(const AnswerTook& a, const AnswerTook& b) { return PlaceOf(a) < PlaceOf(b); }

}  // namespace

Result<AnswerUses> AnswerUses::Of(const Report& report, const ExportAsk& ask) {
  constexpr double kMsPerSecond = 1000;
  AnswerUses uses;
  if (report.for_each_use == nullptr) return uses;
  std::vector<AnswerTook>& took = uses.took_;
  ASSAY_CHECK_OK(report.for_each_use(CellsOf(ask), [&took](const CellAddress& at, const AnswerUse& use) {
    took.push_back({.case_index = at.case_index,
                    .variant = at.variant,
                    .attempt = at.attempt,
                    .has_tokens = use.usage.known,
                    .input_tokens = use.usage.input_tokens,
                    .output_tokens = use.usage.output_tokens,
                    .seconds = use.ms ? std::optional(*use.ms / kMsPerSecond) : std::nullopt,
                    .usd = use.usd});
    return Ok();
  }));
  if (!std::is_sorted(took.begin(), took.end(), ComesBefore))
    std::sort(took.begin(), took.end(), ComesBefore);
  return uses;
}

const AnswerTook* AnswerUses::Find(const Cell& cell) const {
  const auto found =
      std::lower_bound(took_.begin(), took_.end(), PlaceOf(cell),
                       [](const AnswerTook& took, const auto& at) { return PlaceOf(took) < at; });
  return found == took_.end() || PlaceOf(*found) != PlaceOf(cell) ? nullptr : &*found;
}

CellRange CellsOf(const ExportAsk& ask, CellRange::Order order) {
  CellRange range = ask.variant ? CellRange::OfVariant(*ask.variant) : CellRange::All();
  range.order = order;
  return range;
}

std::vector<VariantIndex> VariantsOf(const Report& report, const ExportAsk& ask) {
  if (ask.variant) return {*ask.variant};
  std::vector<VariantIndex> all(report.suite->variants.size());
  for (VariantIndex v = 0; v < all.size(); ++v) all[v] = v;
  return all;
}

bool IsLeftByDecision(const Report& report, const Cell& cell) {
  return cell.state == CellState::kSkipped && !report.stopped.empty();
}

bool IsPassed(const Suite& suite, const Cell& cell, const PassRule& pass) {
  return cell.state == CellState::kScored && pass.Passes(suite.cases[cell.case_index], cell.score);
}

std::string WhyOf(const Suite& suite, const Cell& cell) {
  const AttemptRecord& record = cell.record;
  if (!record.transcript.error.empty()) return record.transcript.error;
  if (!record.grading_error.empty()) return record.grading_error;
  Case extracted;
  const Case& the_case = CheckedCase(suite, cell, extracted);
  for (std::size_t i = 0; i < std::min(record.scores.size(), the_case.checks.size()); ++i) {
    const Score& score = record.scores[i];
    if (MissesPoints(score)) return MissedPoint(the_case.checks[i], score);
  }
  return {};
}

std::string CompactJson(const Value& value) { return WriteJson(value, JsonStyle::kJavaScript); }

Value MessagesValue(const std::vector<Message>& messages) {
  return ArrayOf(messages, [&](const Message& message) {
    return Object{{"role", RoleName(message.role)}, {"content", message.text}};
  });
}

std::vector<Message> FixedTurns(const Case& the_case) {
  std::vector<Message> turns;
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText) turns.push_back({.role = turn.role, .text = turn.text});
  }
  return turns;
}

std::string IsoText(std::int64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / kCellsMsPerSecond);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}+00:00", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Status ForEachGroup(const Report& report, const ExportAsk& ask, CellParts parts,
                    const std::function<Status(const CellGroup&)>& visit) {
  CellGroup group;
  std::optional<GatheredBytes> gathered;  // of the group
  const auto add = [&](const Cell& cell) -> Status {
    const bool is_same = cell.case_index == group.case_index && cell.variant == group.variant;
    if (!group.attempts.empty() && !is_same) {
      ASSAY_CHECK_OK(visit(group));
      group.attempts.clear();
    }
    if (group.attempts.empty()) gathered.emplace(report.suite->cases[cell.case_index].id);
    ASSAY_CHECK_OK(gathered->Add(HeldBytes(cell.record.transcript)));
    group.case_index = cell.case_index;
    group.variant = cell.variant;
    group.attempts.push_back(cell);
    return Ok();
  };
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask, CellRange::Order::kByVariant), parts, add));
  return group.attempts.empty() ? Ok() : visit(group);
}

GroupVerdict VerdictOfGroup(const Suite& suite, const CellGroup& group, const PassRule& pass) {
  GroupVerdict verdict;
  double sum = 0;
  bool any_error = false;
  bool any_unscored = false;
  for (const Cell& cell : group.attempts) {
    any_error = any_error || cell.state == CellState::kError || cell.state == CellState::kPartial;
    any_unscored = any_unscored || cell.state == CellState::kUnscored;
    if (cell.state != CellState::kScored) continue;
    sum += cell.score;
    ++verdict.scored;
    verdict.passed += IsPassed(suite, cell, pass) ? 1 : 0;
  }
  if (verdict.scored > 0) {
    verdict.state = CellState::kScored;
    verdict.mean = sum / static_cast<double>(verdict.scored);
    verdict.is_passed = pass.CasePasses(verdict.passed, verdict.scored);
  } else {
    verdict.state = any_error ? CellState::kError : any_unscored ? CellState::kUnscored : CellState::kSkipped;
  }
  return verdict;
}

std::string ShortfallText(const Suite& suite, const CellGroup& group, const GroupVerdict& verdict,
                          const PassRule& pass) {
  const std::string mark = ScorePoints(pass.MarkOf(suite.cases[group.case_index]));
  if (group.attempts.size() == 1)
    return fmt::format("{} points, expected {} or more", ScorePoints(verdict.mean), mark);
  return fmt::format("{} of {} attempts passed with {} points or more, expected {}; {} points on average",
                     verdict.passed, verdict.scored, mark, LeastShare(pass), ScorePoints(verdict.mean));
}

}  // namespace assay
