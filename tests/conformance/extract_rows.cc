// Golden rows of extraction: the part of an answer that functions grade.
#include "tests/conformance/conformance.h"
#include "text/extract/extraction.h"

namespace assay::conformance {
namespace {

void RunExtraction(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Result<Extraction> extraction = Extraction::Read(Get(in, "extract"));
  if (!extraction) return outcome.Fail("not read: " + extraction.error().message);
  const Result<std::optional<ExtractedPart>> part = extraction->Find(GetText(in, "answer"));
  if (!part) return outcome.Fail("not found: " + part.error().message);
  outcome.Same("part", Get(row, "out"), *part ? Value((*part)->text) : Value(Null{}));
}

}  // namespace

std::span<const KindRow> ExtractKinds() {
  static constexpr KindRow kExtractKinds[] = {
      {"datasets/extract.jsonl", "extract", RunExtraction},
  };
  return kExtractKinds;
}

}  // namespace assay::conformance
