// The step `number`: a number that the text names, as text/numbers reads them: with its sign, power, scale
// word and percent sign, and without its currency sign.
#include <algorithm>

#include "base/text/ascii.h"
#include "text/extract/steps.h"
#include "text/numbers/numbers.h"

namespace assay {

namespace {

constexpr std::pair<std::string_view, std::string_view> kTidied[] = {
    {"\u2212", "-"}, {"\\%", "%"}, {"\\$", ""}, {"{,}", ","}, {"\\,", ","},
    {"$", ""},       {"€", ""},    {"£", ""},   {"¥", ""},    {"₹", ""},
};

// Without what only prints a number: LaTeX's marks, and a currency sign with the blank behind it.
std::string TidyNumber(std::string_view written) {
  const bool is_tidy = std::none_of(written.begin(), written.end(), [](char c) {
    return (c & 0x80) != 0 || c == '\\' || c == '{' || c == '$';
  });
  if (is_tidy) return std::string(written);
  std::string tidy;
  for (std::size_t at = 0; at < written.size();) {
    bool is_mark = false;
    for (const auto& [mark, plain] : kTidied) {
      if (!written.substr(at).starts_with(mark)) continue;
      tidy += plain;
      at += mark.size();
      if (plain.empty() && at < written.size() && written[at] == ' ') ++at;
      is_mark = true;
      break;
    }
    if (!is_mark) tidy += written[at++];
  }
  return tidy;
}

}  // namespace

Result<ExtractArgument> ReadNumberStep(const Value& argument) {
  if (argument.is_bool() && argument.AsBool()) return ExtractArgument{};
  const std::optional<std::size_t> pick = argument.is_string() ? PickOf(argument) : std::nullopt;
  if (!pick) return BadStep("last, first or only", argument);
  return ExtractArgument{.pick = pick};
}

Result<std::vector<FoundPart>> FindNumberParts(std::string_view text, const void*) {
  std::vector<FoundPart> parts;
  for (const FoundNumber& number : FindNumbers(text)) {
    const std::string_view written = text.substr(number.where.from, number.where.to - number.where.from);
    std::string tidy = TidyNumber(written);
    FoundPart& part = parts.emplace_back(FoundPart{.where = number.where});
    if (tidy != written) part.text = std::move(tidy);
  }
  return parts;
}

}  // namespace assay
