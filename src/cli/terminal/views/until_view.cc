// Builds the table of looks and the notes below the table of variants.
#include "cli/terminal/views/until_view.h"

#include <fmt/core.h>

#include <map>

#include "cli/terminal/text_table.h"
#include "engine/words.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

namespace {

// The last comparison of a variant, or of a pair that is asked about.
struct LookedAt {
  const BoundQuestion& of;
  std::size_t a = 0;
  std::size_t b = 0;  // not of gates
  PairLook look;
  PairQuestion question;
};

// Of a race each variant was last compared when it was dropped, or at the last look.
std::vector<LookedAt> LastLooks(const UntilRun& run) {
  std::vector<LookedAt> looks;
  for (const QuestionCourse& course : run.course.questions()) {
    if (course.race) {
      std::map<std::size_t, LookedAt> last;
      for (const RaceLook& look : course.race->looks()) {
        for (const RacePair& pair : look.pairs) {
          last.erase(pair.against);
          last.emplace(pair.against, LookedAt{*course.question, look.leader, pair.against, pair.look,
                                              course.race->pair_question()});
        }
      }
      if (!course.race->looks().empty()) last.erase(course.race->looks().back().leader);
      for (const auto& [variant, look] : last) looks.push_back(look);
    } else if (!course.pair.looks.empty()) {
      const BoundQuestion& question = *course.question;
      looks.push_back({question, question.a, question.b, course.pair.looks.back(), question.pair});
    }
  }
  return looks;
}

}  // namespace

std::string LookedAtText(const UntilRun& run, const Screen& screen) {
  const std::vector<LookedAt> looks = LastLooks(run);
  if (looks.empty()) return {};
  TextTable table({{"difference"},
                   {"cases", Align::kRight},
                   {"95 %, whole suite", Align::kRight},
                   {"95 %, cases of this kind", Align::kRight},
                   {"state"}});
  const auto samples = run.scores.samples();
  for (const LookedAt& each : looks) {
    const UnitTable& units = run.rule.TableOf(each.of);
    const bool is_gate = each.of.kind == BoundQuestion::Kind::kGate;
    const std::span<const CaseValue> others = is_gate ? SecondOf(each.of, samples) : samples[each.b].cases;
    const PairBounds bounds = BoundsOfPair(units, samples[each.a].cases, others, each.question, each.look.n);
    const auto text = [&each](const Interval& with_margin) {
      const double margin = each.question.margin;
      return LimitsText({with_margin.low - margin, with_margin.high - margin});
    };
    const std::string& second = is_gate ? each.of.gate->base : run.rule.names[each.b];
    table.Add({Printable(fmt::format("{} − {}", run.rule.names[each.a], second)),
               CountText(units.CasesBefore(each.look.n)), text(bounds.suite), text(bounds.world),
               std::string(PairStateName(each.look.state))});
  }
  return "\n" + table.Text(screen);
}

std::string EarlyNote(const UntilRun& run) {
  std::string text = "95 %: of the whole suite; holds whenever the run ends\n";
  for (const QuestionCourse& course : run.course.questions()) {
    if (!course.race) continue;
    for (const DroppedVariant& dropped : course.race->dropped()) {
      text += fmt::format("#{}: {} after {}\n", dropped.variant + 1, dropped.by ? "dropped" : "given up",
                          Counted(run.rule.table.CasesBefore(dropped.after), "case"));
    }
  }
  if (run.other_orders > 0) {
    text += fmt::format("{} of this suite {} tried\n", Counted(run.other_orders, "other order"),
                        run.other_orders == 1 ? "was" : "were");
  }
  return text;
}

}  // namespace assay
