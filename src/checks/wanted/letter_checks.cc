// Grades `$letter_case`, `$script` and `$is_valid`: what the answer's letters, or its whole text, are like.
// Pure; any thread.
//   letter_case  upper, lower or title; 1 if every letter with a case has it (title: the first one of each
//                word), 0 without such a letter
//   script       names of Unicode scripts, or {of, at_least}; 1 if so many of the letters belong to one of
//                them (0.9 if nothing is said), 0 without a letter
//   is_valid     a form's name (text/prose/forms.h); 1 if the whole answer has it
//   source       Python's isupper and islower; Unicode Standard Annex 24; known deviations: none
#include <fmt/core.h>

#include <algorithm>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/prose/forms.h"
#include "text/prose/letters_of.h"

namespace assay {
namespace {

struct WantedScripts {
  std::vector<int> scripts;
  double at_least = 0.9;
};

struct WantedForm {
  std::string_view name;  // of kTextForms
};

Result<LetterCase> ReadLetterCase(const Value& args) {
  constexpr std::string_view kNames[] = {"upper", "lower", "title"};
  const auto* found =
      std::find(std::begin(kNames), std::end(kNames), args.is_string() ? args.AsString() : "");
  if (found == std::end(kNames)) return BadArgument("upper, lower or title", args);
  return static_cast<LetterCase>(found - std::begin(kNames));
}

Status ReadScriptNames(const Value& names, WantedScripts& wanted) {
  const List one{names};
  for (const Value& name : names.is_list() ? names.AsList() : one) {
    const std::optional<int> script = name.is_string() ? ScriptOf(name.AsString()) : std::nullopt;
    if (!script) return BadArgument("the name of a Unicode script, such as Latin or Cyrillic", name);
    wanted.scripts.push_back(*script);
  }
  if (wanted.scripts.empty()) return BadArgument("the name of at least one Unicode script", names);
  return Ok();
}

Result<WantedScripts> ReadScripts(const Value& args) {
  WantedScripts wanted;
  if (!args.is_map()) {
    ASSAY_CHECK_OK(ReadScriptNames(args, wanted));
    return wanted;
  }
  ASSAY_CHECK_OK(OnlyMembers(args, {"of", "at_least"}));
  ASSAY_TRY(const std::optional<double> at_least, BoundedMember(args, "at_least", 0, 1));
  wanted.at_least = at_least.value_or(wanted.at_least);
  const Value* of = args.Find("of");
  if (of == nullptr) return BadMember("the name of a script", args, "of");
  ASSAY_CHECK_OK(ReadScriptNames(*of, wanted));
  return wanted;
}

Result<WantedForm> ReadForm(const Value& args) {
  const auto* found = std::find(std::begin(kTextForms), std::end(kTextForms),
                                args.is_string() ? std::string_view(args.AsString()) : std::string_view());
  if (found != std::end(kTextForms)) return WantedForm{*found};
  std::string names;
  for (const std::string_view form : kTextForms) names += (names.empty() ? "" : ", ") + std::string(form);
  return BadArgument("one of " + names, args);
}

Score GradeCase(const GradeInput& input, const LetterCase& wanted, WorkerState&) {
  return Score::Of(HasCase(input.answer.text(), wanted) ? 1 : 0);
}

Score GradeScripts(const GradeInput& input, const WantedScripts& wanted, WorkerState&) {
  constexpr double kRounding = 1e-12;
  const std::optional<double> share = ShareInScripts(input.answer.text(), wanted.scripts);
  Score score = Score::Of(share && *share >= wanted.at_least - kRounding ? 1 : 0);
  score.explanation = share ? fmt::format("{:.1f} % of the letters are in the script", *share * 100)
                            : "the answer has no letters";
  return score;
}

Score GradeForm(const GradeInput& input, const WantedForm& wanted, WorkerState&) {
  return Score::Of(HasForm(input.answer.text(), wanted.name) ? 1 : 0);
}

}  // namespace

CheckArgs ParseLetterCase(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadLetterCase(input.check.args), diagnostics);
}
Score GradeLetterCase(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<LetterCase, GradeCase>(input, args, worker);
}

CheckArgs ParseScript(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadScripts(input.check.args), diagnostics);
}
Score GradeScript(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedScripts, GradeScripts>(input, args, worker);
}

CheckArgs ParseIsValid(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadForm(input.check.args), diagnostics);
}
Score GradeIsValid(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedForm, GradeForm>(input, args, worker);
}

}  // namespace assay
