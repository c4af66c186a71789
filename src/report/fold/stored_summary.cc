// Writes and reads the summary of a run as JSON.
//
// Version 2: {"v":2,"variants":[[cells,scored,unscored,errors,skipped,partial,mean,sd?,[[name,mean,cells]...]?]
// ...],"requests","extracted"?:cells,"no_answer_found"?:cells,"request_errors","unanswered"?:{class:cells},"recorded"?:{recording:replies},
// "served"?:[[role,variant,asked,model,whether they are two,cells]...],"unnamed"?:replies,"usage":usage,
// "key_points"?:{case:[text...]},"pass_rate"?:share,
// "value"?:"best of 10","plain_mean"?:mean,"until"?:[as docs/cli.md has it],
// "stops"?:[gate that may end the run early (report/decide/until/stop_gate.h)...],
// "gates"?:[{"gate","variant","base","state","line"}...],"files"?:[path...]};
// usage is as spec/exchange/reply_places.h says, a number of null is NaN. Version 1 knew less of usage; who
// reads one folds again.
#include "report/fold/stored_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/files/sink.h"
#include "base/limits.h"
#include "report/decide/run_statistics.h"
#include "report/decide/until/until_run.h"
#include "report/values/json.h"
#include "report/values/until.h"
#include "spec/exchange/reply_places.h"
#include "spec/suite/suite.h"
#include "text/json/record.h"
#include "text/json/stored.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr int kVersion = 2;
constexpr double kCountMax = 9'007'199'254'740'991;  // 2^53 - 1

using KeyPoints = std::map<CaseIndex, std::vector<std::string>>;

// What is stored beside the numbers of variants and the totals.
struct SummaryRest {
  std::optional<double> pass_rate = {};
  std::optional<SummaryValue> value = {};
  List until = {};  // for whoever reads the store; the looks are made again from the cells
  std::vector<StopGate> stops = {};
  std::vector<GateResult> gates = {};
  std::vector<std::string> files = {};
};

// Nothing if a member is no list of texts, or of no case.
std::optional<KeyPoints> ReadKeyPoints(const Value& value, const Suite& suite) {
  if (!value.is_map()) return std::nullopt;
  std::map<std::string_view, CaseIndex> cases;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) cases.emplace(suite.cases[i].id, i);
  KeyPoints key_points;
  for (const Member& member : value.AsMap()) {
    const auto found = cases.find(member.key);
    if (found == cases.end() || !member.value.is_list()) return std::nullopt;
    std::vector<std::string>& points = key_points[found->second];
    for (const Value& point : member.value.AsList()) {
      if (!point.is_string()) return std::nullopt;
      points.push_back(point.AsString());
    }
  }
  return key_points;
}

// A state that nobody knows lets nothing pass.
GateState GateStateNamed(std::string_view name) {
  for (const GateState state : {GateState::kNone, GateState::kRegression, GateState::kCannotTell}) {
    if (name == GateStateName(state)) return state;
  }
  return GateState::kNotDefined;
}

template <class T>
struct StateName {
  T& value;
  Value Stored() const { return Value(GateStateName(value)); }
  bool Read(const Value& read) const {
    value = GateStateNamed(read.is_string() ? read.AsString() : std::string());
    return true;
  }
};

// The title of an optional value, and then its mean: without a title there is none.
template <class T>
struct ValueTitle {
  T& value;
  bool IsUsual() const { return !value; }
  Value Stored() const { return Value(value->title); }
  bool Read(const Value& read) const {
    if (read.is_string()) value = SummaryValue{.title = read.AsString(), .plain_mean = std::nan("")};
    return read.is_string();
  }
};
template <class T>
struct ValueMean {
  T& value;
  bool IsUsual() const { return !value; }
  Value Stored() const { return Value(value->plain_mean); }
  bool Read(const Value& read) const {
    if (value && read.is_number()) value->plain_mean = read.AsNumber();
    return read.is_number();
  }
};

// {name: count}
template <class T>
struct NamedCounts {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    Map map;
    for (const auto& [name, count] : value) map.Append(name, CountValue(count));
    return map;
  }
  bool Read(const Value& read) const {
    if (!read.is_map()) return false;
    for (const Member& member : read.AsMap()) {
      std::uint64_t count = 0;
      if (!record::Whole{count, kCountMax}.Read(member.value)) return false;
      value.emplace(member.key, count);
    }
    return true;
  }
};

template <class T>
struct ListAsItIs {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const { return value; }
  bool Read(const Value& read) const {
    if (read.is_list()) value = read.AsList();
    return read.is_list();
  }
};

template <class T>
struct OptionalCount {
  T& value;
  bool IsUsual() const { return !value; }
  Value Stored() const { return CountValue(*value); }
  bool Read(const Value& read) const { return record::Whole{value.emplace(), kCountMax}.Read(read); }
};

