// Claims ranges up to the next look, and reads what others have committed of the cases before it.
#include "engine/run/shared_until_cells.h"

#include <algorithm>

#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kLeastOut = 1;  // cells, where nobody has to be called
constexpr std::size_t kPlacesAtOnce = 4'096;
// Many processes ask more rarely each: the server answers all of them.
constexpr std::chrono::milliseconds kAskEvery{200};
constexpr std::chrono::milliseconds kAskEveryOfEach{20};
// What others skipped tells that the run was cut, unless word comes by then of a model that was given up.
constexpr std::chrono::seconds kWordOfModelsTakes{30};

}  // namespace

UntilOrder UntilOrderOf(const Plan& plan, const StopRule& rule, std::int64_t shards) {
  const StopCourse course(rule);
  UntilOrder order;
  std::vector<CellIndex> rest;
  for (std::uint64_t place = 0; place < rule.asking.size(); ++place) {
    order.starts.push_back(order.places.cells.size());
    const CellSpan span = plan.grid().OfCase(rule.asking[place]);
    for (CellIndex cell = span.first; cell < span.last; ++cell)
      (course.IsAsked(place, plan.CellAt(cell).variant) ? order.places.cells : rest).push_back(cell);
  }
  const std::uint64_t asked = order.places.cells.size();
  order.starts.push_back(asked);
  order.places.cells.insert(order.places.cells.end(), rest.begin(), rest.end());
  const std::uint64_t looks =
      std::max<std::uint64_t>(rule.table.units() / std::max<std::uint64_t>(rule.batch, 1), 1);
  order.places.range_max = asked / looks / static_cast<std::uint64_t>(std::max<std::int64_t>(shards, 1));
  return order;
}

SharedUntilCells::SharedUntilCells(UntilWorld world, SharedUntilWorld shared, std::vector<bool> finished,
                                   std::span<const std::pair<CellIndex, CellOutcome>> outcomes)
    : UntilCells(std::move(world), std::move(finished), outcomes),
      shared_(shared),
      place_of_(world_.rule.asking.size()) {
  for (std::uint64_t place = 0; place < place_of_.size(); ++place)
    place_of_[world_.rule.asking[place]] = place;
}

std::size_t SharedUntilCells::AheadOfAll() const {
  return world_.ahead() * static_cast<std::size_t>(std::max<std::int64_t>(shared_.seat.standing().living, 1));
}

// What was left out by nobody's wish is asked at the end, if the run comes to it.
SharedUntilCells::Use SharedUntilCells::UseOf(CellIndex cell, std::uint64_t last, std::size_t more) const {
  if (taken_[cell]) return Use::kNeedless;
  const CellAddress address = world_.plan.CellAt(cell);
  if (course_.is_closed()) return course_.Concerns(address.variant) ? Use::kAsk : Use::kNeedless;
  const std::uint64_t place = place_of_[address.case_index];
  if (!course_.IsAsked(place, address.variant)) return course_.IsEarly() ? Use::kNeedless : Use::kWait;
  return MayHandOut(place, last, more) ? Use::kAsk : Use::kWait;
}

// Whoever sees the end finishes what nobody holds, so that the report can be made.
SourcedCells SharedUntilCells::End() {
  shared_.seat.ClaimNeedless();
  SourcedCells next = shared_.seat.Next(1);
  ready_.insert(ready_.end(), next.cells.begin(), next.cells.end());
  const std::vector<CellIndex> needless(ready_.begin(), ready_.end());
  ready_.clear();
  shared_.seat.Done(needless);
  if (next.state == SourcedCells::State::kCells) next.state = SourcedCells::State::kLater;
  next.cells.clear();
  return next;
}

// Of what the seat's ranges have.
void SharedUntilCells::Choose(std::size_t most, std::uint64_t last, std::vector<CellIndex>& chosen) {
  std::vector<CellIndex> needless;
  std::deque<CellIndex> waiting;
  for (const CellIndex cell : ready_) {
    const Use use = chosen.size() < most ? UseOf(cell, last, chosen.size()) : Use::kWait;
    if (use == Use::kAsk) chosen.push_back(cell);
    if (use == Use::kWait) waiting.push_back(cell);
    if (use == Use::kNeedless) needless.push_back(cell);
  }
  ready_ = std::move(waiting);
  if (!needless.empty()) shared_.seat.Done(needless);
}

