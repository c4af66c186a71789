// Draws what people label: units ordered by a hash of their content, in strata by the judges' score and
// disagreement. Anybody can draw again and sees which labels were drawn.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// What one label is of: a criterion on an answer, a whole answer, or two answers to one question.
enum class LabelUnit { kCriterion, kAnswer, kPair };
std::string_view LabelUnitName(LabelUnit unit);  // "criterion", "answer", "pair"
std::optional<LabelUnit> LabelUnitOf(std::string_view name);

// SHA-256 of the content of a unit, as 64 hex digits.
struct UnitDigests {
  std::string criterion;  // kCriterion; else ""
  std::string question;
  std::string answer;  // of a pair: PairDigests
};
// The two digests as a pair names them: the smaller first, with `+` between.
std::string PairDigests(std::string_view one, std::string_view other);

// What a unit is drawn by: a permanent random number, the same in every run and on every machine.
struct DrawPlace {
  std::uint64_t number = 0;  // the first 8 bytes of SHA-256 of `text`, big-endian
  std::string text;          // decides between equal numbers
  friend auto operator<=>(const DrawPlace&, const DrawPlace&) = default;
};
DrawPlace PlaceOfUnit(LabelUnit unit, std::uint64_t seed, const UnitDigests& digests);
// Which answer of a pair stands on the left: the same for one person each time.
std::string LeftOfPair(std::uint64_t seed, std::string_view question, std::string_view one,
                       std::string_view other, std::string_view who);

// The votes on all copies of a unit. A judge's value is the mean of its votes.
class UnitVotes {
 public:
  void Add(std::string_view judge, double vote);
  bool empty() const { return votes_.empty(); }
  double Mean() const;   // of the judges' values; not of an empty one
  double Range() const;  // the largest of them less the smallest
  std::map<std::string, double> Values() const;

 private:
  struct Sum {
    double sum = 0;
    double count = 0;
  };
  std::map<std::string, Sum, std::less<>> votes_;
};

struct DrawUnit {
  DrawPlace place;
  double judges = 0;  // UnitVotes::Mean
  double range = 0;   // UnitVotes::Range
};

// A cell of the grid that strata are made of: low together, low apart, middle together … high apart.
inline constexpr std::uint8_t kDrawCells = 6;
std::string_view DrawCellName(std::uint8_t cell);

struct DrawStratum {
  std::vector<std::uint8_t> cells = {};
  std::uint64_t room = 0;                 // how many of it a draw of n asks for
  std::vector<std::uint32_t> order = {};  // all its units, as they are asked for
};
struct Draw {
  std::vector<DrawStratum> strata;
  std::vector<std::uint32_t> queue;  // which units to label, in this order
};
// `n`: how many labels are wanted; a queue has at least two of each stratum.
Draw DrawUnits(std::span<const DrawUnit> units, std::uint64_t n);

}  // namespace assay
