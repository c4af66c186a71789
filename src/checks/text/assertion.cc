// The two assertions of research datasets: a substring, and Python's re.search.
#include "checks/text/assertion.h"

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "text/python/pattern.h"
#include "text/python/regex.h"
#include "text/python/repr.h"

namespace assay {

namespace {

constexpr std::size_t kPreviewMax = 200;

std::string Preview(std::string_view answer) {
  std::size_t end = 0;
  for (std::size_t count = 0; count < kPreviewMax && end < answer.size(); ++count)
    end += DecodeUtf8(answer, end).size_bytes;
  return PythonReprText(answer.substr(0, end));
}

}  // namespace

Assertion AssertContains(std::string_view text, std::string_view answer) {
  if (const std::size_t at = answer.find(text); at != std::string_view::npos)
    return {true, "contains assertion passed", {at, at + text.size()}};
  return {false, fmt::format("contains assertion failed: expected substring not found. expected={} "
                             "answer_preview={}",
                             PythonReprText(text), Preview(answer))};
}

Result<Assertion> AssertRegex(std::string_view pattern, std::string_view answer) {
  const auto regex = PythonRegex::Compile(pattern);
  if (!regex) {
    std::string_view words = regex.error().message;
    if (!words.starts_with(kNotAPythonPattern)) return regex.error();
    words.remove_prefix(kNotAPythonPattern.size());
    return Assertion{false, fmt::format("regex assertion failed to compile pattern: {}", words)};
  }
  const Result<std::optional<TextRange>> searched = (*regex)->Find(answer);
  // The answer is what takes so long.
  if (!searched) return Assertion{false, "regex assertion failed: " + searched.error().message};
  const std::optional<TextRange>& found = *searched;
  if (found) return Assertion{true, "regex assertion passed", *found};
  return Assertion{false, fmt::format("regex assertion failed: pattern not matched. pattern={} "
                                      "answer_preview={}",
                                      PythonReprText(pattern), Preview(answer))};
}

}  // namespace assay
