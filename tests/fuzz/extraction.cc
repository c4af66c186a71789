// Any text as an answer, and as an extraction in JSON: each part lies within the answer and has words, and what
// stands where it is marked is what was found. Input: JSON, a zero byte, the answer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/extract/extraction.h"
#include "text/json/json.h"

namespace {

void Try(const assay::Value& value, std::string_view answer) {
  const assay::Result<assay::Extraction> extraction = assay::Extraction::Read(value);
  if (!extraction || extraction->IsWhole()) return;
  const assay::Result<std::optional<assay::ExtractedPart>> part = extraction->Find(answer);
  if (!part || !*part) return;
  ASSAY_ASSERT(!(*part)->text.empty());
  ASSAY_ASSERT((*part)->where.from <= (*part)->where.to && (*part)->where.to <= answer.size());
}

}  // namespace

FUZZ_TARGET(extraction)(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view first = input.substr(0, input.find('\0'));
  const std::string_view answer = input.substr(std::min(first.size() + 1, input.size()));
  if (const assay::Result<assay::Value> value = assay::ParseJson(first)) Try(*value, answer);
  for (const std::string_view step :
       {R"({"number":"last"})", R"({"boxed":true})", R"({"tag":"a"})", R"([[{"drop_tag":"a"},{"line":1}]])",
        R"({"code":"py"})", R"({"json":"$.a"})", R"({"after":"A:"})", R"([["(a)|b",{"choice":4}],"c"])"}) {
    Try(*assay::ParseJson(step), answer);
  }
  return 0;
}
