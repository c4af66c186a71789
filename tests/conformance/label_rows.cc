// Golden files of labels: units, strata and queue of a draw, and the estimate from labelled units.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "statistics/agreement/draw.h"
#include "statistics/agreement/drawn_labels.h"
#include "tests/conformance/conformance.h"
#include "tests/conformance/number_values.h"

namespace assay::conformance {
namespace {

constexpr double kLabelTolerance = 1e-9;

bool IsLabelClose(const Value& want, const Value& got, bool is_relative) {
  if (!want.is_number() || !got.is_number()) return SameValue(want, got);
  const double w = want.AsNumber();
  return std::abs(w - got.AsNumber()) <=
         kLabelTolerance * (is_relative ? std::abs(w) : std::max(1.0, std::abs(w)));
}

// What the golden row says; what is computed may say more.
void LabelCompare(const std::string& what, const Value& want, const Value& got, Outcome& outcome,
                  bool& is_same) {
  if (want.is_map() && got.is_map()) {
    for (const Member& member : want.AsMap())
      LabelCompare(what + "." + member.key, member.value, Get(got, member.key), outcome, is_same);
  } else if (want.is_list() && got.is_list() && want.AsList().size() == got.AsList().size()) {
    for (std::size_t i = 0; i < want.AsList().size(); ++i)
      LabelCompare(what + "[" + std::to_string(i) + "]", want.AsList()[i], got.AsList()[i], outcome, is_same);
  } else if (!IsLabelClose(want, got, what.ends_with(".p_like")) && is_same) {
    outcome.Fail(outcome.place + ": " + what + ": want " + Show(want) + ", got " + Show(got));
    is_same = false;
  }
}

Value Places(std::span<const std::uint32_t> places) {
  List list;
  for (const std::uint32_t place : places) list.push_back(NumberOf(std::uint64_t{place}));
  return list;
}

double AsShare(std::uint64_t place) { return std::ldexp(static_cast<double>(place), -64); }

std::uint64_t Whole(const Value& in, std::string_view key) {
  return static_cast<std::uint64_t>(Get(in, key).AsNumber());
}

// A unit with what its verdicts came to.
struct RowUnit {
  std::uint64_t first = 0;
  std::uint64_t times = 0;
  UnitVotes votes;
};

// Units in the order in which they first appear.
std::vector<DrawUnit> LabelUnitsOf(const Value& in, std::vector<RowUnit>& rows) {
  const LabelUnit kind = *LabelUnitOf(GetText(in, "unit"));
  std::map<DrawPlace, std::size_t> found;
  std::vector<DrawUnit> units;
  const List& verdicts = Get(in, "verdicts").AsList();
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const DrawPlace place = PlaceOfUnit(kind, Whole(in, "seed"),
                                        {.criterion = GetText(verdicts[i], "criterion"),
                                         .question = GetText(verdicts[i], "question"),
                                         .answer = GetText(verdicts[i], "answer")});
    const auto [at, is_new] = found.emplace(place, rows.size());
    if (is_new) {
      rows.push_back({.first = i, .votes = {}});
      units.push_back({.place = place});
    }
    RowUnit& row = rows[at->second];
    ++row.times;
    for (const Member& judge : Get(verdicts[i], "votes").AsMap()) {
      for (const Value& vote : judge.value.AsList()) row.votes.Add(judge.key, vote.AsNumber());
    }
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].judges = rows[i].votes.Mean();
    units[i].range = rows[i].votes.Range();
  }
  return units;
}

// A golden row calls a unit by the index of its first verdict.
std::vector<std::uint32_t> AsRows(std::span<const std::uint32_t> units, const std::vector<RowUnit>& rows) {
  std::vector<std::uint32_t> firsts;
  for (const std::uint32_t unit : units) firsts.push_back(static_cast<std::uint32_t>(rows[unit].first));
  return firsts;
}

Value RunDraw(const Value& in) {
  std::vector<RowUnit> rows;
  const std::vector<DrawUnit> units = LabelUnitsOf(in, rows);
  List told;
  for (std::size_t i = 0; i < units.size(); ++i) {
    Map map;
    map.Append("first", NumberOf(rows[i].first));
    map.Append("times", NumberOf(rows[i].times));
    map.Append("place", HexOf(units[i].place.number));
    map.Append("r", AsShare(units[i].place.number));
    map.Append("judges", units[i].judges);
    map.Append("range", units[i].range);
    told.emplace_back(std::move(map));
  }
  const Draw draw = DrawUnits(units, Whole(in, "n"));
  List strata;
  for (const DrawStratum& stratum : draw.strata) {
    Map map;
    List cells;
    for (const std::uint8_t cell : stratum.cells) cells.emplace_back(DrawCellName(cell));
    map.Append("cells", std::move(cells));
    map.Append("size", NumberOf(std::uint64_t{stratum.order.size()}));
    map.Append("room", NumberOf(stratum.room));
    map.Append("order", Places(AsRows(stratum.order, rows)));
    strata.emplace_back(std::move(map));
  }
  Map out;
  out.Append("units", std::move(told));
  out.Append("strata", std::move(strata));
  out.Append("queue", Places(AsRows(draw.queue, rows)));
  return Value(std::move(out));
}

