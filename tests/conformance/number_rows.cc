// Golden rows of numbers in texts: which there are, and which of them is held against a wanted one.
#include "tests/conformance/conformance.h"
#include "text/numbers/wanted_number.h"

namespace assay::conformance {
namespace {

void RunNumbers(const Value& row, Outcome& outcome) {
  List got;
  for (const FoundNumber& number : FindNumbers(GetText(Get(row, "in"), "text")))
    got.emplace_back(List{Value(number.value), Value(number.is_percent)});
  outcome.Same("numbers", Get(row, "out"), Value(std::move(got)));
}

void RunNumeric(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Result<WantedNumber> wanted = ReadWantedNumber(Get(in, "arg"));
  Map got;
  if (!wanted) {
    got.Append("error", "check.argument");
  } else {
    const std::optional<FoundNumber> found = PickNumber(GetText(in, "answer"), *wanted);
    got.Append("score", found && wanted->Matches(found->value) ? 1 : 0);
    got.Append("found", found ? Value(found->value) : Value(Null{}));
  }
  outcome.Same("numeric", Get(row, "out"), Value(std::move(got)));
}

}  // namespace

std::span<const KindRow> NumberKinds() {
  static constexpr KindRow kNumberKinds[] = {
      {"datasets/numbers.jsonl", "numbers", RunNumbers},
      {"datasets/numeric.jsonl", "numeric", RunNumeric},
  };
  return kNumberKinds;
}

}  // namespace assay::conformance
