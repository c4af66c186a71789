// Any pattern on any text: compile and search. Input: one byte of flags, the pattern, a zero byte, the text.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/javascript/regex.h"

FUZZ_TARGET(regex)(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const auto flags = static_cast<assay::JsRegexFlags>(data[0] & 3u);
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view pattern = rest.substr(0, rest.find('\0'));
  const std::string_view text = rest.substr(std::min(pattern.size() + 1, rest.size()));
  const auto regex = assay::JsRegex::Compile(pattern, flags);
  if (!regex) {
    ASSAY_ASSERT(!regex.error().message.empty());
    return 0;
  }
  assay::RegexSubject subject(text);
  const auto first = (*regex)->Search(subject);
  const auto again = (*regex)->Search(subject);
  ASSAY_ASSERT(!first || !again || *first == *again);
  return 0;
}
