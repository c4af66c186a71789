// Writes and reads the summary of a run as JSON.
//
// Version 2: {"v":2,"variants":[[cells,scored,unscored,errors,skipped,partial,mean,sd?]...],"requests",
// "request_errors","unanswered"?:{class:cells},"recorded"?:{recording:replies},
// "served"?:[[role,variant,asked,model,whether they are two,cells]...],"unnamed"?:replies,"usage":usage,
// "key_points"?:{case:[text...]},"pass_rate"?:share,
// "value"?:"best of 10","plain_mean"?:mean,"until"?:[as docs/cli.md has it],
// "gates"?:[{"gate","variant","base","state","line"}...],"files"?:[path...]};
// the form of usage is EncodeUsage's, a number of null is NaN. Version 1 knew less of usage; who reads one
// folds again.
#include "report/fold/stored_summary.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/files/sink.h"
#include "base/limits.h"
#include "report/decide/run_statistics.h"
#include "report/values/json.h"
#include "report/values/until.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr int kVersion = 2;
constexpr double kCountMax = 9'007'199'254'740'991;  // 2^53 - 1

List VariantValue(const VariantSummary& summary) {
  List numbers{CountValue(summary.cells),  CountValue(summary.scored),  CountValue(summary.unscored),
               CountValue(summary.errors), CountValue(summary.skipped), CountValue(summary.partial),
               Value(summary.mean)};
  if (summary.sd) numbers.emplace_back(*summary.sd);
  return numbers;
}

// Reads what a store says, which may be anything; the first number that cannot be spoils the whole.
class SummaryReader {
 public:
  std::uint64_t Count(const Value* value) {
    const double number = value != nullptr && value->is_number() ? value->AsNumber() : -1;
    const bool is_count = number >= 0 && number <= kCountMax && number == std::floor(number);
    good_ = good_ && is_count;
    return is_count ? static_cast<std::uint64_t>(number) : 0;
  }
  double Number(const Value& value) {
    good_ = good_ && (value.is_null() || value.is_number());
    return value.is_number() ? value.AsNumber() : std::numeric_limits<double>::quiet_NaN();
  }
  std::map<std::string, std::uint64_t> ReadClasses(const Value& value) {
    std::map<std::string, std::uint64_t> counts;
    good_ = good_ && value.is_map() && value.AsMap().size() <= kErrorCodeCount;
    if (!good_) return counts;
    for (const Member& member : value.AsMap()) {
      good_ = good_ && ErrorCodeOf(member.key).has_value();
      counts.emplace(member.key, Count(&member.value));
    }
    return counts;
  }
  std::map<std::string, std::uint64_t> ReadRecorded(const Value& value) {
    std::map<std::string, std::uint64_t> counts;
    good_ = good_ && value.is_map();
    if (!good_) return counts;
    for (const Member& member : value.AsMap()) counts.emplace(member.key, Count(&member.value));
    return counts;
  }
  std::vector<ServedCount> ReadServed(const Value& value, std::size_t variants) {
    constexpr std::size_t kParts = 6;
    std::vector<ServedCount> counts;
    good_ = good_ && value.is_list();
    if (!good_) return counts;
    for (const Value& row : value.AsList()) {
      good_ = good_ && row.is_list() && row.AsList().size() == kParts && row.AsList()[2].is_string() &&
              row.AsList()[3].is_string() && row.AsList()[4].is_bool();
      if (!good_) return counts;
      const List& parts = row.AsList();
      const std::uint64_t role = Count(&parts[0]);
      const std::uint64_t variant = Count(&parts[1]);
      good_ = good_ && role <= static_cast<std::uint64_t>(kLastRequestRole) && variant < variants;
      counts.push_back({.role = static_cast<RequestRole>(good_ ? role : 0),
                        .variant = static_cast<VariantIndex>(good_ ? variant : 0),
                        .asked = parts[2].AsString(),
                        .model = parts[3].AsString(),
                        .is_other = parts[4].AsBool(),
                        .cells = Count(&parts[5])});
    }
    return counts;
  }
  VariantSummary ReadVariant(const Value& value, VariantIndex variant) {
    constexpr std::size_t kLeast = 7;
    good_ =
        good_ && value.is_list() && value.AsList().size() >= kLeast && value.AsList().size() <= kLeast + 1;
    if (!good_) return {};
    const List& numbers = value.AsList();
    VariantSummary summary{.variant = variant,
                           .cells = Count(&numbers[0]),
                           .scored = Count(&numbers[1]),
                           .unscored = Count(&numbers[2]),
                           .errors = Count(&numbers[3]),
                           .skipped = Count(&numbers[4]),
                           .partial = Count(&numbers[5]),
                           .mean = Number(numbers[6]),
                           .sd = {}};
    if (numbers.size() > kLeast) summary.sd = Number(numbers[kLeast]);
    const std::uint64_t sum =
        summary.scored + summary.unscored + summary.errors + summary.skipped + summary.partial;
    good_ = good_ && summary.cells <= limits::kCellsMax && sum == summary.cells;
    return summary;
  }
  bool good() const { return good_; }

 private:
  bool good_ = true;
};

Value ServedValue(const std::vector<ServedCount>& served) {
  return ArrayOf(served, [&](const ServedCount& each) {
    return List{CountValue(static_cast<std::uint64_t>(each.role)),
                CountValue(each.variant),
                Value(each.asked),
                Value(each.model),
                Value(each.is_other),
                CountValue(each.cells)};
  });
}

using KeyPoints = std::map<CaseIndex, std::vector<std::string>>;

