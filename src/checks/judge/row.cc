// The check `judge`: a criterion in words, put to the panel of judges (checks/judge/panel.h).
#include "checks/graders.h"
#include "checks/judge/panel.h"
#include "spec/suite/check.h"

namespace assay {

CheckArgs ParseJudge(const ParseInput& input, Diagnostics&) { return MakeArgs(input.check.text); }

std::vector<StepParty> PartiesOfJudge(const JudgePanel& panel, const CheckArgs&) {
  return PanelParties(panel, 1);
}

Action NextJudge(const AskInput& input, const CheckArgs& args) {
  const std::string& criterion = static_cast<const ParsedArgs<std::string>*>(args.get())->value;
  PanelAction action = NextOfPanel(input, {&criterion, 1}, input.so_far);
  if (auto* need = std::get_if<Need>(&action)) return std::move(*need);
  return Done{std::move(std::get<std::vector<Score>>(action).front())};
}

}  // namespace assay
