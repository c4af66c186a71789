// Walks the units of a suite in the order of asking.
#include "engine/run/until_cells.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/values/runs.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// So many cells for each connection may come to their end before the slowest one of a look does.
constexpr std::size_t kRounds = 2;
constexpr std::size_t kSpareShare = 4;  // of the calls that may be under way, this part is made ready

bool HasTooManyErrors(const StopCourse& course) {
  return std::any_of(course.questions().begin(), course.questions().end(), [](const QuestionCourse& each) {
    return each.question->kind == BoundQuestion::Kind::kErrors && each.HasFailed();
  });
}

}  // namespace

UntilCells::UntilCells(UntilWorld world, std::vector<bool> finished,
                       std::span<const std::pair<CellIndex, CellOutcome>> outcomes)
    : world_(std::move(world)),
      taken_(std::move(finished)),
      scores_(world_.plan.suite(), world_.rule.pass),
      course_(world_.rule) {
  taken_.resize(world_.plan.CellCount());
  handed_ = static_cast<CellIndex>(std::count(taken_.begin(), taken_.end(), true));
  for (const auto& [cell, outcome] : outcomes) {
    if (taken_[cell]) scores_.Take(world_.plan.CellAt(cell), outcome);
  }
}

// The cells of the next case, for whoever is asked. False: there is no case more.
bool UntilCells::FillPlace() {
  const std::vector<std::uint32_t>& asking = world_.rule.asking;
  if (place_ >= asking.size()) return false;
  const CellSpan span = world_.plan.grid().OfCase(asking[place_++]);
  for (CellIndex cell = span.first; cell < span.last; ++cell) {
    if (!taken_[cell]) ready_.push_back(cell);
  }
  return true;
}

// Cells that no question is about, such as those of cases without weight: they come after all others.
SourcedCells UntilCells::Rest(std::size_t most) {
  SourcedCells next;
  for (; rest_ < taken_.size() && next.cells.size() < most; ++rest_) {
    if (!taken_[rest_] && course_.Concerns(world_.plan.CellAt(rest_).variant)) next.cells.push_back(rest_);
  }
  return next;
}

// Cells up to the next look at once. Those behind it are for connections that would be idle, and not too
// many: what the look makes needless is paid for.
bool UntilCells::MayHandOut(std::uint64_t place, std::uint64_t last, std::size_t more) const {
  if (place < course_.next()) return true;
  const std::size_t ahead = world_.ahead();
  return out_ + more < ahead + ahead / kSpareShare && place < last;
}

std::uint64_t UntilCells::LastPlace(std::size_t ahead) const {
  const UnitTable& table = world_.rule.table;
  const std::uint64_t batch = world_.rule.batch * table.cases() / table.units();
  return course_.next() + std::max<std::uint64_t>(batch, kRounds * ahead / CountAsked());
}

std::size_t UntilCells::CountAsked() const {
  std::size_t asked = 0;
  for (VariantIndex v = 0; v < world_.rule.names.size(); ++v) asked += course_.IsAsked(v) ? 1 : 0;
  return std::max<std::size_t>(asked, 1);
}

void UntilCells::TellLooks() {
  const std::vector<QuestionCourse>& questions = course_.questions();
  told_.resize(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const QuestionCourse& course = questions[i];
    const std::uint64_t looks =
        course.question->IsCertain() ? std::uint64_t{course.is_closed} : course.looks();
    for (; told_[i] < looks; ++told_[i]) world_.on_look(scores_, course, told_[i]);
  }
}

bool UntilCells::Follow() {
  course_.Follow(scores_, world_.is_given_up);
  if (world_.on_look) TellLooks();
  return !is_cut_ && !(course_.is_closed() && course_.IsEarly());
}

void UntilCells::Take(CellIndex cell, const CellOutcome& outcome) {
  scores_.Take(world_.plan.CellAt(cell), outcome);
  if (outcome.state == CellState::kSkipped || taken_[cell]) return;
  taken_[cell] = true;
  ++handed_;
}

void UntilCells::HandOut(const std::vector<CellIndex>& cells) {
  for (const CellIndex cell : cells) taken_[cell] = true;
  out_ += cells.size();
  handed_ += cells.size();
}

SourcedCells UntilCells::Next(std::size_t most) {
  if (!Follow()) return {};
  SourcedCells next = course_.is_closed() ? Rest(most) : SourcedCells();
  const std::uint64_t last = course_.is_closed() ? 0 : LastPlace(world_.ahead());
  while (!course_.is_closed() && next.cells.size() < most) {
    if (ready_.empty() && !FillPlace()) break;
    if (ready_.empty()) continue;
    if (!MayHandOut(place_ - 1, last, next.cells.size())) break;
    const CellIndex cell = ready_.front();
    ready_.pop_front();
    if (course_.IsAsked(place_ - 1, world_.plan.CellAt(cell).variant)) next.cells.push_back(cell);
  }
  HandOut(next.cells);
  if (!next.cells.empty()) {
    next.state = SourcedCells::State::kCells;
  } else if (out_ > 0 && !course_.is_closed()) {
    next.state = SourcedCells::State::kLater;
  }
  return next;
}

void UntilCells::Retired(std::span<const RetiredCell> cells) {
  for (const RetiredCell& cell : cells) {
    --out_;
    const CellOutcome skipped{.state = CellState::kSkipped};
    scores_.Take(cell.address,
                 cell.was_asked ? cell.outcome.value_or(CellOutcome{.state = CellState::kError}) : skipped);
    if (!cell.was_asked && !world_.is_given_up(cell.address.variant)) is_cut_ = true;
  }
}

std::string UntilCells::RaceText() { return progress_.Text(course_, scores_, place_); }

bool UntilCells::IsDecided() const {
  return course_.is_closed() && handed_ < world_.plan.CellCount() && !HasTooManyErrors(course_);
}

Result<bool> IsDecidedByOthers(Store& store, const Plan& plan, const StopRule& rule, const RunRecord& run) {
  StopScores scores(plan.suite(), rule.pass);
  std::vector<bool> asked(plan.CellCount());
  ASSAY_CHECK_OK(store.VisitOutcomes(run.context.run_id, {0, plan.CellCount()},
                                     [&](CellIndex cell, const CellOutcome& outcome) {
                                       asked[cell] = outcome.state != CellState::kSkipped;
                                       scores.Take(plan.CellAt(cell), outcome);
                                       return Ok();
                                     }));
  const std::vector<std::string> given_up = GivenUpModels(run);
  const GivenUp is_given_up = [&](VariantIndex variant) {
    return IsGivenUp(plan.suite().variants[variant], given_up);
  };
  std::uint64_t left = 0;
  std::uint64_t to_ask = 0;
  for (CellIndex cell = 0; cell < asked.size(); ++cell) {
    if (asked[cell]) continue;
    const CellAddress address = plan.CellAt(cell);
    ++left;
    to_ask += is_given_up(address.variant) ? 0 : 1;
    scores.Take(address, CellOutcome{.state = CellState::kSkipped});
  }
  StopCourse course(rule);
  course.Follow(scores, is_given_up);
  if (course.is_closed()) return left > 0 && !HasTooManyErrors(course);
  const bool is_cut = run.ending && *run.ending != RunEnding::kWhole && *run.ending != RunEnding::kError;
  if (is_cut || to_ask == 0) return false;
  return Error{ErrorCode::kRefused,
               fmt::format("run {} is not decided, and {} of its cells are left", run.context.run_id, to_ask),
               {},
               {"start its shards again; they ask what is missing"}};
}

}  // namespace assay
