// Searches the bounds of the looks that are shown.
#include "report/decide/until/last_looks.h"

#include <fmt/core.h>

#include <map>

namespace assay {

namespace {

// Of a gate, the second one is its base.
LastLook Shown(const UntilRun& run, const BoundQuestion& of, std::size_t a, std::size_t b,
               const PairQuestion& question, const PairLook& look) {
  const auto samples = run.scores.samples();
  const UnitTable& table = run.rule.TableOf(of);
  const bool is_gate = of.kind == BoundQuestion::Kind::kGate;
  const std::span<const CaseValue> second = is_gate ? SecondOf(of, samples) : samples[b].cases;
  const PairBounds bounds = BoundsOfPair(table, samples[a].cases, second, question, look.n);
  return {.pair = fmt::format("{} − {}", run.rule.names[a], is_gate ? of.gate->base : run.rule.names[b]),
          .cases = table.CasesBefore(look.n),
          .suite = WithoutMargin(bounds.suite, question.margin),
          .world = WithoutMargin(bounds.world, question.margin),
          .state = look.state};
}

}  // namespace

std::vector<LastLook> LastLooksOf(const UntilRun& run) {
  std::vector<LastLook> shown;
  for (const QuestionCourse& course : run.course.questions()) {
    if (course.race && !course.race->looks().empty()) {
      std::map<std::size_t, std::pair<std::size_t, PairLook>> last;  // by variant: against whom
      for (const RaceLook& look : course.race->looks()) {
        for (const RacePair& pair : look.pairs) last[pair.against] = {look.leader, pair.look};
      }
      last.erase(course.race->looks().back().leader);
      for (const auto& [variant, look] : last) {
        shown.push_back(
            Shown(run, *course.question, look.first, variant, course.race->pair_question(), look.second));
      }
    } else if (!course.pair.looks.empty()) {
      const BoundQuestion& question = *course.question;
      shown.push_back(Shown(run, question, question.a, question.b, question.pair, course.pair.looks.back()));
    }
  }
  return shown;
}

}  // namespace assay
