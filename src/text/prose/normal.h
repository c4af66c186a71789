// NormalForm: a text without the differences that a comparison ignores, such as letter case and punctuation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "text/javascript/regex.h"

namespace assay {

// Applied in the order of the members.
struct NormalRules {
  std::vector<std::shared_ptr<const JsRegex>> drop = {};  // what these match goes
  bool lower = false;                                     // full mapping of Unicode
  bool no_accents = false;                                // decomposed, without nonspacing marks, composed
  bool no_symbols = false;                                // Unicode's categories P and S go
  bool no_punctuation = false;                            // the 32 marks of ASCII go
  bool no_digits = false;                                 // 0 to 9 go
  bool no_articles = false;  // a, an, the, as words of their own and in small letters, become blanks
  bool one_blank = false;    // a run of white space becomes one blank
  bool trim = true;          // white space goes at both ends
};

// SQuAD's rule, which OpenAI Evals shares.
NormalRules SquadRules();

// kLimit where a pattern of `drop` takes too long. Without patterns it always succeeds, in linear time.
Result<std::string> NormalForm(std::string_view text, const NormalRules& rules);
// For rules without patterns.
std::string PlainForm(std::string_view text, const NormalRules& rules);

// Words of a text that blanks part, by JavaScript's \s.
std::vector<std::string_view> BlankWords(std::string_view text);

// A letter or a number of Unicode, or an underscore: Python's \w.
bool IsWordLetter(char32_t code_point);

}  // namespace assay
