// Builds a chart for each race and each pair, one for all gates, and one for all means of a question.
#include "report/values/pages/race_chart.h"

#include <algorithm>
#include <utility>

#include "report/decide/until/until_run.h"
#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

using Kind = BoundQuestion::Kind;

constexpr std::size_t kLooksMax = 60;       // more would not be seen
constexpr std::uint64_t kUnitsMax = 40000;  // that searches for bounds read: about a tenth of a second

Value Point(std::uint64_t cases, const Interval& bounds) {
  return List{CountValue(cases), Value(bounds.low), Value(bounds.high)};
}

// Of so many looks every how manieth is drawn. `reads`: the units that all of their bounds take.
std::size_t StepOf(std::size_t looks, std::uint64_t reads) {
  const std::size_t shown = std::max<std::size_t>(1, (looks + kLooksMax - 1) / kLooksMax);
  return std::max<std::size_t>(shown, (reads + kUnitsMax - 1) / kUnitsMax);
}

class RaceChart {
 public:
  RaceChart(const Suite& suite, const UntilRun& run) : suite_(suite), run_(run) {}

  Value OfRace(const QuestionCourse& course) const {
    const Race& race = *course.race;
    std::vector<List> points(race.variants());
    for (const std::size_t at : ShownLooks(race)) {
      const RaceLook& look = race.looks()[at];
      for (const RacePair& pair : look.pairs) {
        const Interval ahead = BoundsOf(look.leader, pair.against, race.pair_question(), look.n);
        points[pair.against].push_back(Point(CasesOf(look.n), {-ahead.high, -ahead.low}));
      }
    }
    List lines;
    for (std::size_t v = 0; v < race.variants(); ++v) {
      const auto dropped = std::find_if(race.dropped().begin(), race.dropped().end(),
                                        [v](const DroppedVariant& each) { return each.variant == v; });
      const bool is_dropped = dropped != race.dropped().end();
      lines.push_back(Line(v, std::move(points[v]),
                           is_dropped ? std::optional(CasesOf(dropped->after)) : std::nullopt,
                           is_dropped && dropped->by ? Id(*dropped->by) : Value(Null{})));
    }
    return Chart(course, "race", 0, std::move(lines));
  }

  Value OfPair(const QuestionCourse& course) const {
    const BoundQuestion& question = *course.question;
    List lines;
    lines.push_back(Line(question.a, DifferencesOf(course), EndOf(course), Id(question.b)));
    return Chart(course, "pair", -question.pair.margin, std::move(lines));
  }

  // Of all variants with a base.
  Value OfGates() const {
    List lines;
    const QuestionCourse* first = nullptr;
    for (const QuestionCourse& course : run_.course.questions()) {
      if (course.question->kind != Kind::kGate || course.looks() == 0) continue;
      if (first == nullptr) first = &course;
      lines.push_back(
          Line(course.question->a, DifferencesOf(course), EndOf(course), Value(course.question->gate->base)));
    }
    return Chart(*first, "gate", -first->question->pair.margin, std::move(lines));
  }

  // Of all variants that the same question is about.
  Value OfLevels(std::string_view text) const {
    List lines;
    const QuestionCourse* first = nullptr;
    for (const QuestionCourse& course : run_.course.questions()) {
      if (course.question->kind != Kind::kLevel || course.question->text != text) continue;
      if (first == nullptr) first = &course;
      const std::vector<LevelLook>& looks = course.level.looks;
      const std::size_t step = StepOf(looks.size(), 0);
      List points;
      for (std::size_t at = 0; at < looks.size(); ++at) {
        if (at % step == 0 || at + 1 == looks.size())
          points.push_back(Point(CasesOf(looks[at].n), looks[at].bounds));
      }
      lines.push_back(Line(course.question->a, std::move(points), EndOf(course), Null{}));
    }
    return Chart(*first, "level", std::nullopt, std::move(lines));
  }

 private:
  Value Id(std::size_t variant) const { return Value(suite_.variants[variant].id); }
  std::uint64_t CasesOf(std::uint64_t units) const { return run_.rule.table.CasesBefore(units); }