SourcedCells SharedUntilCells::Next(std::size_t most) {
  TakeNews();
  if (!Follow()) return End();
  const std::uint64_t cases = world_.rule.asking.size();
  const std::uint64_t last = course_.is_closed() ? cases : std::min(LastPlace(AheadOfAll()), cases);
  AskForNews(last);
  place_ = heard_to_;
  shared_.seat.ClaimBelow(course_.is_closed() ? limits::kCellsMax : shared_.order.starts[last]);
  SourcedCells next;
  Choose(most, last, next.cells);
  // A little more than connections wait for, since a range takes its time to come: the others have some, too.
  const std::size_t ahead = std::max(world_.ahead(), kLeastOut);
  const bool wants = next.cells.size() < most && out_ + next.cells.size() < ahead + ahead / 2;
  const SourcedCells claimed = shared_.seat.Next(wants ? most : 0);
  ready_.insert(ready_.end(), claimed.cells.begin(), claimed.cells.end());
  Choose(most, last, next.cells);
  HandOut(next.cells);
  if (!next.cells.empty()) {
    next.state = SourcedCells::State::kCells;
  } else if (claimed.state != SourcedCells::State::kEnd || !ready_.empty() || out_ > 0 ||
             (!course_.is_closed() && !is_all_heard_)) {
    next.state = SourcedCells::State::kLater;
  }
  return next;
}

// Places of cells that the next looks need and that somebody else may have asked.
std::vector<std::uint64_t> SharedUntilCells::OpenPlaces(std::uint64_t last) {
  std::vector<std::uint64_t> open;
  bool is_first = true;
  for (std::uint64_t place = heard_to_; place < last && open.size() < kPlacesAtOnce; ++place) {
    const std::size_t before = open.size();
    for (std::uint64_t at = shared_.order.starts[place]; at < shared_.order.starts[place + 1]; ++at) {
      const CellIndex cell = shared_.order.places.cells[at];
      if (!taken_[cell] && course_.IsAsked(place, world_.plan.CellAt(cell).variant)) open.push_back(at);
    }
    is_first = is_first && open.size() == before;
    if (is_first) heard_to_ = place + 1;
  }
  return open;
}

void SharedUntilCells::AskForNews(std::uint64_t last) {
  const TimePoint now = shared_.clock.Now();
  if (course_.is_closed() || shared_.seat.IsHearing() || now < next_question_) return;
  std::vector<std::uint64_t> places = OpenPlaces(last);
  asked_at_end_ = shared_.seat.IsAtEnd() && ready_.empty() && out_ == 0;
  if (places.empty()) {
    is_all_heard_ = asked_at_end_;
    return;
  }
  const std::int64_t living = std::max<std::int64_t>(shared_.seat.standing().living, 1);
  next_question_ = now + std::max(kAskEvery, kAskEveryOfEach * static_cast<int>(living));
  shared_.seat.Hear(std::move(places));
}

// A skipped cell beyond the next look may be one that whoever looked earlier does not need.
void SharedUntilCells::TakeNews() {
  const std::optional<std::vector<HeardCell>> heard = shared_.seat.TakeHeard();
  if (!heard) return;
  bool is_skipped = false;
  bool is_news = false;
  for (const HeardCell& each : *heard) {
    const CellAddress address = world_.plan.CellAt(each.cell);
    const std::uint64_t place = place_of_[address.case_index];
    if (taken_[each.cell]) continue;
    if (each.outcome.state != CellState::kSkipped) {
      is_news = true;
      Take(each.cell, each.outcome);
    } else if (place < next() && course_.IsAsked(place, address.variant)) {
      is_skipped = is_skipped || !world_.is_given_up(address.variant);
      Take(each.cell, each.outcome);
    }
  }
  is_all_heard_ = asked_at_end_ && !is_news;
  const TimePoint now = shared_.clock.Now();
  if (!is_skipped) skipped_since_ = kNever;
  if (is_skipped) skipped_since_ = std::min(skipped_since_, now);
  is_cut_ = is_cut_ || (is_skipped && now - skipped_since_ >= kWordOfModelsTakes);
}

// Looks are made over what the store has: whoever goes on without this process sees the same.
void SharedUntilCells::Retired(std::span<const RetiredCell> cells) {
  out_ -= cells.size();
  const CellOutcome none{.state = CellState::kSkipped};
  for (const RetiredCell& cell : cells) {
    const CellOutcome came_to = cell.outcome.value_or(CellOutcome{.state = CellState::kError});
    to_commit_[world_.plan.IndexOf(cell.address)] = cell.was_asked ? came_to : none;
    if (!cell.was_asked && !world_.is_given_up(cell.address.variant)) is_cut_ = true;
  }
}

void SharedUntilCells::Done(std::span<const CellIndex> cells) {
  for (const CellIndex cell : cells) {
    const auto outcome = to_commit_.find(cell);
    if (outcome == to_commit_.end()) continue;
    Take(cell, outcome->second);
    to_commit_.erase(outcome);
  }
  shared_.seat.Done(cells);
}

}  // namespace assay
