// Places by SHA-256, strata that join while one is too small, and the queue that takes from each in turn.
#include "statistics/agreement/draw.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace assay {

namespace {

constexpr double kBandLow = 0.25;
constexpr double kBandHigh = 0.75;
constexpr double kApart = 0.25;
constexpr double kOnTheLimit = 1e-9;
constexpr std::uint64_t kStratumMin = 8;
constexpr std::uint64_t kRoomMin = 4;
constexpr std::uint64_t kPlacesMin = 2;

constexpr std::string_view kUnitNames[] = {"criterion", "answer", "pair"};
constexpr std::string_view kCellNames[kDrawCells] = {"low together", "low apart",     "middle together",
                                                     "middle apart", "high together", "high apart"};

bool Reaches(double value, double limit) { return value >= limit - kOnTheLimit; }

std::uint8_t CellOf(const DrawUnit& unit) {
  const int band = Reaches(unit.judges, kBandHigh) ? 2 : Reaches(unit.judges, kBandLow) ? 1 : 0;
  return static_cast<std::uint8_t>(2 * band + (Reaches(unit.range, kApart) ? 1 : 0));
}

// Strata by the cell whose place they keep; those without units are none.
using Grid = std::array<DrawStratum, kDrawCells>;

// Which stratum one that is too small joins: the other kind of its band, else the nearest band below, else
// above; there its own kind comes first.
std::optional<std::uint8_t> NeighbourOf(const Grid& grid, std::uint8_t cell) {
  const auto there = [&grid](int at) { return !grid[static_cast<std::size_t>(at)].order.empty(); };
  const int kind = cell % 2;
  if (there(cell ^ 1)) return static_cast<std::uint8_t>(cell ^ 1);
  for (const int step : {-2, 2}) {
    for (int band = cell - kind + step; band >= 0 && band < kDrawCells; band += step) {
      for (const int at : {band + kind, band + 1 - kind})
        if (there(at)) return static_cast<std::uint8_t>(at);
    }
  }
  return std::nullopt;
}

void JoinSmall(Grid& grid) {
  while (true) {
    std::optional<std::uint8_t> smallest;
    for (std::uint8_t cell = 0; cell < kDrawCells; ++cell) {
      const std::size_t size = grid[cell].order.size();
      if (size > 0 && (!smallest || size < grid[*smallest].order.size())) smallest = cell;
    }
    if (!smallest || grid[*smallest].order.size() >= kStratumMin) return;
    const std::optional<std::uint8_t> to = NeighbourOf(grid, *smallest);
    if (!to) return;
    DrawStratum& from = grid[*smallest];
    DrawStratum& into = grid[*to];
    into.cells.insert(into.cells.end(), from.cells.begin(), from.cells.end());
    into.order.insert(into.order.end(), from.order.begin(), from.order.end());
    from = {};
  }
}

// The share of the stratum in n, half of it by size and half the same for all, rounded half up.
std::uint64_t RoomOf(std::uint64_t size, std::uint64_t units, std::uint64_t strata, std::uint64_t n) {
  const std::uint64_t wanted = std::min(n, 2 * units);  // from here on the room is the whole stratum
  const std::uint64_t share = (wanted * (size * strata + units) + units * strata) / (2 * units * strata);
  return std::min(size, std::max(kRoomMin, share));
}

std::vector<std::uint32_t> QueueOf(const std::vector<DrawStratum>& strata, std::size_t length) {
  std::vector<std::uint32_t> queue;
  std::vector<std::size_t> taken(strata.size(), 0);
  for (const bool has_rooms : {true, false}) {
    for (bool is_any = true; is_any && queue.size() < length;) {
      is_any = false;
      for (std::size_t h = 0; h < strata.size() && queue.size() < length; ++h) {
        const std::size_t most = has_rooms ? strata[h].room : strata[h].order.size();
        if (taken[h] >= most) continue;
        queue.push_back(strata[h].order[taken[h]++]);
        is_any = true;
      }
    }
  }
  return queue;
}

}  // namespace

std::string_view LabelUnitName(LabelUnit unit) { return kUnitNames[static_cast<std::size_t>(unit)]; }

std::optional<LabelUnit> LabelUnitOf(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kUnitNames); ++i)
    if (kUnitNames[i] == name) return static_cast<LabelUnit>(i);
  return std::nullopt;
}

std::string_view DrawCellName(std::uint8_t cell) { return kCellNames[cell]; }

std::string PairDigests(std::string_view one, std::string_view other) {
  return std::string(std::min(one, other)) + "+" + std::string(std::max(one, other));
}

DrawPlace PlaceOfUnit(LabelUnit unit, std::uint64_t seed, const UnitDigests& digests) {
  DrawPlace place;
  place.text = "assay/labels/1/";
  place.text += LabelUnitName(unit);
  for (const std::string& part : {std::to_string(seed), digests.criterion, digests.question, digests.answer})
    place.text += "/" + part;
  const Digest digest = Sha256Of(place.text);
  for (std::size_t i = 0; i < 8; ++i) place.number = place.number << 8 | digest[i];
  return place;
}

std::string LeftOfPair(std::uint64_t seed, std::string_view question, std::string_view one,
                       std::string_view other, std::string_view who) {
  std::string text = "assay/labels/1/side/" + std::to_string(seed) + "/" + std::string(question) + "/" +
                     PairDigests(one, other) + "/" + std::string(who);
  const bool is_smaller = (Sha256Of(text)[0] & 1) == 0;
  return std::string(is_smaller ? std::min(one, other) : std::max(one, other));
}

void UnitVotes::Add(std::string_view judge, double vote) {
  Sum& sum = votes_.try_emplace(std::string(judge)).first->second;
  sum.sum += vote;
  sum.count += 1;
}

std::map<std::string, double> UnitVotes::Values() const {
  std::map<std::string, double> values;
  for (const auto& [judge, sum] : votes_) values.emplace(judge, sum.sum / sum.count);
  return values;
}

double UnitVotes::Mean() const {
  double sum = 0;
  for (const auto& [judge, votes] : votes_) sum += votes.sum / votes.count;
  return sum / static_cast<double>(votes_.size());
}

double UnitVotes::Range() const {
  if (votes_.empty()) return 0;
  double low = votes_.begin()->second.sum / votes_.begin()->second.count;
  double high = low;
  for (const auto& [judge, votes] : votes_) {
    low = std::min(low, votes.sum / votes.count);
    high = std::max(high, votes.sum / votes.count);
  }
  return high - low;
}

Draw DrawUnits(std::span<const DrawUnit> units, std::uint64_t n) {
  Grid grid;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    DrawStratum& stratum = grid[CellOf(units[i])];
    stratum.cells = {CellOf(units[i])};
    stratum.order.push_back(i);
  }
  JoinSmall(grid);
  Draw draw;
  for (DrawStratum& stratum : grid) {
    if (stratum.order.empty()) continue;
    std::sort(stratum.cells.begin(), stratum.cells.end());
    std::sort(stratum.order.begin(), stratum.order.end(), [&units](std::uint32_t a, std::uint32_t b) {
      return units[a].place != units[b].place ? units[a].place < units[b].place : a < b;
    });
    draw.strata.push_back(std::move(stratum));
  }
  const std::uint64_t strata = draw.strata.size();
  for (DrawStratum& stratum : draw.strata)
    stratum.room = RoomOf(stratum.order.size(), units.size(), strata, n);
  const std::uint64_t length = std::min<std::uint64_t>(std::max(n, kPlacesMin * strata), units.size());
  draw.queue = QueueOf(draw.strata, length);
  return draw;
}

}  // namespace assay
