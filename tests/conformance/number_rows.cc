// Golden rows of numbers in texts.
#include "tests/conformance/conformance.h"
#include "text/numbers/numbers.h"

namespace assay::conformance {
namespace {

void RunNumbers(const Value& row, Outcome& outcome) {
  List got;
  for (const FoundNumber& number : FindNumbers(GetText(Get(row, "in"), "text")))
    got.emplace_back(List{Value(number.value), Value(number.is_percent)});
  outcome.Same("numbers", Get(row, "out"), Value(std::move(got)));
}

}  // namespace

std::span<const KindRow> NumberKinds() {
  static constexpr KindRow kNumberKinds[] = {
      {"datasets/numbers.jsonl", "numbers", RunNumbers},
  };
  return kNumberKinds;
}

}  // namespace assay::conformance
