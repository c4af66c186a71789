// Summaries as JSON.
//
// Version 1: {"v":1,"variants":[[cells,scored,unscored,errors,skipped,partial,mean,sd?]...],"requests",
// "request_errors","unanswered"?:{class:cells},"candidate"?:usage,"judge"?:usage,"key_points"?:{case:[text...]}}; a
// usage is [input, output, reasoning, cached read, cached written], a number of null is NaN.
#include "report/stored_summary.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr double kCountMax = 9'007'199'254'740'991;  // 2^53 - 1
constexpr std::string_view kKeyPoints = "extractedKeyPoints";

Value CountValue(std::uint64_t count) { return Value(static_cast<double>(count)); }

List VariantValue(const VariantSummary& summary) {
  List numbers{CountValue(summary.cells),  CountValue(summary.scored),  CountValue(summary.unscored),
               CountValue(summary.errors), CountValue(summary.skipped), CountValue(summary.partial),
               Value(summary.mean)};
  if (summary.sd) numbers.emplace_back(*summary.sd);
  return numbers;
}

void AppendUsage(std::string key, const Usage& usage, Map& map) {
  if (!usage.known) return;
  map.Append(std::move(key),
             List{Value(static_cast<double>(usage.input_tokens)),
                  Value(static_cast<double>(usage.output_tokens)),
                  Value(static_cast<double>(usage.reasoning_tokens)),
                  Value(static_cast<double>(usage.cached_read_tokens)),
                  Value(static_cast<double>(usage.cached_write_tokens))});
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
  Usage ReadUsage(const Value* value) {
    if (value == nullptr) return {};
    constexpr std::size_t kNumbers = 5;
    good_ = good_ && value->is_list() && value->AsList().size() == kNumbers;
    if (!good_) return {};
    const auto tokens = [&](std::size_t i) { return static_cast<std::int64_t>(Count(&value->AsList()[i])); };
    return {.input_tokens = tokens(0),
            .output_tokens = tokens(1),
            .reasoning_tokens = tokens(2),
            .known = true,
            .cached_read_tokens = tokens(3),
            .cached_write_tokens = tokens(4)};
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
  VariantSummary ReadVariant(const Value& value, VariantIndex variant) {
    constexpr std::size_t kLeast = 7;
    good_ = good_ && value.is_list() && value.AsList().size() >= kLeast && value.AsList().size() <= kLeast + 1;
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

bool AreKeyPoints(const Value& value) {
  if (!value.is_map()) return false;
  for (const Member& member : value.AsMap()) {
    if (!member.value.is_list()) return false;
    for (const Value& point : member.value.AsList()) {
      if (!point.is_string()) return false;
    }
  }
  return true;
}

}  // namespace

std::string EncodeSummary(const Report& report) {
  Map map;
  map.Append("v", 1);
  List variants;
  for (const VariantSummary& summary : report.variants) variants.emplace_back(VariantValue(summary));
  map.Append("variants", std::move(variants));
  map.Append("requests", CountValue(report.totals.requests));
  map.Append("request_errors", CountValue(report.totals.request_errors));
  Map unanswered;
  for (const auto& [error_class, cells] : report.totals.unanswered)
    unanswered.Append(error_class, CountValue(cells));
  if (!unanswered.empty()) map.Append("unanswered", std::move(unanswered));
  AppendUsage("candidate", report.totals.candidate_usage, map);
  AppendUsage("judge", report.totals.judge_usage, map);
  const auto points = report.suite_values.find(std::string(kKeyPoints));
  if (points != report.suite_values.end()) map.Append("key_points", points->second);
  return WriteJson(Value(std::move(map)), JsonStyle::kJavaScript);
}

bool DecodeSummary(std::string_view text, const CellGrid& grid, Report& report) {
  if (text.empty()) return false;
  const Result<Value> map = ParseJson(text);
  if (!map || !map->is_map()) return false;
  const Value* version = map->Find("v");
  const Value* list = map->Find("variants");
  const bool is_known = version != nullptr && version->is_number() && version->AsNumber() == 1;
  if (!is_known || list == nullptr || !list->is_list() ||
      list->AsList().size() != report.suite->variants.size())
    return false;
  SummaryReader reader;
  std::vector<VariantSummary> variants;
  std::uint64_t cells = 0;
  for (const Value& value : list->AsList()) {
    variants.push_back(reader.ReadVariant(value, static_cast<VariantIndex>(variants.size())));
    cells += variants.back().cells;
  }
  RunTotals totals = report.totals;
  totals.requests = reader.Count(map->Find("requests"));
  totals.request_errors = reader.Count(map->Find("request_errors"));
  if (const Value* unanswered = map->Find("unanswered"))
    totals.unanswered = reader.ReadClasses(*unanswered);
  totals.candidate_usage = reader.ReadUsage(map->Find("candidate"));
  totals.judge_usage = reader.ReadUsage(map->Find("judge"));
  const Value* points = map->Find("key_points");
  if (!reader.good() || cells != grid.count() || (points != nullptr && !AreKeyPoints(*points))) return false;
  report.variants = std::move(variants);
  report.totals = totals;
  if (points != nullptr) report.suite_values.emplace(kKeyPoints, *points);
  return true;
}

}  // namespace assay
