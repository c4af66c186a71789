// The ten classes of weval 51dc4d3 (spec: blueprint 12.5); the meanings are our own words.
#include "checks/judge/reading/scale.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr JudgeClass kScale[] = {
    {"CLASS_UTTERLY_UNMET", 0, "the text does the opposite or contradicts the criterion"},
    {"CLASS_UNMET", 0.001, "nothing in the text meets the criterion"},
    {"CLASS_TRACE", 0.125, "a faint hint of it, no more"},
    {"CLASS_SLIGHT", 0.25, "a small part of it"},
    {"CLASS_PARTIAL", 0.375, "clearly some of it, but less than half"},
    {"CLASS_MODERATE", 0.5, "about half of it"},
    {"CLASS_SUBSTANTIAL", 0.625, "rather more than half of it"},
    {"CLASS_MAJOR", 0.75, "most of it, with a gap that matters"},
    {"CLASS_VERY_NEARLY", 0.875, "all but a detail of it"},
    {"CLASS_EXACT", 1, "all of it"},
};

}  // namespace

std::span<const JudgeClass> JudgeScale() { return kScale; }

const JudgeClass* FindJudgeClass(std::string_view text) {
  std::string name = JsToUpper(JsTrim(text));
  if (!name.starts_with(kClassPrefix)) name.insert(0, kClassPrefix);
  const auto* found = std::find_if(std::begin(kScale), std::end(kScale),
                                   [&name](const JudgeClass& c) { return c.name == name; });
  return found == std::end(kScale) ? nullptr : found;
}

}  // namespace assay
