// Finds which cases pass, tests for regressions and flips, and words the outcome.
#include "report/decide/gates.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "spec/suite/suite.h"
#include "statistics/decisions/rank.h"
#include "statistics/decisions/sentences.h"

namespace assay {

namespace {

constexpr std::size_t kFailingNamed = 10;

const PassCount& CountOf(const Contender& side, CaseIndex index) {
  return (*side.passes)[side.variant][index];
}

bool Flips(const GatePair& pair, const CasePair& at, const PassRule& rule) {
  const PassCount& fresh = CountOf(pair.fresh, at.a);
  return fresh.scored > 0 && !IsPassed(fresh, rule) && IsPassed(CountOf(pair.base, at.b), rule);
}

// Takes the cases that are known to be flaky out of the pairs, and notes which of them flipped.
void SetKnownFlakyAside(const GatePair& pair, const GateAsk& ask, VariantGate& gate) {
  std::erase_if(gate.cases.pairs, [&](const CasePair& at) {
    const std::string& id = pair.fresh.suite->cases[at.a].id;
    if (!std::binary_search(ask.known_flaky.begin(), ask.known_flaky.end(), id)) return false;
    ++gate.known_flaky.cases;
    if (Flips(pair, at, ask.pass)) gate.known_flaky.failed.push_back(id);
    return true;
  });
}

// Who passed in the base and does not now; of cases without a score nobody knows.
void CountFlips(const GatePair& pair, const PassRule& rule, VariantGate& gate) {
  for (const CasePair& at : gate.cases.pairs) {
    const PassCount& base = CountOf(pair.base, at.b);
    if (!IsPassed(base, rule)) continue;
    if (CountOf(pair.fresh, at.a).scored == 0) {
      gate.without_score += pair.left.empty() || !pair.left[at.a] ? 1 : 0;
      continue;
    }
    ++gate.passed_before;
    if (!Flips(pair, at, rule)) continue;
    const std::string& id = pair.fresh.suite->cases[at.a].id;
    gate.newly_failing.push_back(id);
    if (IsFlaky(base)) gate.flaky_before.push_back(id);
  }
}

VariantGate OpenGate(const GatePair& pair, const GateAsk& ask) {
  VariantGate gate{.fresh = pair.fresh.name, .base = pair.base.name, .sentence = {}, .cases = {}};
  gate.cases = PairCases(pair.fresh.cases(), pair.base.cases(), ask.by);
  gate.models = OtherModels(pair.fresh.suite->variants[pair.fresh.variant],
                            pair.base.suite->variants[pair.base.variant]);
  if (!gate.models) gate.models = OtherServed(pair.fresh.served, pair.base.served);
  gate.judges = OtherJudges(*pair.fresh.suite, *pair.base.suite);
  SetKnownFlakyAside(pair, ask, gate);
  CountFlips(pair, ask.pass, gate);
  return gate;
}

// The two-sided question over the cases that the gate counts.
Comparison TwoSided(const GatePair& pair, const PairedScores& scores) {
  Comparison comparison;
  comparison.paired = ComparePaired(scores.a, scores.b, scores.design());
  comparison.p = comparison.paired.p.value_or(1);
  comparison.verdict = VerdictOf(comparison.paired, comparison.p);
  comparison.sentence =
      WithValueName(PairedSentence(pair.fresh.shown(), pair.base.shown(), comparison.paired, comparison.p),
                    *pair.fresh.scores);
  return comparison;
}

// " 2 newly fail: friday, pears", the first ten of many; "" without any.
std::string FailingText(std::span<const std::string> ids, std::string_view who) {
  if (ids.empty()) return {};
  std::string text = fmt::format(" {}{} newly {}: ", ids.size(), who, ids.size() == 1 ? "fails" : "fail");
  for (std::size_t i = 0; i < std::min(ids.size(), kFailingNamed); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", ids[i]);
  if (ids.size() > kFailingNamed) text += fmt::format(" and {} more", ids.size() - kFailingNamed);
  return text;
}

std::string CountedCases(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "case" : "cases");
}

}  // namespace

std::vector<VariantGate> TestRegressions(std::span<const GatePair> pairs, const GateAsk& ask) {
  std::vector<VariantGate> gates;
  std::vector<double> p;
  for (const GatePair& pair : pairs) {
    VariantGate& gate = gates.emplace_back(OpenGate(pair, ask));
    if (pair.early) {
      // Beside those that are tested: one that passed tells nothing, one that fell the most.
      p.push_back(pair.early->state == GateState::kRegression ? 0 : 1);
      gate.state = pair.early->state;
      gate.sentence = pair.early->sentence;
      continue;
    }
    const PairedScores scores = AlignScores(pair.fresh, pair.base, gate.cases.pairs);
    gate.estimate = TestRegression(scores.a, scores.b, scores.design(), ask.margin);
    gate.comparison = TwoSided(pair, scores);
    if (gate.estimate->paired.p) p.push_back(*gate.estimate->paired.p);
  }
  const std::vector<double> adjusted = HolmAdjusted(p, p.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    VariantGate& gate = gates[i];
    if (pairs[i].early) ++next;
    if (pairs[i].early) continue;
    if (gate.estimate->paired.p) gate.p = adjusted[next++];
    gate.state = gate.estimate->state = GateStateOf(*gate.estimate, gate.p, p.size());
    gate.sentence = WithValueName(GateSentence(*gate.estimate, gate.p, p.size()), *pairs[i].fresh.scores);
  }
  return gates;
}

std::vector<VariantGate> TestFlips(std::span<const GatePair> pairs, const GateAsk& ask) {
  std::vector<VariantGate> gates;
  for (const GatePair& pair : pairs) {
    VariantGate& gate = gates.emplace_back(OpenGate(pair, ask));
    const std::size_t flips = gate.newly_failing.size();
    const std::string left = gate.without_score == 0
                                 ? std::string()
                                 : fmt::format("; {} that passed {} no score now", gate.without_score,
                                               gate.without_score == 1 ? "has" : "have");
    if (gate.cases.pairs.empty()) {
      gate.sentence = gate.known_flaky.cases == 0
                          ? "Cannot tell: no case that both runs have."
                          : "Cannot tell: every case that both runs have is known to be flaky.";
    } else if (flips > ask.flips_max) {
      gate.state = GateState::kRegression;
      gate.sentence =
          fmt::format("Flipped: {} of {} that passed now fail{}, at most {} allowed{}.", flips,
                      CountedCases(gate.passed_before), flips == 1 ? "s" : "", ask.flips_max, left);
    } else if (flips + gate.without_score > ask.flips_max && gate.without_score > 0) {
      // Had they all failed, there would be too many.
      gate.state = GateState::kCannotTell;
      gate.sentence = fmt::format("Cannot tell: {} that passed {} no score now; {} of {} others {}.",
                                  CountedCases(gate.without_score), gate.without_score == 1 ? "has" : "have",
                                  flips, gate.passed_before, flips == 1 ? "fails" : "fail");
    } else {
      gate.state = GateState::kNone;
      gate.sentence = fmt::format("No flip too many: {} of {} that passed now fail{}{}.", flips,
                                  CountedCases(gate.passed_before), flips == 1 ? "s" : "", left);
    }
  }
  return gates;
}

std::string GateLine(const VariantGate& gate) {
  const bool is_told = gate.state == GateState::kRegression || gate.state == GateState::kCannotTell;
  if (!is_told) return gate.sentence;
  const std::vector<std::string>& flaky = gate.flaky_before;
  std::vector<std::string> steady = gate.newly_failing;
  std::erase_if(steady, [&flaky](const std::string& id) {
    return std::find(flaky.begin(), flaky.end(), id) != flaky.end();
  });
  const std::string_view who =
      flaky.size() == 1 ? " that was flaky in the base" : " that were flaky in the base";
  const std::string apart = FailingText(flaky, who);
  const std::string text = gate.sentence + FailingText(steady, "");
  return text + (steady.empty() || apart.empty() ? "" : ".") + apart;
}

std::string KnownFlakyLine(const VariantGate& gate) {
  const KnownFlaky& known = gate.known_flaky;
  if (known.cases == 0) return {};
  std::string text = fmt::format("Known to be flaky, not counted: {}", CountedCases(known.cases));
  if (known.failed.empty())
    return text + (known.cases == 1 ? ", which did not flip." : ", none of which flipped.");
  return text + fmt::format(";{}.", FailingText(known.failed, ""));
}

}  // namespace assay
