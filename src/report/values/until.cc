// Builds the JSON objects of questions, looks and ends.
#include "report/values/until.h"

#include "report/decide/run_statistics.h"
#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "statistics/sequential/order.h"
#include "text/object.h"

namespace assay {

namespace {

using Kind = BoundQuestion::Kind;

constexpr std::uint64_t kSmallRun = 3'000;  // units times variants: all looks are told
constexpr std::uint64_t kLooksKept = 10;    // else the last ones, since bounds take a search each

class LookWriter {
 public:
  LookWriter(const Suite& suite, const StopRule& rule, const StopScores& scores)
      : suite_(suite), rule_(rule), scores_(scores) {}

  Map Look(const QuestionCourse& course, std::uint64_t at) const {
    const BoundQuestion& question = *course.question;
    const auto samples = scores_.samples();
    if (course.race) return RaceLookMap(*course.race, course.race->looks()[at]);
    if (question.kind == Kind::kLevel) {
      const LevelLook& look = course.level.looks[at];
      return Object{{"n", CountValue(look.n)}, {"lo", look.bounds.low}, {"hi", look.bounds.high}};
    }
    return PairLookMap(course.pair.looks[at], rule_.TableOf(question), samples[question.a].cases,
                       SecondOf(question, samples), question.pair);
  }

 private:
  static Map PairLookMap(const PairLook& look, const UnitTable& table, std::span<const CaseValue> a,
                         std::span<const CaseValue> b, const PairQuestion& question) {
    const PairBounds bounds = BoundsOfPair(table, a, b, question, look.n);
    return Object{{"n", CountValue(look.n)},
                  {"mean", look.mean},
                  {"lo", bounds.suite.low},
                  {"hi", bounds.suite.high},
                  {"world_lo", bounds.world.low},
                  {"world_hi", bounds.world.high},
                  {"square_lo", OrNull(bounds.square_low)},
                  {"state", PairStateName(look.state)}};
  }

  Map RaceLookMap(const Race& race, const RaceLook& look) const {
    const auto samples = scores_.samples();
    List pairs;
    for (const RacePair& pair : look.pairs) {
      Map map = Object{{"against", suite_.variants[pair.against].id}};
      for (Member& member : PairLookMap(pair.look, rule_.table, samples[look.leader].cases,
                                        samples[pair.against].cases, race.pair_question())) {
        if (member.key != "n") map.Append(member.key, std::move(member.value));
      }
      pairs.emplace_back(std::move(map));
    }
    return Object{
        {"n", CountValue(look.n)}, {"leader", suite_.variants[look.leader].id}, {"pairs", std::move(pairs)}};
  }

  const Suite& suite_;
  const StopRule& rule_;
  const StopScores& scores_;
};

class UntilWriter {
 public:
  UntilWriter(const Suite& suite, const UntilRun& run, const Standings& standings)
      : suite_(suite), run_(run), standings_(standings), looks_(suite, run.rule, run.scores) {}

  Value Question(std::size_t at) const {
    const StopRule& rule = run_.rule;
    const QuestionCourse& course = run_.course.questions()[at];
    const BoundQuestion& question = *course.question;
    const UnitTable& table = rule.TableOf(question);
    const bool is_of_one = question.kind != Kind::kRace && question.kind != Kind::kPair;
    const bool is_pair = question.kind == Kind::kPair || question.kind == Kind::kGate;
    const bool is_gate = question.kind == Kind::kGate;
    const bool is_certain = question.IsCertain();
    const bool is_world = is_gate || rule.promise == Promise::kWorld;
    Map map =
        Object{{"question", question.text},
               {"promise", is_certain ? Value(Null{}) : Value(is_world ? "world" : "suite")},
               {"variant", is_of_one && question.kind != Kind::kErrors ? Id(question.a) : Value(Null{})},
               {"by", is_of_one ? Value(Null{}) : OrNull(rule.within)},
               {"delta", is_pair ? Value(question.pair.margin) : Value(0.0)},
               {"level", is_certain ? 1.0 : kLevel},
               {"seed", rule.seed},
               {"batch", CountValue(is_gate ? BatchOf(table) : rule.batch)},
               {"units", CountValue(is_certain ? question.cases->order.size() : table.units())},
               {"cases", CountValue(is_certain ? question.cases->order.size() : table.cases())}};
    if (question.gate != nullptr) map.Append("base", TextOrNull(question.gate->base));
    switch (question.kind) {
      case Kind::kRace:
        AppendRace(course, map);
        break;
      case Kind::kPair:
      case Kind::kGate:
        map.Append("looks", Looks(course));
        AppendEnd(course.pair.n, course.is_closed ? PairStateName(course.pair.state) : OpenReason(),
                  course.pair.left_out, map);
        break;
      case Kind::kLevel:
        map.Append("looks", Looks(course));
        AppendEnd(course.level.n,
                  course.level.is_decided ? "decided"
                  : course.is_closed      ? "all"
                                          : OpenReason(),
                  course.level.left_out, map);
        break;
      default:
        map.Append("looks", Looks(course));
        AppendEnd(course.n(), course.is_closed ? CertainStateName(course.certain.state()) : OpenReason(),
                  course.certain.without_score(), map);
    }
    Extend(map, {{"beyond", CountValue(run_.CellsBeyond())},
                 {"other_orders", CountValue(run_.other_orders)},
                 {"sentence",
                  is_certain ? UntilSentence(run_, course, standings_) : standings_.sentences[at].text}});
    return Value(std::move(map));
  }

