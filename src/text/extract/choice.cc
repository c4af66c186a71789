// The step `choice`: the letter that an answer to a question of choices names (text/prose/choice.h).
#include "text/extract/steps.h"
#include "text/prose/choice_rules.h"

namespace assay {

Result<ExtractArgument> ReadChoiceStep(const Value& argument) {
  ASSAY_TRY(ChoiceRules rules, ReadChoiceRules(argument));
  return ExtractArgument{.value = std::make_shared<const ChoiceRules>(std::move(rules))};
}

Result<std::vector<FoundPart>> FindChoicePart(std::string_view text, const void* argument) {
  std::vector<FoundPart> parts;
  if (const std::optional<char> letter = FindChoice(text, *static_cast<const ChoiceRules*>(argument)))
    parts.push_back({.where = {}, .text = std::string(1, *letter)});
  return parts;
}

}  // namespace assay
