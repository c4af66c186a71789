// Grades `$choice`: whether the answer to a question of choices names the wanted letter. Pure; any thread.
//   args    a letter ("B", "(B)", "B."), an index from 0, a text of `of`, a list of them (one of these), or
//           {answer, of: a count | letters | texts, several}; of is ABCD if nothing is said
//   answer  text/prose/choice.h says which letter it names
//   score   1 or 0; 0 where it names none; with `several` all wanted letters and no other have to be there
//   source  assay's own; known deviations: none
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"
#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/prose/choice_rules.h"

namespace assay {
namespace {

struct WantedChoice {
  ChoiceRules rules;
  std::string letters;  // any of these, or with `several` all of them, in order
  bool several = false;
};

// The letter itself, with brackets or a point; an index; a text.
std::optional<char> LetterOf(const std::string& written, const ChoiceRules& rules) {
  constexpr std::string_view kAround = "(). ";
  const std::size_t first = written.find_first_not_of(kAround);
  if (first != std::string::npos && written.find_last_not_of(kAround) == first) {
    const std::size_t at = AsciiLower(rules.letters).find(AsciiLower(written[first]));
    if (at != std::string::npos) return rules.letters[at];
  }
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(written.data(), written.data() + written.size(), index);
  if (problem == std::errc() && end == written.data() + written.size() && index < rules.letters.size())
    return rules.letters[index];
  const auto text = std::find(rules.texts.begin(), rules.texts.end(), written);
  if (text == rules.texts.end()) return {};
  return rules.letters[static_cast<std::size_t>(text - rules.texts.begin())];
}

Status ReadLetters(const Value& answer, WantedChoice& wanted) {
  ASSAY_TRY(const std::vector<std::string> texts, WrittenTexts(answer));
  for (const std::string& text : texts) {
    const std::optional<char> letter = LetterOf(text, wanted.rules);
    const std::string listed = !letter && wanted.several ? FindChoices(text, wanted.rules) : std::string();
    if (!letter && listed.empty()) {
      return BadArgument(fmt::format("one of the letters {}, an index below {}, or a text of `of`",
                                     wanted.rules.letters, wanted.rules.letters.size()),
                         answer);
    }
    wanted.letters += letter ? std::string(1, *letter) : listed;
  }
  std::sort(wanted.letters.begin(), wanted.letters.end());
  wanted.letters.erase(std::unique(wanted.letters.begin(), wanted.letters.end()), wanted.letters.end());
  return Ok();
}

Result<WantedChoice> ReadWantedChoice(const Value& args) {
  WantedChoice wanted;
  if (!args.is_map()) {
    ASSAY_CHECK_OK(ReadLetters(args, wanted));
    return wanted;
  }
  ASSAY_CHECK_OK(OnlyMembers(args, {"answer", "of", "several"}));
  ASSAY_TRY(wanted.several, FlagMember(args, "several", false));
  if (const Value* of = args.Find("of")) {
    ASSAY_TRY(wanted.rules, ReadChoiceRules(*of));
  }
  const Value* answer = args.Find("answer");
  if (answer == nullptr) return BadMember("a letter", args, "answer");
  ASSAY_CHECK_OK(ReadLetters(*answer, wanted));
  return wanted;
}

Score Grade(const GradeInput& input, const WantedChoice& wanted, WorkerState&) {
  std::string found;
  if (wanted.several) {
    found = FindChoices(input.answer.text(), wanted.rules);
  } else if (const std::optional<char> letter = FindChoice(input.answer.text(), wanted.rules)) {
    found = std::string(1, *letter);
  }
  const bool holds = wanted.several ? found == wanted.letters
                                    : !found.empty() && wanted.letters.find(found) != std::string::npos;
  Score score = Score::Of(holds ? 1 : 0);
  score.explanation = found.empty() ? "no choice found" : "the choice " + found;
  return score;
}

}  // namespace

CheckArgs ParseChoice(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedChoice(input.check.args), diagnostics);
}

Score GradeChoice(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedChoice, Grade>(input, args, worker);
}

}  // namespace assay