 private:
  static constexpr double kLevel = 0.95;

  // As it is, or as the user said it.
  std::uint64_t BatchOf(const UnitTable& table) const {
    const bool is_usual = run_.rule.batch == UnitsPerLook(run_.rule.table.units());
    return is_usual ? UnitsPerLook(table.units()) : run_.rule.batch;
  }

  // Why a question is not decided.
  std::string_view OpenReason() const {
    return run_.stop.empty() || run_.was_decided() ? "open" : std::string_view(run_.stop);
  }

  Value Id(std::size_t variant) const { return Value(suite_.variants[variant].id); }

  std::uint64_t FirstTold(std::uint64_t looks) const {
    const bool is_small = run_.rule.table.units() * run_.rule.names.size() <= kSmallRun;
    return is_small || looks <= kLooksKept ? 0 : looks - kLooksKept;
  }

  Value Looks(const QuestionCourse& course) const {
    List looks;
    for (std::uint64_t i = FirstTold(course.looks()); i < course.looks(); ++i)
      looks.emplace_back(looks_.Look(course, i));
    return Value(std::move(looks));
  }

  void AppendRace(const QuestionCourse& course, Map& map) const {
    const Race& race = *course.race;
    List dropped;
    for (const DroppedVariant& each : race.dropped()) {
      dropped.emplace_back(Object{{"name", Id(each.variant)},
                                  {"after", CountValue(each.after)},
                                  {"by", each.by ? Id(*each.by) : Value(Null{})}});
    }
    List in_race;
    for (const std::size_t variant : race.in_race()) in_race.push_back(Id(variant));
    List asked;
    for (std::size_t v = 0; v < race.variants(); ++v) asked.push_back(CountValue(race.UnitsAsked(v)));
    std::uint64_t left_out = 0;
    if (!race.looks().empty()) {
      for (const RacePair& pair : race.looks().back().pairs)
        left_out = std::max(left_out, pair.look.left_out);
    }
    Extend(map, {{"looks", Looks(course)},
                 {"dropped", std::move(dropped)},
                 {"in_race", std::move(in_race)},
                 {"asked", std::move(asked)},
                 {"end",
                  Object{{"n", CountValue(race.n())},
                         {"reason", race.end() == RaceEnd::kOpen ? OpenReason() : RaceEndName(race.end())}}},
                 {"left_out", CountValue(left_out)}});
  }

  static void AppendEnd(std::uint64_t n, std::string_view state, std::uint64_t left_out, Map& map) {
    Extend(map,
           {{"end", Object{{"n", CountValue(n)}, {"state", state}}}, {"left_out", CountValue(left_out)}});
  }

  const Suite& suite_;
  const UntilRun& run_;
  const Standings& standings_;
  const LookWriter looks_;
};

}  // namespace

Value LookValue(const Suite& suite, const StopRule& rule, const StopScores& scores,
                const QuestionCourse& course, std::uint64_t at) {
  const BoundQuestion& question = *course.question;
  const bool is_of_one = question.kind != Kind::kRace && question.kind != Kind::kPair;
  const bool has_variant = is_of_one && question.kind != Kind::kErrors;
  Map map = Object{{"event", "look"},
                   {"question", question.text},
                   {"variant", has_variant ? Value(suite.variants[question.a].id) : Value(Null{})}};
  if (question.IsCertain()) {
    Extend(map, {{"n", CountValue(course.n())}, {"state", CertainStateName(course.certain.state())}});
    return Value(std::move(map));
  }
  for (Member& member : LookWriter(suite, rule, scores).Look(course, at))
    map.Append(member.key, std::move(member.value));
  return Value(std::move(map));
}

Value UntilValue(const Report& report, const Standings& standings) {
  if (report.until == nullptr) return Null{};
  const UntilWriter writer(*report.suite, *report.until, standings);
  List questions;
  for (std::size_t i = 0; i < report.until->course.questions().size(); ++i)
    questions.push_back(writer.Question(i));
  return Value(std::move(questions));
}

Result<Value> UntilValue(const Report& report) {
  if (report.until == nullptr) return Value(Null{});
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report));
  return UntilValue(report, statistics->standings);
}

}  // namespace assay
