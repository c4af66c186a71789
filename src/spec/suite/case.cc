// Which of its askings a case uses with a variant.
#include "spec/suite/case.h"

#include <algorithm>

#include "base/errors/assert.h"
#include "spec/suite/variant.h"

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

}  // namespace assay
