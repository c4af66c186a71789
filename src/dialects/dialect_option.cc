// Checks and stores the value of a dialect's own option.
#include "dialects/dialect_option.h"

#include "base/text/option_text.h"

namespace assay {

Status SetOwn(const DialectOption& option, std::string_view text, OwnOptions& own) {
  std::string kept(text);
  if (option.value.empty()) {
    ASSAY_TRY(const bool is_on, ParseSwitch(text));
    if (!is_on) return Ok();
  } else if (option.read != nullptr) {
    ASSAY_TRY(kept, option.read(text));
  }
  std::vector<std::string>& texts = own.values[std::string(option.name)];
  if (!option.repeatable) texts.clear();
  texts.push_back(std::move(kept));
  if (text.empty() && !option.repeatable) own.values.erase(std::string(option.name));
  return Ok();
}

}  // namespace assay
