// Attempts folded into pairs as they stream by.
#include "spec/pair.h"

#include <algorithm>
#include <utility>

#include "spec/statistics.h"

namespace assay {
namespace {

class PairFolder {
 public:
  PairFolder(const Suite& suite, const PairVisitor& visit) : suite_(suite), visit_(visit) {}

  Status Add(const Cell& cell) {
    if (cell.state == CellState::kSkipped) return Ok();
    if (open_ && (pair_.case_index != cell.case_index || pair_.variant != cell.variant))
      ASSAY_CHECK_OK(Finish());
    if (!open_) Start(cell);
    if (!pair_.answered() && cell.record.transcript.error.empty()) Show(cell);
    if (cell.state == CellState::kScored) {
      pair_.values.push_back(cell.score);
      pair_.state = CellState::kScored;
    }
    for (std::size_t i = 0; i < std::min(sums_.size(), cell.record.scores.size()); ++i) {
      const Score& score = cell.record.scores[i];
      if (score.state != ScoreState::kScored) continue;
      sums_[i].sum += score.value;
      ++sums_[i].count;
    }
    return Ok();
  }

  Status Finish() {
    if (!open_) return Ok();
    open_ = false;
    for (const PointSum& sum : sums_) {
      pair_.points.push_back(sum.count > 0 ? std::optional<double>(sum.sum / sum.count) : std::nullopt);
    }
    return visit_(pair_);
  }

 private:
  struct PointSum {
    double sum = 0;
    double count = 0;
  };

  void Start(const Cell& cell) {
    open_ = true;
    pair_ = Pair{};
    pair_.case_index = cell.case_index;
    pair_.variant = cell.variant;
    sums_.assign(suite_.cases[cell.case_index].checks.size(), PointSum{});
    Show(cell);
  }

  void Show(const Cell& cell) {
    pair_.shown = cell.record;
    if (pair_.state != CellState::kScored) pair_.state = cell.state;
  }

  const Suite& suite_;
  const PairVisitor& visit_;
  Pair pair_;
  std::vector<PointSum> sums_;
  bool open_ = false;
};

}  // namespace

std::optional<double> Pair::mean() const {
  return values.empty() ? std::nullopt : std::optional<double>(Mean(values));
}

Status ForEachPairOf(const Report& report, CaseIndex case_index, CellParts parts, const PairVisitor& visit) {
  PairFolder folder(*report.suite, visit);
  ASSAY_CHECK_OK(
      report.for_each_cell_of(case_index, parts, [&](const Cell& cell) { return folder.Add(cell); }));
  return folder.Finish();
}

Status ForEachPair(const Report& report, CellParts parts, const PairVisitor& visit) {
  PairFolder folder(*report.suite, visit);
  ASSAY_CHECK_OK(report.for_each_cell(parts, [&](const Cell& cell) { return folder.Add(cell); }));
  return folder.Finish();
}

}  // namespace assay
