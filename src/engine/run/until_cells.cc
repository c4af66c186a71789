// Walks the units of a suite in the order of asking.
#include "engine/run/until_cells.h"

#include <algorithm>

#include "spec/suite/suite.h"

namespace assay {

namespace {

// So many cells for each connection may come to their end before the slowest one of a look does.
constexpr std::size_t kRounds = 2;
constexpr std::size_t kSpareShare = 4;  // of the calls that may be under way, this part is made ready

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
bool UntilCells::MayHandOut(std::size_t more) const {
  const std::uint64_t next = course_.next();
  if (place_ <= next) return true;
  const std::size_t ahead = world_.ahead();
  const UnitTable& table = world_.rule.table;
  const std::uint64_t batch = world_.rule.batch * table.cases() / table.units();
  const std::uint64_t cases = std::max<std::uint64_t>(batch, kRounds * ahead / CountAsked());
  return out_ + more < ahead + ahead / kSpareShare && place_ <= next + cases;
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

SourcedCells UntilCells::Next(std::size_t most) {
  course_.Follow(scores_, world_.is_given_up);
  if (world_.on_look) TellLooks();
  if (is_cut_ || (course_.is_closed() && course_.IsEarly())) return {};
  SourcedCells next = course_.is_closed() ? Rest(most) : SourcedCells();
  while (!course_.is_closed() && next.cells.size() < most) {
    if (ready_.empty() && !FillPlace()) break;
    if (ready_.empty()) continue;
    if (!MayHandOut(next.cells.size())) break;
    const CellIndex cell = ready_.front();
    ready_.pop_front();
    if (course_.IsAsked(place_ - 1, world_.plan.CellAt(cell).variant)) next.cells.push_back(cell);
  }
  for (const CellIndex cell : next.cells) taken_[cell] = true;
  out_ += next.cells.size();
  handed_ += next.cells.size();
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
  const std::vector<QuestionCourse>& questions = course_.questions();
  const bool has_too_many_errors =
      std::any_of(questions.begin(), questions.end(), [](const QuestionCourse& each) {
        return each.question->kind == BoundQuestion::Kind::kErrors && each.HasFailed();
      });
  return course_.is_closed() && handed_ < world_.plan.CellCount() && !has_too_many_errors;
}

}  // namespace assay
