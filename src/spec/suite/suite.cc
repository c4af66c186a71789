// The judges of a suite, and the names of roles.
#include "spec/suite/suite.h"

namespace assay {

std::vector<const Judge*> JudgesOf(const Suite& suite) {
  std::vector<const Judge*> judges;
  for (const Judge& judge : suite.judges) judges.push_back(&judge);
  if (suite.backup_judge) judges.push_back(&*suite.backup_judge);
  for (const std::vector<Judge>* more : {&suite.extractors, &suite.named_judges}) {
    for (const Judge& judge : *more) judges.push_back(&judge);
  }
  return judges;
}

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kSystem:
      return "system";
    case Role::kUser:
      return "user";
    case Role::kAssistant:
      return "assistant";
    case Role::kTool:
      return "tool";
  }
  return "user";
}

}  // namespace assay
