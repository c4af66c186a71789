// Any bytes as a model's summary of a run: always the four lists, grades on the scale of ten; and as the id
// of a variant: always a name.
#include "dialects/blueprint/summary/reply.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"

namespace assay::blueprint {
namespace {

void CheckSummary(std::string_view text) {
  const OpaqueNames names({"openai:gpt-4o[temp:0]", "lab:tiny[temp:0.5][sp_idx:1]"});
  const Value summary = ParseSummary(text, names);
  for (const char* key : {"keyFindings", "strengths", "weaknesses", "patterns"}) {
    ASSAY_ASSERT(summary.Find(key) != nullptr && summary.Find(key)->is_list());
  }
  const Value* grades = summary.Find("grades");
  if (grades == nullptr) return;
  for (const Value& model : grades->AsList()) {
    ASSAY_ASSERT(model.Find("grades")->AsMap().size() == GradeDimensions().size());
  }
}

}  // namespace
}  // namespace assay::blueprint

FUZZ_TARGET(summary_reply)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::blueprint::CheckSummary(text);
  const assay::blueprint::ModelName name = assay::blueprint::ParseModelName(text);
  assay::blueprint::ShortModelName(name.base, assay::blueprint::NameStyle::kTitle);
  return 0;
}
