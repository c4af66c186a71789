// Golden files of runs that end early: orders, bounds, looks, races and forecasts.
#include <algorithm>
#include <functional>

#include "statistics/sequential/bounds.h"
#include "statistics/sequential/gate.h"
#include "statistics/sequential/order.h"
#include "statistics/sequential/stop_sentences.h"
#include "tests/conformance/conformance.h"
#include "tests/conformance/number_values.h"
#include "tests/conformance/statistics_values.h"

namespace assay::conformance {
namespace {

std::uint64_t Count(const Value& in, std::string_view key) {
  return static_cast<std::uint64_t>(Get(in, key).AsNumber());
}
double NumberIn(const Value& in, std::string_view key) {
  return Get(in, key).is_number() ? Get(in, key).AsNumber() : 0;
}
std::optional<std::uint64_t> EveryOf(const Value& in) {
  if (!Get(in, "batch").is_number()) return std::nullopt;
  return Count(in, "batch");
}
std::optional<double> WithinOf(const Value& in) {
  return Get(in, "by").is_number() ? std::optional(NumberIn(in, "by")) : std::nullopt;
}
Promise PromiseOf(const Value& in) {
  return GetText(in, "promise") == "world" ? Promise::kWorld : Promise::kSuite;
}
std::vector<std::string> TextsOf(const Value& list) {
  std::vector<std::string> texts;
  for (const Value& text : list.AsList()) texts.push_back(text.AsString());
  return texts;
}

Value RunUnitOrder(const Value& in) {
  const std::vector<std::string> units = TextsOf(Get(in, "units"));
  List order;
  for (const std::size_t unit : OrderOfUnits(units, GetText(in, "seed"))) order.emplace_back(units[unit]);
  return Value(MapOf().With("order", std::move(order)).map);
}

Value RunLooks(const Value& in) {
  List looks;
  for (const std::uint64_t n : LookPlaces(Count(in, "units"), EveryOf(in))) looks.push_back(NumberOf(n));
  return Value(MapOf().With("looks", std::move(looks)).map);
}

Value RunBound(const Value& in) {
  BoundRule rule{.population = {}, .alpha = NumberIn(in, "alpha")};
  if (Get(in, "population").is_number()) rule.population = Count(in, "population");
  const BettingBounds bounds(Numbers(Get(in, "values")), {NumberIn(in, "low"), NumberIn(in, "high")},
                             Count(in, "plan"));
  return Value(MapOf().With("lo", bounds.Lower(rule)).With("hi", bounds.Upper(rule)).map);
}

// How sentences show limits: as they are, or as rows do that show 0 for a limit above 0.
enum class Limits { kExact, kWithZeros };

Interval WithZeros(const Interval& limits) {
  const double step = limits.high - limits.low < 0.02 ? 0.001 : 0.01;
  const auto rounded = [step](double limit) { return limit > 0 && limit < step / 2 ? 0 : limit; };
  return {rounded(limits.low), rounded(limits.high)};
}

PairBounds Shown(PairBounds bounds, Limits limits) {
  if (limits == Limits::kExact) return bounds;
  return {
      .suite = WithZeros(bounds.suite), .world = WithZeros(bounds.world), .square_low = bounds.square_low};
}

MapOf PairLookValue(const PairLook& look, const PairBounds& bounds) {
  MapOf out;
  out.With("n", NumberOf(look.n)).With("mean", look.mean);
  out.With("lo", bounds.suite.low).With("hi", bounds.suite.high);
  out.With("world_lo", bounds.world.low).With("world_hi", bounds.world.high);
  out.With("square_lo", NumberOf(bounds.square_low)).With("state", PairStateName(look.state));
  return out;
}

// A pair that is followed to its end.
struct RowPair {
  RowDesign row;
  Sample a;
  Sample b;
  UnitTable table;
  PairQuestion question;
  PairCourse course;

  RowPair(const Value& in, std::string_view name_a, std::string_view name_b, PairQuestion asked)
      : row(in),
        a(SampleOf(Get(in, name_a))),
        b(SampleOf(Get(in, name_b))),
        table(a.cases.size(), row.design),
        question(asked),
        course(FollowPair(table, a.cases, b.cases, question, LookPlaces(table.units(), EveryOf(in)))) {}

