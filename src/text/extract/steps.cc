// The table of steps, and what several of them share.
#include "text/extract/steps.h"

#include <fmt/core.h>
#include <unicode/uchar.h>

#include <cmath>

#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

constexpr std::size_t kMarkBytesMax = 1'000;
constexpr double kPickMax = 1'000'000;

// clang-format off
constexpr ExtractRow kExtractRows[] = {
    {.name = "regex", .help = "the first group of a JavaScript pattern, or its match",
     .example = "{regex: 'Answer: (.+)', pick: last}", .read = ReadPattern, .find = FindPattern},
    {.name = "number", .help = "a number with its sign, power, scale word and percent sign",
     .example = "{number: last}", .read = ReadNumberStep, .find = FindNumberParts},
    {.name = "boxed", .help = "what stands in \\boxed{…} or \\fbox{…}", .example = "{boxed: true}",
     .read = ReadTrue, .find = FindBoxes},
    {.name = "tag", .help = "what stands between <NAME> and </NAME>", .example = "{tag: answer}",
     .read = ReadTagName, .find = FindTags},
    {.name = "drop_tag", .help = "the text without what stands between <NAME> and </NAME>",
     .example = "{drop_tag: think}", .takes_pick = false, .read = ReadTagName, .find = FindWithoutTags},
    {.name = "code", .help = "a fenced block, of one language or of any", .example = "{code: python}",
     .pick = 1, .read = ReadCodeStep, .find = FindCode},
    {.name = "json", .help = "a value of the JSON in the answer", .example = "{json: $.answer}",
     .takes_pick = false, .read = ReadJsonStep, .find = FindJsonPart},
    {.name = "choice", .help = "the letter of a choice", .example = "{choice: 4}", .takes_pick = false,
     .read = ReadChoiceStep, .find = FindChoicePart},
    {.name = "after", .help = "the rest of the line behind a text, or else the next line",
     .example = "{after: 'Answer:'}", .read = ReadMark, .find = FindBehindMark},
    {.name = "line", .help = "a line that is not blank", .example = "{line: last}", .takes_pick = false,
     .read = ReadLineStep, .find = FindLines},
};
// clang-format on

char32_t Folded(char32_t code) {
  if (code < 0x80) return code >= U'A' && code <= U'Z' ? code + 32 : code;
  return static_cast<char32_t>(u_foldCase(static_cast<UChar32>(code), U_FOLD_CASE_DEFAULT));
}

// Whether `mark` stands at a place of the text; the place behind it.
std::optional<std::size_t> BehindAnyCase(std::string_view mark, std::string_view text, std::size_t at) {
  for (std::size_t i = 0; i < mark.size();) {
    if (at >= text.size()) return std::nullopt;
    const DecodedCodePoint wanted = DecodeUtf8(mark, i);
    const DecodedCodePoint found = DecodeUtf8(text, at);
    if (Folded(wanted.code_point) != Folded(found.code_point)) return std::nullopt;
    i += wanted.size_bytes;
    at += found.size_bytes;
  }
  return at;
}

}  // namespace

std::span<const ExtractRow> ExtractTable() { return kExtractRows; }

std::optional<std::size_t> PickOf(const Value& value) {
  if (value.is_string()) {
    if (value.AsString() == "first") return 1;
    if (value.AsString() == "last") return kPickLast;
    if (value.AsString() == "only") return kPickOnly;
  }
  if (!value.is_number()) return std::nullopt;
  const double number = value.AsNumber();
  if (!(number >= 1 && number <= kPickMax) || std::floor(number) != number) return std::nullopt;
  return static_cast<std::size_t>(number);
}

Error BadStep(std::string_view expected, const Value& found) {
  const std::string words = found.is_string() ? Quoted(found.AsString()) : std::string(KindName(found));
  return {ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, words), found.span};
}

Result<ExtractArgument> ReadTrue(const Value& argument) {
  if (argument.is_bool() && argument.AsBool()) return ExtractArgument{};
  return BadStep("true", argument);
}

Result<ExtractArgument> ReadMark(const Value& argument) {
  const bool is_text =
      argument.is_string() && argument.AsString().find_first_not_of(" \t\r\n") != std::string::npos;
  if (!is_text || argument.AsString().size() > kMarkBytesMax)
    return BadStep(fmt::format("a text of up to {} bytes", kMarkBytesMax), argument);
  return ExtractArgument{.value = std::make_shared<const std::string>(argument.AsString())};
}

TextRange FindAnyCase(std::string_view mark, std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    // Not within a character.
    if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
    if (const std::optional<std::size_t> end = BehindAnyCase(mark, text, at)) return {at, *end};
  }
  return {};
}

}  // namespace assay