// {case: [text...]}
template <class T>
struct CasePoints {
  const Suite& suite;
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    Map by_case;
    for (const auto& [index, points] : value) by_case.Append(suite.cases[index].id, ArrayOf(points));
    return by_case;
  }
  bool Read(const Value& read) const {
    std::optional<KeyPoints> points = ReadKeyPoints(read, suite);
    if (points) value = *std::move(points);
    return points.has_value();
  }
};

template <class Gate, class Visitor>
void VisitGate(Gate& gate, Visitor&& visit) {
  visit.Always("gate", record::Loose{record::Text{gate.kind}});
  visit.Always("variant", record::Loose{record::Text{gate.variant}});
  visit.Always("base", record::Loose{record::Text{gate.base}});
  visit.Always("state", StateName{gate.state});
  visit.Always("line", record::Loose{record::Text{gate.line}});
}

template <class T>
struct Gates {
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    return ArrayOf(value, [](const GateResult& gate) {
      record::MemberMap map;
      VisitGate(gate, map);
      return map.Take();
    });
  }
  bool Read(const Value& read) const {
    if (!read.is_list()) return false;
    for (const Value& gate : read.AsList()) VisitGate(value.emplace_back(), record::MemberReader(gate));
    return true;
  }
};

}  // namespace

namespace record {

template <>
struct PlacesOf<NamedMean> {
  template <class Mean, class Visitor>
  static void Visit(Mean& mean, Visitor&& visit) {
    visit.Needed(Text{mean.name}, Real{mean.mean, Range{.takes_nan = true}}, Whole{mean.cells, kCountMax});
  }
};

template <>
struct PlacesOf<VariantSummary> {
  template <class Summary, class Visitor>
  static void Visit(Summary& summary, Visitor&& visit) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    constexpr Range kMean{.low = -kAny, .high = kAny, .takes_nan = true};
    visit.Needed(Whole{summary.cells, kCountMax}, Whole{summary.scored, kCountMax},
                 Whole{summary.unscored, kCountMax}, Whole{summary.errors, kCountMax},
                 Whole{summary.skipped, kCountMax}, Whole{summary.partial, kCountMax},
                 Real{summary.mean, kMean});
    visit(OptionalReal{summary.sd, kMean});
    visit(Records{summary.named});
  }
};

template <>
struct PlacesOf<ServedCount> {
  template <class Count, class Visitor>
  static void Visit(Count& count, Visitor&& visit) {
    visit.Needed(Whole{count.role, static_cast<double>(kLastRequestRole)},
                 Whole{count.variant, limits::kVariantsMax}, Text{count.asked}, Text{count.model},
                 Flag{count.is_other}, Whole{count.cells, kCountMax});
  }
};

}  // namespace record

namespace {

template <class Variants, class Totals, class KeyPoints, class Visitor>
void VisitTotals(const Suite& suite, Variants& variants, Totals& totals, KeyPoints& key_points,
                 Visitor&& visit) {
  visit.Needed("variants", record::Records{variants});
  visit.Needed("requests", record::Whole{totals.requests, kCountMax});
  visit.Needed("request_errors", record::Whole{totals.request_errors, kCountMax});
  visit("unanswered", NamedCounts{totals.unanswered});
  visit("extracted", record::Whole{totals.extracted, kCountMax});
  visit("no_answer_found", record::Whole{totals.no_answer_found, kCountMax});
  visit("recorded", NamedCounts{totals.recorded});
  visit("served", record::Records{totals.served});
  visit("unnamed", OptionalCount{totals.unnamed_replies});
  visit.Always("usage", UsageParts{totals.usage});
  visit("key_points", CasePoints<KeyPoints>{suite, key_points});
}

template <class Rest, class Visitor>
void VisitRest(Rest& rest, Visitor&& visit) {
  visit("pass_rate", record::OptionalReal{rest.pass_rate});
  visit("value", ValueTitle{rest.value});
  visit("plain_mean", ValueMean{rest.value});
  visit("until", ListAsItIs{rest.until});
  visit("stops", record::Records{rest.stops});
  visit("gates", Gates{rest.gates});
  visit("files", record::Texts{rest.files});
}

SummaryRest RestOf(std::string_view text) {
  SummaryRest rest;
  if (text.empty()) return rest;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (map) VisitRest(rest, record::MemberReader(*map));
  return rest;
}

// Whether a run of the suite can have come to it.
bool CanBeOf(const Suite& suite, const CellGrid& grid, const std::vector<VariantSummary>& variants,
             const RunTotals& totals) {
  std::uint64_t cells = 0;
  for (const VariantSummary& each : variants) {
    const std::uint64_t sum = each.scored + each.unscored + each.errors + each.skipped + each.partial;
    if (each.cells > limits::kCellsMax || sum != each.cells) return false;
    cells += each.cells;
  }
  return variants.size() == suite.variants.size() && cells == grid.count() &&
         std::all_of(totals.unanswered.begin(), totals.unanswered.end(),
                     [](const auto& each) { return ErrorCodeOf(each.first).has_value(); }) &&
         std::all_of(totals.served.begin(), totals.served.end(),
                     [&suite](const ServedCount& each) { return each.variant < suite.variants.size(); });
}

// Over all cells that have a score, as MeanOf is; nothing where the suite's value is a mean.
std::optional<SummaryValue> RankedValueOf(const Report& report) {
  if (report.statistics == nullptr || !report.statistics->standings.scores.is_reduced()) return std::nullopt;
  const CaseScores& scores = report.statistics->standings.scores;
  double sum = 0;
  std::uint64_t scored = 0;
  for (const VariantSummary& summary : report.variants) {
    const std::optional<double> mean = EstimateMean(scores.plain[summary.variant], scores.design()).mean;
    if (!mean) continue;
    sum += *mean * static_cast<double>(summary.scored);
    scored += summary.scored;
  }
  if (scored == 0) return std::nullopt;
  return SummaryValue{.title = scores.title, .plain_mean = sum / static_cast<double>(scored)};
}

}  // namespace

