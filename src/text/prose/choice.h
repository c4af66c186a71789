// FindChoice: the letter that an answer to a question of choices names. Only the letters that the question
// has are read, and one ladder of rules is gone down: what comes first decides.
//
//   1  the whole text is a letter
//   2  the last declaration ("The answer is (B)", "Correct option: B") or box (\boxed{B})
//   3  "option B", where all of them name the same
//   4  the text begins with "B)", "(B)", "B." and the like
//   5  the last line is a letter, or begins with "B)", "B." or "B:"
//   6  the last "(B)"
//   7  exactly one of the choices' own texts occurs
//   8  exactly one capital stands alone
//
// A declaration that names several letters says nothing. All of it is linear in the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct ChoiceRules {
  std::string letters = "ABCD";         // capitals of ASCII
  std::vector<std::string> texts = {};  // of the choices, in their order; empty: not known
};

// A capital; nothing where the text names none, or several.
std::optional<char> FindChoice(std::string_view text, const ChoiceRules& rules);
// All letters that the whole text, or else its last declaration, names: in order, each once. "" for none.
std::string FindChoices(std::string_view text, const ChoiceRules& rules);

}  // namespace assay
