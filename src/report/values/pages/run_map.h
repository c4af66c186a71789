// RunMap: what one walk over all cells tells the pages of a run: a byte for each pair of case and variant,
// errors by their messages, and what of the answers needs a look (docs/formats/view.md, cells.bin).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/report/cell_gatherer.h"
#include "spec/report/pair.h"
#include "spec/score/passing.h"

namespace assay {

// Of cells.bin; scores are 0 to 200. Told to pages: do not renumber.
enum class CellByte : std::uint8_t {
  kError = 251,
  kUnscored = 252,
  kSkipped = 253,
  kPending = 254,
  kNotPlanned = 255,
};
// Of the layer "bits". Told to pages: do not renumber.
enum CellBit : std::uint8_t {
  kPartialBit = 1,
  kFlakyBit = 2,
  kClampedBit = 4,
  kPointErrorBit = 8,
  kFailedBit = 16
};

struct ErrorGroup {
  std::string message;
  std::string error_class;
  std::uint64_t cells = 0;
  struct At {
    CaseIndex case_index = 0;
    VariantIndex variant = 0;
  };
  std::vector<At> first;  // a few of them
};

struct RunMap {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::string scores;  // case by case
  std::string bits;
  std::string spread;  // standard deviation of the attempts in half points; 255: fewer than two
  std::uint64_t done = 0;
  bool has_marks = false;  // of runs so large that records are not read, marks and errors stay empty
  PairMarks marks;
  std::vector<ErrorGroup> errors;  // the most cells first

  std::uint8_t At(CaseIndex row, VariantIndex column) const {
    return static_cast<std::uint8_t>(scores[row * columns + column]);
  }
  // Mean over the variants that have a score, of 1; below 0: none has.
  double RowMean(CaseIndex row) const;
};

// The attempts of one pair, as they come by.
class PairBytes {
 public:
  // `is_open`: the run goes on, or can; what it lacks is pending. The suite outlives it.
  PairBytes(const Suite& suite, const PassRule& pass, bool is_open);
  void Add(const Cell& cell);
  void Mark(std::uint8_t bit) { bits_ |= bit; }
  struct Bytes {
    std::uint8_t score = 0;
    std::uint8_t bits = 0;
    std::uint8_t spread = 0;
  };
  Bytes Take();  // and is empty again

 private:
  const Suite& suite_;
  PassRule pass_;
  bool is_open_;
  double low_ = 0;
  double range_ = 1;  // of scores
  std::vector<double> values_;
  std::uint64_t passed_ = 0;  // of them
  std::uint8_t state_ = 0;  // where there is no score
  std::uint8_t bits_ = 0;
};

class MapGatherer final : public CellGatherer {
 public:
  MapGatherer(const Suite& suite, const PassRule& pass, bool is_open);
  CellParts parts() const override;
  Status Add(const Cell& cell) override;
  void End() override { Close(); }
  RunMap Finish();  // once, after the last cell

 private:
  void Close();
  void AddError(const Cell& cell);
  void AddMarks(const AttemptRecord& record);

  RunMap map_;
  PairBytes pair_;
  bool has_open_ = false;
  CaseIndex case_index_ = 0;
  VariantIndex variant_ = 0;
};

Result<RunMap> RunMapOf(const Report& report, const PassRule& pass, bool is_open);

}  // namespace assay
