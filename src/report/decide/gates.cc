// Finds which cases pass, tests for regressions and flips, and words the outcome.
#include "report/decide/gates.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "statistics/decisions/rank.h"
#include "statistics/decisions/sentences.h"

namespace assay {

namespace {

constexpr std::size_t kFailingNamed = 10;

// The attempts of one case and variant, while they stream by.
struct OpenCase {
  double sum = 0;
  std::size_t scored = 0;
  bool is_boolean = true;  // every check of every attempt gave all or nothing
  bool holds = true;       // all

  void Add(const Cell& cell) {
    if (cell.state != CellState::kScored || !std::isfinite(cell.score)) return;
    sum += cell.score;
    ++scored;
    for (const Score& score : cell.record.scores) {
      if (score.state != ScoreState::kScored) continue;
      is_boolean = is_boolean && (score.value == 0 || score.value == score.max);
      holds = holds && score.value == score.max;
    }
  }
  CasePass Verdict(double pass_at) const {
    if (scored == 0) return CasePass::kNoScore;
    const bool reaches = sum / static_cast<double>(scored) >= pass_at;
    return reaches && (holds || !is_boolean) ? CasePass::kPasses : CasePass::kFails;
  }
};

// Who passed in the base and does not now; of cases without a score nobody knows.
void CountFlips(const GatePair& pair, VariantGate& gate) {
  const std::vector<CasePass>& fresh = (*pair.fresh.passes)[pair.fresh.contender.variant];
  const std::vector<CasePass>& base = (*pair.base.passes)[pair.base.contender.variant];
  for (const CasePair& at : gate.cases.pairs) {
    if (base[at.b] != CasePass::kPasses) continue;
    if (fresh[at.a] == CasePass::kNoScore) {
      ++gate.without_score;
      continue;
    }
    ++gate.passed_before;
    if (fresh[at.a] == CasePass::kFails)
      gate.newly_failing.push_back(pair.fresh.contender.suite->cases[at.a].id);
  }
}

VariantGate OpenGate(const GatePair& pair, PairBy by) {
  VariantGate gate{
      .fresh = pair.fresh.contender.name, .base = pair.base.contender.name, .sentence = {}, .cases = {}};
  gate.cases = PairCases(pair.fresh.contender.cases(), pair.base.contender.cases(), by);
  CountFlips(pair, gate);
  return gate;
}

std::string CountedCases(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "case" : "cases");
}

}  // namespace

Result<CasePasses> CasePassesOf(const Report& report, double pass_at) {
  const std::size_t cases = report.suite->cases.size();
  std::vector<std::vector<OpenCase>> open(report.suite->variants.size(), std::vector<OpenCase>(cases));
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::All(), CellParts::kScores, [&open](const Cell& cell) {
    open[cell.variant][cell.case_index].Add(cell);
    return Ok();
  }));
  CasePasses passes(open.size());
  for (std::size_t v = 0; v < open.size(); ++v) {
    for (const OpenCase& each : open[v]) passes[v].push_back(each.Verdict(pass_at));
  }
  return passes;
}

std::vector<VariantGate> TestRegressions(std::span<const GatePair> pairs, const GateAsk& ask) {
  std::vector<VariantGate> gates;
  std::vector<double> p;
  for (const GatePair& pair : pairs) {
    VariantGate& gate = gates.emplace_back(OpenGate(pair, ask.by));
    const PairedScores scores = AlignScores(pair.fresh.contender, pair.base.contender, gate.cases.pairs);
    gate.estimate = TestRegression(scores.a, scores.b, scores.design(), ask.margin);
    gate.comparison = CompareWith(pair.fresh.contender, std::span(&pair.base.contender, 1), ask.by).front();
    if (gate.estimate->paired.p) p.push_back(*gate.estimate->paired.p);
  }
  const std::vector<double> adjusted = HolmAdjusted(p, p.size());
  std::size_t next = 0;
  for (VariantGate& gate : gates) {
    if (gate.estimate->paired.p) gate.p = adjusted[next++];
    gate.state = gate.estimate->state = GateStateOf(*gate.estimate, gate.p, p.size());
    gate.sentence = GateSentence(*gate.estimate, gate.p, p.size());
  }
  return gates;
}

std::vector<VariantGate> TestFlips(std::span<const GatePair> pairs, const GateAsk& ask) {
  std::vector<VariantGate> gates;
  for (const GatePair& pair : pairs) {
    VariantGate& gate = gates.emplace_back(OpenGate(pair, ask.by));
    const std::size_t flips = gate.newly_failing.size();
    const std::string left = gate.without_score == 0
                                 ? std::string()
                                 : fmt::format("; {} that passed {} no score now", gate.without_score,
                                               gate.without_score == 1 ? "has" : "have");
    if (gate.cases.pairs.empty()) {
      gate.sentence = "Cannot tell: no case that both runs have.";
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
  const std::size_t count = gate.newly_failing.size();
  const bool is_told = gate.state == GateState::kRegression || gate.state == GateState::kCannotTell;
  if (count == 0 || !is_told) return gate.sentence;
  std::string text = fmt::format("{} {} newly {}: ", gate.sentence, count, count == 1 ? "fails" : "fail");
  for (std::size_t i = 0; i < std::min(count, kFailingNamed); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", gate.newly_failing[i]);
  if (count > kFailingNamed) text += fmt::format(" and {} more", count - kFailingNamed);
  return text;
}

}  // namespace assay
