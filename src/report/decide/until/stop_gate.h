// StopGate: a gate that may end a run early, as the run keeps it: what it allows, and what it compares with,
// so that whoever shows the run needs no base.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spec/ids.h"
#include "spec/score/passing.h"
#include "statistics/sample.h"
#include "text/json/record.h"

namespace assay {

struct Suite;

struct StopGate {
  enum class Kind : std::uint8_t {
    kRegression,  // --fail-on-regression, with --until gate
    kFlips,       // --fail-on-flip
    kLeast,       // --fail-under
    kErrors,      // --max-errors, of all variants together
  };
  Kind kind = Kind::kLeast;
  VariantIndex variant = 0;
  double limit = 0;         // the margin in scores, the cases or cells that may fail, or the least mean
  std::string text = {};    // as the user wrote the limit: "0.8", "5%"
  std::string base = {};    // of kRegression and kFlips: "20261122T185012-3fa9", "RUN#VARIANT"
  std::uint32_t gates = 1;  // of kRegression: how many share the 5 %
  PassRule pass = {};       // of kFlips
  // kRegression: the cases that both runs have; kFlips: those of them that passed in the base. Ascending.
  std::vector<CaseIndex> cases = {};
  // kRegression, for each of `cases`: the base's score, NaN without one, and of how many attempts it is.
  std::vector<double> values = {};
  std::vector<std::uint32_t> scored = {};
  std::string digest = {};  // of kRegression and kFlips: DigestOfBase
};

// The same text for the same gates.
std::string EncodeStopGates(std::span<const StopGate> gates);

// Of all scores of the variant that a gate compares with, by case: equal ones have the same.
std::string DigestOfBase(const Suite& base, std::span<const CaseValue> scores);

// Whether a run of this suite can have it: somebody else may have made the store.
bool CanBeOf(const Suite& suite, const StopGate& gate);

namespace record {

// Whole numbers, in a list.
template <class T>
struct Wholes {
  T& value;
  double most;
  bool IsUsual() const { return value.empty(); }
  void Append(std::string& out) const {
    out += '[';
    for (const auto& number : value) {
      if (&number != value.data()) out += ',';
      AppendReal(static_cast<double>(number), out);
    }
    out += ']';
  }
  bool Read(const Value& read) const {
    if (!read.is_list()) return false;
    for (const Value& number : read.AsList()) {
      if (!Whole{value.emplace_back(), most}.Read(number)) return false;
    }
    return true;
  }
};

template <>
struct PlacesOf<StopGate> {
  template <class Gate, class Visitor>
  static void Visit(Gate& gate, Visitor&& visit) {
    constexpr double kAny = std::numeric_limits<double>::max();
    constexpr double kIndexMax = 4'294'967'295;
    visit.Needed(Whole{gate.kind, 3}, Whole{gate.variant, kIndexMax},
                 Real{gate.limit, Range{.low = 0, .high = kAny}}, Text{gate.text});
    visit(Text{gate.base});
    visit(Whole{gate.gates, kIndexMax});
    visit(Real{gate.pass.mark}, Flag{gate.pass.is_said}, Real{gate.pass.share});
    visit(Wholes{gate.cases, kIndexMax});
    visit(Reals{gate.values, Range{.low = -kAny, .high = kAny, .takes_nan = true}});
    visit(Wholes{gate.scored, kIndexMax});
    visit(Text{gate.digest});
  }
};

}  // namespace record

}  // namespace assay
