// Goes through variants, messages and documents.
#include "spec/suite/names/name_problem.h"

#include "base/text/names.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

struct Named {
  NameKind kind;
  const std::string& name;
};

template <std::size_t N>
std::string FirstProblem(const Named (&names)[N]) {
  for (const Named& each : names) {
    if (std::string problem = NameProblem(each.kind, each.name); !problem.empty()) return problem;
  }
  return {};
}

std::string TurnsProblem(const std::vector<Turn>& turns) {
  for (const Turn& turn : turns) {
    for (const MediaPart& part : *turn.media) {
      std::string problem = FirstProblem({{NameKind::kMedia, part.name}, {NameKind::kMediaType, part.type}});
      if (!problem.empty()) return problem;
    }
  }
  return {};
}

std::string CaseProblem(const Case& the_case) {
  std::string problem = TurnsProblem(the_case.turns);
  for (const CaseAsking& asking : *the_case.askings) {
    if (problem.empty()) problem = TurnsProblem(asking.turns);
  }
  for (const CaseDocument& document : *the_case.documents) {
    if (problem.empty()) problem = FirstProblem({{NameKind::kMedia, document.path}});
  }
  return problem;
}

}  // namespace

std::string SuiteNameProblem(const Suite& suite) {
  for (const Variant& variant : suite.variants) {
    std::string problem = FirstProblem({{NameKind::kVariant, variant.id},
                                        {NameKind::kVariant, variant.model_id},
                                        {NameKind::kVariant, variant.label}});
    if (!problem.empty()) return problem;
  }
  for (const Case& the_case : suite.cases) {
    if (std::string problem = CaseProblem(the_case); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace assay