Value KeyPointsValue(const Suite& suite, const KeyPoints& key_points) {
  Map by_case;
  for (const auto& [index, points] : key_points) by_case.Append(suite.cases[index].id, ArrayOf(points));
  return by_case;
}

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

Value GateValues(std::span<const GateResult> gates) {
  return ArrayOf(gates, [&](const GateResult& gate) {
    return Object{{"gate", gate.kind},
                  {"variant", gate.variant},
                  {"base", gate.base},
                  {"state", GateStateName(gate.state)},
                  {"line", gate.line}};
  });
}

// A state that nobody knows lets nothing pass.
GateState GateStateNamed(std::string_view name) {
  for (const GateState state : {GateState::kNone, GateState::kRegression, GateState::kCannotTell}) {
    if (name == GateStateName(state)) return state;
  }
  return GateState::kNotDefined;
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
  Map map = Object{{"v", kVersion},
                   {"variants", ArrayOf(report.variants, VariantValue)},
                   {"requests", CountValue(report.totals.requests)},
                   {"request_errors", CountValue(report.totals.request_errors)}};
  Map unanswered;
  for (const auto& [error_class, cells] : report.totals.unanswered)
    unanswered.Append(error_class, CountValue(cells));
  if (!unanswered.empty()) map.Append("unanswered", std::move(unanswered));
  Map recorded;
  for (const auto& [recording, replies] : report.totals.recorded)
    recorded.Append(recording, CountValue(replies));
  Extend(map,
         {{"recorded", UnlessEmpty(std::move(recorded))},
          {"served", !report.totals.served.empty() ? ServedValue(report.totals.served) : Value()},
          {"unnamed", report.totals.unnamed_replies ? CountValue(*report.totals.unnamed_replies) : Value()},
          {"usage", EncodeUsage(report.totals.usage)},
          {"key_points",
           !report.key_points.empty() ? KeyPointsValue(*report.suite, report.key_points) : Value()}});
  if (const std::optional<double> rate = PassShareOf(report)) map.Append("pass_rate", *rate);
  if (const std::optional<SummaryValue> value = RankedValueOf(report)) {
    Extend(map, {{"value", value->title}, {"plain_mean", value->plain_mean}});
  }
  if (report.until != nullptr && report.statistics != nullptr)
    map.Append("until", UntilValue(report, report.statistics->standings));
  Extend(map, {{"gates", !gates.empty() ? Value(GateValues(gates)) : Value()},
               {"files", UnlessEmpty(ArrayOf(files))}});
  return WriteJson(Value(std::move(map)), JsonStyle::kJavaScript);
}

std::optional<double> PassRateOfSummary(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  const std::optional<double> share = map ? map->NumberAt("pass_rate") : std::nullopt;
  return share && *share >= 0 && *share <= 1 ? share : std::nullopt;
}

std::optional<SummaryValue> ValueOfSummary(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map) return std::nullopt;
  const std::string* title = FindText(*map, "value");
  const std::optional<double> mean = map->NumberAt("plain_mean");
  if (title == nullptr || !mean) return std::nullopt;
  return SummaryValue{.title = *title, .plain_mean = *mean};
}

std::vector<GateResult> GatesOfSummary(std::string_view text) {
  std::vector<GateResult> gates;
  if (text.empty()) return gates;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map) return gates;
  for (const Value& value : map->ListAt("gates")) {
    gates.push_back({.kind = value.TextAt("gate"),
                     .variant = value.TextAt("variant"),
                     .base = value.TextAt("base"),
                     .state = GateStateNamed(value.TextAt("state")),
                     .line = value.TextAt("line")});
  }
  return gates;
}

std::vector<std::string> FilesOfSummary(std::string_view text) {
  std::vector<std::string> files;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map) return files;
  for (const Value& path : map->ListAt("files"))
    if (path.is_string() && IsCleanRelative(path.AsString())) files.push_back(path.AsString());
  return files;
}

bool DecodeSummary(std::string_view text, const CellGrid& grid, Report& report) {
  if (text.empty()) return false;
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map || !map->is_map()) return false;
  const List* list = FindList(*map, "variants");
  if (map->NumberAt("v") != kVersion || list == nullptr || list->size() != report.suite->variants.size())
    return false;
  SummaryReader reader;
  std::vector<VariantSummary> variants;
  std::uint64_t cells = 0;
  for (const Value& value : *list) {
    variants.push_back(reader.ReadVariant(value, static_cast<VariantIndex>(variants.size())));
    cells += variants.back().cells;
  }
  RunTotals totals = report.totals;
  totals.requests = reader.Count(map->Find("requests"));
  totals.request_errors = reader.Count(map->Find("request_errors"));
  if (const Value* unanswered = map->Find("unanswered")) totals.unanswered = reader.ReadClasses(*unanswered);
  if (const Value* recorded = map->Find("recorded")) totals.recorded = reader.ReadRecorded(*recorded);
  if (const Value* served = map->Find("served"))
    totals.served = reader.ReadServed(*served, report.suite->variants.size());
  if (const Value* unnamed = map->Find("unnamed")) totals.unnamed_replies = reader.Count(unnamed);
  const Value* stated = map->Find("usage");
  Result<UsageByRole> usage = stated != nullptr ? DecodeUsage(*stated) : UsageByRole();
  if (!usage) return false;
  totals.usage = *std::move(usage);
  const Value* points = map->Find("key_points");
  std::optional<KeyPoints> key_points = KeyPoints();
  if (points != nullptr) key_points = ReadKeyPoints(*points, *report.suite);
  if (!reader.good() || cells != grid.count() || !key_points) return false;
  report.variants = std::move(variants);
  report.totals = totals;
  report.key_points = *std::move(key_points);
  return true;
}

}  // namespace assay
