// The step `regex`: matches of a JavaScript pattern. A match gives its first group that took part and is not
// empty, and without groups itself.
#include "text/javascript/regex.h"
#include "text/extract/steps.h"

namespace assay {

namespace {

struct ExtractPattern {
  std::shared_ptr<const JsRegex> regex;
};

}  // namespace

Result<ExtractArgument> ReadPattern(const Value& argument) {
  if (!argument.is_string() || argument.AsString().empty()) return BadStep("a pattern in quotes", argument);
  Result<std::shared_ptr<const JsRegex>> regex =
      JsRegex::Compile(argument.AsString(), JsRegexFlags::kNone, InlineModifiers::kUnderstood);
  if (!regex) {
    Error error = std::move(regex).error();
    error.where = argument.span;
    return error;
  }
  return ExtractArgument{.value = std::make_shared<const ExtractPattern>(ExtractPattern{*std::move(regex)})};
}

Result<std::vector<FoundPart>> FindPattern(std::string_view text, const void* argument) {
  RegexSubject subject(text);
  ASSAY_TRY(const std::vector<TextRange> ranges,
            static_cast<const ExtractPattern*>(argument)->regex->FindAllGroups(subject));
  std::vector<FoundPart> parts;
  for (const TextRange& range : ranges) parts.push_back({.where = range});
  return parts;
}

}  // namespace assay
