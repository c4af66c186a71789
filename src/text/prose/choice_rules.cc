// Reads a count, letters or texts.
#include "text/prose/choice_rules.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "text/javascript/number.h"

namespace assay {

namespace {

constexpr std::size_t kChoiceLettersMax = 26;

std::string FirstLetters(std::size_t count) {
  std::string letters;
  for (std::size_t i = 0; i < count; ++i) letters += static_cast<char>('A' + i);
  return letters;
}

// A text, or a number or truth value as it is written.
std::optional<std::string> WordsOfChoice(const Value& value) {
  if (value.is_string()) return value.AsString();
  if (value.is_number()) return JsNumberText(value.AsNumber());
  if (value.is_bool()) return value.AsBool() ? "true" : "false";
  return std::nullopt;
}

}  // namespace

Result<ChoiceRules> ReadChoiceRules(const Value& of) {
  const Error bad{ErrorCode::kInvalidInput,
                  fmt::format("expected a count from 1 to 26, letters, or a list of up to 26 texts, found {}",
                              of.is_string() ? Quoted(of.AsString()) : std::string(KindName(of))),
                  of.span};
  ChoiceRules rules;
  rules.letters.clear();
  if (of.is_number()) {
    const double count = of.AsNumber();
    if (!(count >= 1 && count <= kChoiceLettersMax) || count != static_cast<double>(static_cast<int>(count)))
      return bad;
    rules.letters = FirstLetters(static_cast<std::size_t>(count));
  } else if (of.is_string()) {
    for (const char c : AsciiLower(of.AsString())) {
      if (!IsAsciiLetter(c)) return bad;
      rules.letters += static_cast<char>(c - 'a' + 'A');
    }
  } else if (of.is_list() && of.AsList().size() <= kChoiceLettersMax) {
    for (const Value& each : of.AsList()) {
      std::optional<std::string> words = WordsOfChoice(each);
      if (!words || words->empty()) return bad;
      rules.texts.push_back(*std::move(words));
    }
    rules.letters = FirstLetters(rules.texts.size());
  }
  if (rules.letters.empty()) return bad;
  return rules;
}

}  // namespace assay