Value RunOrder(const Value& in) {
  std::vector<DrawPlace> places;
  for (const Value& unit : Get(in, "units").AsList())
    places.push_back(
        {.number = std::stoull(GetText(unit, "place"), nullptr, 16), .text = GetText(unit, "text")});
  std::vector<std::uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&places](std::uint32_t a, std::uint32_t b) { return places[a] < places[b]; });
  Map out;
  out.Append("order", Places(order));
  return Value(std::move(out));
}

Value RunPair(const Value& in) {
  const List& answers = Get(in, "answers").AsList();
  const std::string& one = answers[0].AsString();
  const std::string& other = answers[1].AsString();
  const DrawPlace place =
      PlaceOfUnit(LabelUnit::kPair, Whole(in, "seed"),
                  {.criterion = "", .question = GetText(in, "question"), .answer = PairDigests(one, other)});
  Map out;
  out.Append("place", HexOf(place.number));
  out.Append("r", AsShare(place.number));
  out.Append("left", LeftOfPair(Whole(in, "seed"), GetText(in, "question"), one, other, GetText(in, "who")));
  return Value(std::move(out));
}

// What today's estimator says of the same labels, where there is one stratum.
Value TodayOf(std::vector<LabelledUnit> units, std::uint64_t drawn) {
  std::sort(units.begin(), units.end(),
            [](const LabelledUnit& a, const LabelledUnit& b) { return a.place < b.place; });
  std::vector<double> labels, judged, others;
  for (std::size_t i = 0; i < units.size(); ++i) {
    (i < drawn ? judged : others).push_back(units[i].judges);
    if (i < drawn) labels.push_back(units[i].label);
  }
  const LabelEstimate today = EstimateFromLabels({.labels = labels, .judged = judged, .unlabelled = others});
  Map map;
  map.Append("lam", NumberOf(today.lambda));
  map.Append("estimate", NumberOf(today.estimate));
  return Value(std::move(map));
}

Value RunEstimate(const Value& in) {
  std::vector<LabelledUnit> units;
  bool are_strata_known = false;
  for (const Value& row : Get(in, "units").AsList()) {
    const List& fields = row.AsList();
    LabelledUnit& unit = units.emplace_back();
    unit.place = std::stoull(fields[0].AsString(), nullptr, 16);
    are_strata_known = fields[1].is_number();
    if (are_strata_known) unit.stratum = static_cast<std::uint32_t>(fields[1].AsNumber());
    unit.judges = fields[2].AsNumber();
    unit.cluster = static_cast<std::uint32_t>(units.size());
    if (fields.size() < 4) continue;
    unit.state = fields[3].is_number() ? LabelState::kGiven : LabelState::kSkipped;
    if (fields[3].is_number()) unit.label = fields[3].AsNumber();
  }
  const DrawnEstimate result = EstimateFromDraw(units, are_strata_known);
  const bool is_picked = result.mode == LabelMode::kPicked;
  Map out;
  out.Append("mode", LabelModeName(result.mode));
  out.Append("labels", NumberOf(result.labels));
  out.Append("drawn", NumberOf(result.drawn));
  out.Append("not_drawn", NumberOf(result.not_drawn));
  out.Append("skipped", NumberOf(result.skipped));
  out.Append("n", NumberOf(result.given));
  out.Append("N", NumberOf(result.units));
  out.Append("strata_used", result.strata ? NumberOf(std::uint64_t{*result.strata}) : Value(Null{}));
  out.Append("judge_mean", NumberOf(result.judge_mean));
  out.Append("lam", NumberOf(result.lambda));
  out.Append("estimate", NumberOf(result.estimate));
  out.Append("se", NumberOf(result.se));
  out.Append("df", NumberOf(result.df));
  out.Append("interval_here", PairOf(result.interval_here));
  out.Append("interval", PairOf(result.interval));
  out.Append("bias", NumberOf(result.bias));
  // The rows leave out the interval that spec/statistics.md §10 has of picked labels.
  out.Append("bias_interval", is_picked ? Value(Null{}) : PairOf(result.bias_interval));
  out.Append("p_like", NumberOf(result.p_like));
  out.Append("low_if", NumberOf(result.low_if));
  out.Append("high_if", NumberOf(result.high_if));
  out.Append("hint", result.is_hint());
  out.Append("label_all", result.should_label_all());
  const std::string_view why = WhyCode(result.why);
  out.Append("reason", why.empty() ? Value(Null{}) : Value(why));
  out.Append("today", TodayOf(units, result.drawn));
  return Value(std::move(out));
}

template <Value (*kRun)(const Value&)>
void RunLabelRow(const Value& row, Outcome& outcome) {
  bool is_same = true;
  LabelCompare(GetText(row, "name"), Get(row, "out"), kRun(Get(row, "in")), outcome, is_same);
  if (is_same) outcome.Pass();
}

}  // namespace

std::span<const KindRow> LabelKinds() {
  static const KindRow rows[] = {
      {.suffix = "labels/draw.jsonl", .kind = "draw", .run = RunLabelRow<RunDraw>},
      {.suffix = "labels/draw.jsonl", .kind = "order", .run = RunLabelRow<RunOrder>},
      {.suffix = "labels/draw.jsonl", .kind = "pair", .run = RunLabelRow<RunPair>},
      {.suffix = "labels/estimate.jsonl", .kind = "estimate", .run = RunLabelRow<RunEstimate>},
  };
  return rows;
}

}  // namespace assay::conformance