  // The bounds of a pair's or a gate's difference, without its margin.
  List DifferencesOf(const QuestionCourse& course) const {
    const BoundQuestion& question = *course.question;
    const UnitTable& table = run_.rule.TableOf(question);
    const auto samples = run_.scores.samples();
    const std::vector<PairLook>& looks = course.pair.looks;
    std::uint64_t reads = 0;
    for (const PairLook& look : looks) reads += look.n;
    const std::size_t step = StepOf(looks.size(), reads);
    List points;
    for (std::size_t at = 0; at < looks.size(); ++at) {
      if (at % step != 0 && at + 1 != looks.size()) continue;
      const Interval with_margin =
          Deciding(BoundsOfPair(table, samples[question.a].cases, SecondOf(question, samples), question.pair,
                                looks[at].n),
                   question.pair.promise);
      points.push_back(
          Point(table.CasesBefore(looks[at].n), WithoutMargin(with_margin, question.pair.margin)));
    }
    return points;
  }

  // The bounds that decide: where the promise is about other cases too, the wider ones of both.
  Interval BoundsOf(std::size_t a, std::size_t b, const PairQuestion& question, std::uint64_t n) const {
    const auto samples = run_.scores.samples();
    return Deciding(BoundsOfPair(run_.rule.table, samples[a].cases, samples[b].cases, question, n),
                    question.promise);
  }

  static Interval Deciding(const PairBounds& bounds, Promise promise) {
    if (promise == Promise::kSuite) return bounds.suite;
    return {std::min(bounds.suite.low, bounds.world.low), std::max(bounds.suite.high, bounds.world.high)};
  }

  // Of many looks some; the last one, and those that dropped a variant, always.
  static std::vector<std::size_t> ShownLooks(const Race& race) {
    const std::vector<RaceLook>& looks = race.looks();
    std::uint64_t reads = 0;
    for (const RaceLook& look : looks) reads += look.n * look.pairs.size();
    const std::size_t step = StepOf(looks.size(), reads);
    std::vector<std::size_t> shown;
    for (std::size_t at = 0; at < looks.size(); ++at) {
      const bool drops = std::any_of(race.dropped().begin(), race.dropped().end(),
                                     [&](const DroppedVariant& each) { return each.after == looks[at].n; });
      if (at % step == 0 || drops || at + 1 == looks.size()) shown.push_back(at);
    }
    return shown;
  }

  std::optional<std::uint64_t> EndOf(const QuestionCourse& course) const {  // cases
    return course.is_closed && course.IsEarly() ? std::optional(run_.CasesOf(course)) : std::nullopt;
  }

  Value Line(std::size_t variant, List points, std::optional<std::uint64_t> after, Value by) const {
    return Object{{"variant", Id(variant)},
                  {"points", std::move(points)},
                  {"after", after ? CountValue(*after) : Value(Null{})},
                  {"by", std::move(by)}};
  }

  Value Chart(const QuestionCourse& course, std::string_view kind, std::optional<double> step,
              List lines) const {
    return Object{{"question", course.question->text},
                  {"kind", kind},
                  {"cases", CountValue(run_.rule.TableOf(*course.question).cases())},
                  {"step", OrNull(step)},
                  {"lines", std::move(lines)}};
  }

  const Suite& suite_;
  const UntilRun& run_;
};

}  // namespace

Value RaceChartsValue(const Report& report) {
  if (report.until == nullptr) return Null{};
  const RaceChart chart(*report.suite, *report.until);
  std::vector<std::string> levels;  // questions whose chart is there
  List charts;
  bool has_gates = false;
  for (const QuestionCourse& course : report.until->course.questions()) {
    if (course.looks() == 0) continue;
    if (course.question->kind == Kind::kRace) charts.push_back(chart.OfRace(course));
    if (course.question->kind == Kind::kPair) charts.push_back(chart.OfPair(course));
    if (course.question->kind == Kind::kGate && !std::exchange(has_gates, true))
      charts.push_back(chart.OfGates());
    if (course.question->kind != Kind::kLevel) continue;
    if (std::find(levels.begin(), levels.end(), course.question->text) != levels.end()) continue;
    levels.push_back(course.question->text);
    charts.push_back(chart.OfLevels(course.question->text));
  }
  return Value(std::move(charts));
}

}  // namespace assay
