// Compares two variants before all cases are asked: what the first units say about the whole suite (kSuite),
// and about other cases of its kind as well (kWorld).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "statistics/estimates/mean.h"
#include "statistics/sequential/units.h"

namespace assay {

// What holds with 95 %: had all cases of the suite been asked, the answer would be the same (kSuite). It
// would also be the same for other cases of the kind that the suite's were drawn from (kWorld).
enum class Promise : std::uint8_t { kSuite, kWorld };

struct PairQuestion {
  Promise promise = Promise::kSuite;
  double margin = 0;                  // added to each difference: is a better than b by more than -margin?
  std::optional<double> within = {};  // differences below it are settled; only without a margin
  std::size_t share = 1;              // how many comparisons share the 5 %
  bool is_gate = false;               // a is a new run, b its base: only a fall matters
};

// kHeld: more than a tenth of the cases is left out. kNone, kRegression: what a gate ends with in place of
// leads, trails and tie. kAll: there was nothing left to ask.
enum class PairState : std::uint8_t {
  kOpen,
  kHeld,
  kLeads,
  kTrails,
  kEqual,
  kTie,
  kNone,
  kRegression,
  kAll,
};
std::string_view PairStateName(PairState state);  // "open", "leads"
bool IsDecided(PairState state);                  // neither open nor held

struct PairLook {
  std::uint64_t n = 0;  // units
  double mean = 0;      // of a - b + margin, over these units
  std::uint64_t left_out = 0;
  PairState state = PairState::kOpen;
};
// `a` and `b` have a case for each of the design's; those of the first n units are read, 0 < n < units.
PairLook LookAtPair(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                    const PairQuestion& question, std::uint64_t n);

// What is shown or kept of a look; a look decides without it.
struct PairBounds {
  Interval suite;                         // of a - b + margin over all units
  Interval world;                         // over cases of this kind
  std::optional<double> square_low = {};  // lower bound of its mean square over all units; for ties
};
// Bounds of a - b, of those of a - b + margin.
inline Interval WithoutMargin(const Interval& bounds, double margin) {
  return {bounds.low - margin, bounds.high - margin};
}
PairBounds BoundsOfPair(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                        const PairQuestion& question, std::uint64_t n);

// From look to look until it is decided or all is asked.
struct PairCourse {
  std::vector<PairLook> looks = {};
  std::uint64_t n = 0;  // where it ended
  PairState state = PairState::kAll;
  std::uint64_t left_out = 0;
};
PairCourse FollowPair(const UnitTable& table, std::span<const CaseValue> a, std::span<const CaseValue> b,
                      const PairQuestion& question, std::span<const std::uint64_t> places);

}  // namespace assay