double MeanOf(const Report& report) {
  double sum = 0;
  std::uint64_t scored = 0;
  for (const VariantSummary& summary : report.variants) {
    sum += summary.mean * static_cast<double>(summary.scored);
    scored += summary.scored;
  }
  return scored == 0 ? std::nan("") : sum / static_cast<double>(scored);
}

std::optional<double> PassShareOf(const Report& report) {
  if (report.statistics == nullptr) return std::nullopt;
  PassCount all;
  for (const std::vector<PassCount>& variant : report.statistics->reliability.passes) {
    for (const PassCount& count : variant) {
      all.scored += count.scored;
      all.passed += count.passed;
    }
  }
  if (all.scored == 0) return std::nullopt;
  return static_cast<double>(all.passed) / static_cast<double>(all.scored);
}

std::string EncodeSummary(const Report& report, std::span<const GateResult> gates,
                          std::span<const std::string> files) {
  List until;
  if (report.until != nullptr && report.statistics != nullptr)
    until = UntilValue(report, report.statistics->standings).AsList();
  const SummaryRest rest{
      .pass_rate = PassShareOf(report),
      .value = RankedValueOf(report),
      .until = std::move(until),
      .stops = report.until != nullptr ? report.until->rule.gates : std::vector<StopGate>(),
      .gates = {gates.begin(), gates.end()},
      .files = {files.begin(), files.end()}};
  std::string text = fmt::format("{{\"v\":{}", kVersion);
  record::MemberWriter writer(text);
  VisitTotals(*report.suite, report.variants, report.totals, report.key_points, writer);
  VisitRest(rest, writer);
  return text + '}';
}

std::string SummaryOfBegun(std::span<const StopGate> gates) {
  if (gates.empty()) return {};
  const SummaryRest rest{.stops = {gates.begin(), gates.end()}};
  std::string text = fmt::format("{{\"v\":{}", kVersion);
  record::MemberWriter writer(text);
  VisitRest(rest, writer);
  return text + '}';
}

std::vector<StopGate> StopGatesOfSummary(std::string_view text) { return RestOf(text).stops; }

std::optional<double> PassRateOfSummary(std::string_view text) {
  const std::optional<double> share = RestOf(text).pass_rate;
  return share && *share >= 0 && *share <= 1 ? share : std::nullopt;
}

std::optional<SummaryValue> ValueOfSummary(std::string_view text) {
  std::optional<SummaryValue> value = RestOf(text).value;
  return value && !std::isnan(value->plain_mean) ? std::move(value) : std::nullopt;
}

std::vector<GateResult> GatesOfSummary(std::string_view text) { return RestOf(text).gates; }

std::vector<std::string> FilesOfSummary(std::string_view text) {
  std::vector<std::string> files = RestOf(text).files;
  std::erase_if(files, [](const std::string& path) { return !IsCleanRelative(path); });
  return files;
}

bool DecodeSummary(std::string_view text, const CellGrid& grid, Report& report) {
  if (text.empty()) return false;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map || map->NumberAt("v") != kVersion) return false;
  std::vector<VariantSummary> variants;
  RunTotals totals = report.totals;
  totals.unanswered.clear();
  totals.extracted = 0;
  totals.no_answer_found = 0;
  totals.recorded.clear();
  totals.served.clear();
  totals.usage = {};
  KeyPoints key_points;
  record::MemberReader reader(*map);
  VisitTotals(*report.suite, variants, totals, key_points, reader);
  if (!reader.good() || !CanBeOf(*report.suite, grid, variants, totals)) return false;
  for (std::size_t i = 0; i < variants.size(); ++i) variants[i].variant = static_cast<VariantIndex>(i);
  report.variants = std::move(variants);
  report.totals = std::move(totals);
  report.key_points = std::move(key_points);
  return true;
}

}  // namespace assay
