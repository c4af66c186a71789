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
constexpr std::size_t kLooksKept = 10;      // else the last ones, since bounds take a search each

class UntilWriter {
 public:
  UntilWriter(const Suite& suite, const UntilRun& run, const Standings& standings)
      : suite_(suite), run_(run), standings_(standings) {}

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
        AppendRace(*course.race, map);
        break;
      case Kind::kPair:
      case Kind::kGate:
        map.Append("looks", PairLooks(course));
        AppendEnd(course.pair.n, course.is_closed ? PairStateName(course.pair.state) : OpenReason(),
                  course.pair.left_out, map);
        break;
      case Kind::kLevel:
        map.Append("looks", LevelLooks(course));
        AppendEnd(course.level.n,
                  course.level.is_decided ? "decided"
                  : course.is_closed      ? "all"
                                          : OpenReason(),
                  course.level.left_out, map);
        break;
      default:
        map.Append("looks", List());
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

  template <class Looks>
  std::size_t FirstTold(const Looks& looks) const {
    const bool is_small = run_.rule.table.units() * run_.rule.names.size() <= kSmallRun;
    return is_small || looks.size() <= kLooksKept ? 0 : looks.size() - kLooksKept;
  }

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

  Value PairLooks(const QuestionCourse& course) const {
    const BoundQuestion& question = *course.question;
    List looks;
    const auto samples = run_.scores.samples();
    for (std::size_t i = FirstTold(course.pair.looks); i < course.pair.looks.size(); ++i) {
      looks.emplace_back(PairLookMap(course.pair.looks[i], run_.rule.TableOf(question),
                                     samples[question.a].cases, SecondOf(question, samples), question.pair));
    }
    return Value(std::move(looks));
  }

  Value LevelLooks(const QuestionCourse& course) const {
    List looks;
    for (std::size_t i = FirstTold(course.level.looks); i < course.level.looks.size(); ++i) {
      const LevelLook& look = course.level.looks[i];
      looks.emplace_back(
          Object{{"n", CountValue(look.n)}, {"lo", look.bounds.low}, {"hi", look.bounds.high}});
    }
    return Value(std::move(looks));
  }

  Value RaceLooks(const Race& race) const {
    List looks;
    const auto samples = run_.scores.samples();
    for (std::size_t i = FirstTold(race.looks()); i < race.looks().size(); ++i) {
      const RaceLook& look = race.looks()[i];
      List pairs;
      for (const RacePair& pair : look.pairs) {
        Map map = Object{{"against", Id(pair.against)}};
        for (Member& member : PairLookMap(pair.look, run_.rule.table, samples[look.leader].cases,
                                          samples[pair.against].cases, race.pair_question())) {
          if (member.key != "n") map.Append(member.key, std::move(member.value));
        }
        pairs.emplace_back(std::move(map));
      }
      looks.emplace_back(
          Object{{"n", CountValue(look.n)}, {"leader", Id(look.leader)}, {"pairs", std::move(pairs)}});
    }
    return Value(std::move(looks));
  }

  void AppendRace(const Race& race, Map& map) const {
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
    Extend(map, {{"looks", RaceLooks(race)},
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
};

}  // namespace

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