  PairBounds BoundsAt(std::uint64_t n) const { return BoundsOfPair(table, a.cases, b.cases, question, n); }
  PairBounds LastBounds() const {
    return course.looks.empty() ? PairBounds() : BoundsAt(course.looks.back().n);
  }
  Value Out(const std::string& sentence) const {
    List looks;
    for (const PairLook& look : course.looks) looks.emplace_back(PairLookValue(look, BoundsAt(look.n)).map);
    MapOf end;
    end.With("n", NumberOf(course.n)).With("state", PairStateName(course.state));
    return Value(MapOf()
                     .With("units", NumberOf(table.units()))
                     .With("looks", std::move(looks))
                     .With("end", std::move(end.map))
                     .With("left_out", NumberOf(course.left_out))
                     .With("sentence", sentence)
                     .map);
  }
};

Value RunStopPair(const Value& in, Limits) {
  const RowPair pair(
      in, "a", "b",
      {.promise = PromiseOf(in), .margin = NumberIn(in, "delta"), .within = WithinOf(in), .share = 1});
  const std::vector<std::string> names = TextsOf(Get(in, "names"));
  return pair.Out(PairStopSentence(names[0], names[1], pair.table, pair.question, pair.course));
}

Value RunStopGate(const Value& in, Limits limits) {
  const RowPair pair(in, "new", "base", GateQuestion(NumberIn(in, "delta"), Count(in, "gates")));
  return pair.Out(GateStopSentence(pair.table, pair.question, pair.course, Shown(pair.LastBounds(), limits)));
}

// The looks of a race, the variants by name.
List RaceLooks(const Race& race, std::span<const Sample> samples, std::span<const std::string> names) {
  List looks;
  for (const RaceLook& look : race.looks()) {
    List pairs;
    for (const RacePair& pair : look.pairs) {
      const PairBounds bounds = BoundsOfPair(race.table(), samples[look.leader].cases,
                                             samples[pair.against].cases, race.pair_question(), look.n);
      pairs.emplace_back(PairLookValue(pair.look, bounds).With("against", names[pair.against]).map);
    }
    looks.emplace_back(MapOf()
                           .With("n", NumberOf(look.n))
                           .With("leader", names[look.leader])
                           .With("pairs", std::move(pairs))
                           .map);
  }
  return looks;
}

Value RunRace(const Value& in, Limits limits) {
  const RowDesign row(in);
  const std::vector<std::string> names = TextsOf(Get(in, "names"));
  std::vector<Sample> samples;
  for (const Value& cases : Get(in, "variants").AsList()) samples.push_back(SampleOf(cases));
  const UnitTable table(samples.front().cases.size(), row.design);
  const Race race = FollowRace(table, samples, {.promise = PromiseOf(in), .within = WithinOf(in)},
                               LookPlaces(table.units(), EveryOf(in)));
  List dropped;
  for (const DroppedVariant& one : race.dropped()) {
    dropped.emplace_back(MapOf()
                             .With("name", names[one.variant])
                             .With("after", NumberOf(one.after))
                             .With("by", one.by ? Value(names[*one.by]) : Value(Null{}))
                             .map);
  }
  List in_race;
  for (const std::size_t variant : race.in_race()) in_race.emplace_back(names[variant]);
  List asked;
  for (std::size_t variant = 0; variant < names.size(); ++variant)
    asked.push_back(NumberOf(race.UnitsAsked(variant)));
  std::optional<PairBounds> bounds;
  if (const std::optional<std::size_t> last = DroppedLast(race)) {
    const std::size_t leader = race.looks().back().leader;
    bounds = Shown(
        BoundsOfPair(table, samples[leader].cases, samples[*last].cases, race.pair_question(), race.n()),
        limits);
  }
  MapOf end;
  end.With("n", NumberOf(race.n())).With("reason", RaceEndName(race.end()));
  return Value(MapOf()
                   .With("units", NumberOf(table.units()))
                   .With("looks", RaceLooks(race, samples, names))
                   .With("dropped", std::move(dropped))
                   .With("in_race", std::move(in_race))
                   .With("end", std::move(end.map))
                   .With("asked", std::move(asked))
                   .With("sentence", RaceSentence(names, race, bounds))
                   .map);
}

Value RunLevel(const Value& in, Limits limits) {
  const RowDesign row(in);
  const Sample sample = SampleOf(Get(in, "cases"));
  const UnitTable table(sample.cases.size(), row.design);
  LevelCourse course =
      FollowLevel(table, sample.cases, NumberIn(in, "half"), LookPlaces(table.units(), EveryOf(in)));
  List looks;
  for (const LevelLook& look : course.looks) {
    looks.emplace_back(
        MapOf().With("n", NumberOf(look.n)).With("lo", look.bounds.low).With("hi", look.bounds.high).map);
  }
  if (limits == Limits::kWithZeros && course.is_decided)
    course.looks.back().bounds = WithZeros(course.looks.back().bounds);
  MapOf end;
  end.With("n", NumberOf(course.n)).With("state", course.is_decided ? "decided" : "all");
  return Value(MapOf()
                   .With("units", NumberOf(table.units()))
                   .With("looks", std::move(looks))
                   .With("end", std::move(end.map))
                   .With("left_out", NumberOf(course.left_out))
                   .With("sentence", LevelStopSentence(GetText(in, "name"), table, course))
                   .map);
}

ForecastQuestion ForecastQuestionOf(const Value& in) {
  return {.units = Count(in, "units"),
          .spread = NumberIn(in, "sd"),
          .gap = NumberIn(in, "gap"),
          .promise = PromiseOf(in),
          .share = std::max<std::size_t>(static_cast<std::size_t>(NumberIn(in, "pairs")), 1)};
}

Value RunForecast(const Value& in) {
  const ForecastQuestion question = ForecastQuestionOf(in);
  const Forecast forecast = ForecastPair(question, LookPlaces(question.units));
  return Value(
      MapOf()
          .With("median", NumberOf(forecast.median))
          .With("p90", NumberOf(forecast.most))
          .With("sentence", Text(ForecastSentence(question.gap, forecast, question.units, question.units)))
          .map);
}

Value RunWidth(const Value& in) {
  return Value(
      MapOf()
          .With("value", BoundWidth(NumberIn(in, "information"), NumberIn(in, "alpha"), Count(in, "units")))
          .map);
}

Value RunForecastRace(const Value& in) {
  const ForecastQuestion question = ForecastQuestionOf(in);
  const std::vector<double> gaps = Numbers(Get(in, "gaps"));
  const RaceForecasts forecasts = ForecastRace(question, gaps, LookPlaces(question.units));
  const auto value = [](const RaceForecast& race) {
    List each;
    for (const std::uint64_t n : race.each) each.push_back(NumberOf(n));
    return MapOf()
        .With("each", std::move(each))
        .With("end", NumberOf(race.end))
        .With("cells", NumberOf(race.asked))
        .map;
  };
  return Value(MapOf()
                   .With("median", value(forecasts.median))
                   .With("p90", value(forecasts.most))
                   .With("all", NumberOf(std::uint64_t{(gaps.size() + 1) * question.units}))
                   .map);
}

// A row with a sentence. Some rows show 0 for a limit above 0, which the text that they illustrate forbids:
// all else of such a row is compared, and the row is skipped.
template <Value (*kRun)(const Value&, Limits)>
void RunStopRow(const Value& row, Outcome& outcome) {
  const auto differences = [&row](Limits limits) {
    std::vector<std::string> wrong;
    StatisticsCompare(GetText(row, "name"), "", Get(row, "out"), kRun(Get(row, "in"), limits), wrong);
    return wrong;
  };
  const std::vector<std::string> wrong = differences(Limits::kExact);
  if (wrong.empty()) return outcome.Pass();
  if (differences(Limits::kWithZeros).empty())
    return outcome.Skip("the row shows 0 for a limit above 0; all else of it is right");
  outcome.Fail(outcome.place + ": " + wrong.front());
}

}  // namespace

std::span<const KindRow> SequentialKinds() {
  static const KindRow rows[] = {
      {"sequential/order.jsonl", "order", RunStatisticsRow<RunUnitOrder>},
      {"sequential/order.jsonl", "looks", RunStatisticsRow<RunLooks>},
      {"sequential/bound.jsonl", "bound", RunStatisticsRow<RunBound>},
      {"sequential/pair.jsonl", "pair", RunStopRow<RunStopPair>},
      {"sequential/gate.jsonl", "gate", RunStopRow<RunStopGate>},
      {"sequential/race.jsonl", "race", RunStopRow<RunRace>},
      {"sequential/mean.jsonl", "mean", RunStopRow<RunLevel>},
      {"sequential/forecast.jsonl", "forecast", RunStatisticsRow<RunForecast>},
      {"sequential/forecast.jsonl", "width", RunStatisticsRow<RunWidth>},
      {"sequential/forecast.jsonl", "forecast_race", RunStatisticsRow<RunForecastRace>},
  };
  return rows;
}

}  // namespace assay::conformance
