// Folds the attempts of each pair into its bytes.
#include "report/values/pages/run_map.h"

#include <algorithm>
#include <cmath>

#include "spec/report/cell_grid.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr CellIndex kReadCellsMax = 20'000;  // of larger runs only outcomes are read
constexpr std::size_t kErrorGroupsMax = 200;
constexpr std::size_t kFirstMax = 20;
constexpr double kMostHalfPoints = 200;

std::uint8_t HalfPoints(double share) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * kMostHalfPoints));
}

// What a pair is of whose attempts are none scored, by the worst of them.
std::uint8_t StateByte(CellState state, bool is_open) {
  switch (state) {
    case CellState::kError:
      return static_cast<std::uint8_t>(CellByte::kError);
    case CellState::kSkipped:
      return static_cast<std::uint8_t>(is_open ? CellByte::kPending : CellByte::kSkipped);
    default:
      return static_cast<std::uint8_t>(CellByte::kUnscored);
  }
}

// An error says more than nothing, and nothing more than what never came.
int ByteRank(std::uint8_t byte) {
  switch (static_cast<CellByte>(byte)) {
    case CellByte::kError:
      return 3;
    case CellByte::kUnscored:
      return 2;
    default:
      return byte == 0 ? 0 : 1;
  }
}

}  // namespace

double RunMap::RowMean(CaseIndex row) const {
  double sum = 0;
  double scored = 0;
  for (VariantIndex v = 0; v < columns; ++v) {
    if (At(row, v) > kMostHalfPoints) continue;
    sum += At(row, v);
    ++scored;
  }
  return scored == 0 ? -1 : sum / scored / kMostHalfPoints;
}

PairBytes::PairBytes(const Suite& suite, const PassRule& pass, bool is_open)
    : suite_(suite), pass_(pass), is_open_(is_open) {
  if (suite.score_bounds.are_known && suite.score_bounds.high > suite.score_bounds.low) {
    low_ = suite.score_bounds.low;
    range_ = suite.score_bounds.high - suite.score_bounds.low;
  }
}

void PairBytes::Add(const Cell& cell) {
  if (cell.state == CellState::kScored && std::isfinite(cell.score)) {
    values_.push_back(cell.score);
    passed_ += pass_.Passes(suite_.cases[cell.case_index], cell.score) ? 1 : 0;
    return;
  }
  if (cell.state == CellState::kPartial) bits_ |= kPartialBit;
  const std::uint8_t byte = StateByte(cell.state, is_open_);
  if (ByteRank(byte) > ByteRank(state_)) state_ = byte;
}

PairBytes::Bytes PairBytes::Take() {
  Bytes bytes{.score = state_, .bits = bits_, .spread = 0xFF};
  if (!values_.empty()) {
    double sum = 0;
    for (const double value : values_) sum += value;
    const auto count = static_cast<double>(values_.size());
    const double mean = sum / count;
    const double share = (mean - low_) / range_;
    bytes.score = HalfPoints(share);
    if (share < 0 || share > 1) bytes.bits |= kClampedBit;
    if (passed_ > 0 && passed_ < values_.size()) bytes.bits |= kFlakyBit;
    if (!pass_.CasePasses(passed_, values_.size())) bytes.bits |= kFailedBit;
    if (values_.size() > 1) {
      double squares = 0;
      for (const double value : values_) squares += (value - mean) * (value - mean);
      bytes.spread = HalfPoints(std::sqrt(squares / (count - 1)) / range_);
    }
  }
  values_.clear();
  passed_ = 0;
  state_ = 0;
  bits_ = 0;
  return bytes;
}

MapGatherer::MapGatherer(const Suite& suite, const PassRule& pass, bool is_open)
    : pair_(suite, pass, is_open) {
  map_.rows = suite.cases.size();
  map_.columns = suite.variants.size();
  map_.scores.assign(map_.rows * map_.columns, static_cast<char>(CellByte::kNotPlanned));
  map_.bits.assign(map_.scores.size(), '\0');
  map_.spread.assign(map_.scores.size(), static_cast<char>(0xFF));
  const std::optional<CellGrid> grid = CellGrid::Of(suite);
  map_.has_marks = grid && grid->count() <= kReadCellsMax;
}

CellParts MapGatherer::parts() const { return map_.has_marks ? CellParts::kScores : CellParts::kOutcome; }

void MapGatherer::AddMarks(const AttemptRecord& record) {
  if (!record.transcript.error.empty()) return;
  for (const Score& score : record.scores) {
    if (score.state == ScoreState::kError) {
      ++map_.marks.point_errors;
      pair_.Mark(kPointErrorBit);
    }
    map_.marks.lost_votes += score.state == ScoreState::kScored && !score.error.empty() ? 1 : 0;
  }
  map_.marks.no_answer += std::any_of(record.scores.begin(), record.scores.end(),
                                      [](const Score& score) { return score.found_nothing; })
                              ? 1
                              : 0;
  map_.marks.cut += record.transcript.is_cut ? 1 : 0;
  map_.marks.stood_in += record.transcript.answered_by.empty() ? 0 : 1;
}

void MapGatherer::AddError(const Cell& cell) {
  const Transcript& transcript = cell.record.transcript;
  const std::string& message = transcript.error.empty() ? cell.record.grading_error : transcript.error;
  auto found = std::find_if(map_.errors.begin(), map_.errors.end(),
                            [&](const ErrorGroup& group) { return group.message == message; });
  if (found == map_.errors.end()) {
    if (map_.errors.size() == kErrorGroupsMax) return;
    map_.errors.push_back(
        {.message = message, .error_class = transcript.error_class, .cells = 0, .first = {}});
    found = std::prev(map_.errors.end());
  }
  ++found->cells;
  if (found->first.size() < kFirstMax) found->first.push_back({cell.case_index, cell.variant});
}

Status MapGatherer::Add(const Cell& cell) {
  if (!has_open_ || cell.case_index != case_index_ || cell.variant != variant_) {
    Close();
    has_open_ = true;
    case_index_ = cell.case_index;
    variant_ = cell.variant;
  }
  pair_.Add(cell);
  if (cell.state == CellState::kSkipped) return Ok();
  ++map_.done;
  if (map_.has_marks) {
    AddMarks(cell.record);
    if (cell.state == CellState::kError) AddError(cell);
  }
  return Ok();
}

void MapGatherer::Close() {
  if (!has_open_) return;
  has_open_ = false;
  const std::size_t at = case_index_ * map_.columns + variant_;
  const PairBytes::Bytes bytes = pair_.Take();
  map_.scores[at] = static_cast<char>(bytes.score);
  map_.bits[at] = static_cast<char>(bytes.bits);
  map_.spread[at] = static_cast<char>(bytes.spread);
}

RunMap MapGatherer::Finish() {
  Close();
  std::stable_sort(map_.errors.begin(), map_.errors.end(),
                   [](const ErrorGroup& a, const ErrorGroup& b) { return a.cells > b.cells; });
  return std::move(map_);
}

Result<RunMap> RunMapOf(const Report& report, const PassRule& pass, bool is_open) {
  MapGatherer map(*report.suite, pass, is_open);
  CellGatherer* const gatherers[] = {&map};
  ASSAY_CHECK_OK(GatherCells(report, gatherers));
  return map.Finish();
}

}  // namespace assay
