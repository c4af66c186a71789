// The names of roles.
#include "spec/suite/suite.h"

#include "base/errors/assert.h"

namespace assay {

const CaseAsking* AskingOf(const Case& the_case, const Variant& variant) {
  const bool says_none = variant.asking.empty() && !variant.profile;
  if (says_none) return nullptr;
  const std::string& name = variant.asking.empty() ? variant.profile->source_provider : variant.asking;
  const auto found = std::find_if(the_case.askings->begin(), the_case.askings->end(),
                                  [&name](const CaseAsking& asking) { return asking.name == name; });
  return found == the_case.askings->end() ? nullptr : &*found;
}

std::string AskedText(const Case& the_case, const Variant& variant) {
  const CaseAsking* asking = AskingOf(the_case, variant);
  ASSAY_ASSERT(asking != nullptr);
  if (!variant.profile) return asking->text;
  return WithAffixes(variant.profile->query_prefix, asking->text, variant.profile->query_suffix);
}

std::vector<const Judge*> JudgesOf(const Suite& suite) {
  std::vector<const Judge*> judges;
  for (const Judge& judge : suite.judges) judges.push_back(&judge);
  if (suite.backup_judge) judges.push_back(&*suite.backup_judge);
  for (const std::vector<Judge>* more : {&suite.extractors, &suite.named_judges}) {
    for (const Judge& judge : *more) judges.push_back(&judge);
  }
  return judges;
}

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kSystem:
      return "system";
    case Role::kUser:
      return "user";
    case Role::kAssistant:
      return "assistant";
    case Role::kTool:
      return "tool";
  }
  return "user";
}

}  // namespace assay
