// Asks the dialect where the spec says nothing.
#include "engine/write/pass_rule.h"

#include "dialects/dialect.h"

namespace assay {

PassRule PassRuleOf(const RunSpec& spec, std::string_view dialect) {
  return {.mark = PassAtOf(spec.pass_at, dialect),
          .is_said = spec.pass_at.has_value(),
          .is_setting = spec.pass_at_is_setting,
          .share = spec.pass_attempts.value_or(PassRule().share)};
}

}  // namespace assay
