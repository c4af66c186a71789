// Writes gates as the lists in which runs keep them, and tests those that were read.
#include "report/decide/until/stop_gate.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "spec/suite/suite.h"

namespace assay {

std::string EncodeStopGates(std::span<const StopGate> gates) {
  const std::vector<StopGate> list(gates.begin(), gates.end());
  std::string text;
  record::Records{list}.Append(text);
  return text;
}

std::string DigestOfBase(const Suite& base, std::span<const CaseValue> scores) {
  constexpr std::size_t kDigits = 16;
  std::string text;
  for (CaseIndex index = 0; index < scores.size(); ++index) {
    const CaseValue& score = scores[index];
    if (score.scored > 0)
      text += fmt::format("{}\t{:a}\t{}\n", base.cases[index].id, score.value, score.scored);
  }
  return HexPrefix(Sha256Of(text), kDigits);
}

bool CanBeOf(const Suite& suite, const StopGate& gate) {
  const bool are_ascending =
      std::adjacent_find(gate.cases.begin(), gate.cases.end(), std::greater_equal<>()) == gate.cases.end();
  const bool are_there = gate.cases.empty() || gate.cases.back() < suite.cases.size();
  const std::size_t values = gate.kind == StopGate::Kind::kRegression ? gate.cases.size() : 0;
  return gate.variant < suite.variants.size() && gate.gates > 0 && are_ascending && are_there &&
         gate.values.size() == values && gate.scored.size() == values;
}

}  // namespace assay
