// Reads golden rows of statistics, and compares their numbers.
#include "tests/conformance/statistics_values.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::conformance {

namespace {

constexpr double kStatisticsTolerance = 1e-9;

bool IsStatisticsClose(const Value& want, const Value& got, bool is_relative) {
  if (!want.is_number() || !got.is_number()) return SameValue(want, got);
  const double w = want.AsNumber();
  const double g = got.AsNumber();
  if (w == g || (std::isnan(w) && std::isnan(g))) return true;
  return std::abs(w - g) <= kStatisticsTolerance * (is_relative ? std::abs(w) : std::max(1.0, std::abs(w)));
}

bool IsRelative(std::string_view key) {
  return key == "p" || key == "p_holm" || key == "p_corrected" || key == "value";
}

}  // namespace

void StatisticsCompare(const std::string& what, std::string_view key, const Value& want, const Value& got,
                       std::vector<std::string>& wrong) {
  if (want.is_map() && got.is_map()) {
    for (const Member& member : want.AsMap()) {
      const Value* found = got.Find(member.key);
      if (found == nullptr) {
        wrong.push_back(what + "." + member.key + " is missing");
      } else {
        StatisticsCompare(what + "." + member.key, member.key, member.value, *found, wrong);
      }
    }
    return;
  }
  if (want.is_list() && got.is_list() && want.AsList().size() == got.AsList().size()) {
    for (std::size_t i = 0; i < want.AsList().size(); ++i)
      StatisticsCompare(what + "[" + std::to_string(i) + "]", key, want.AsList()[i], got.AsList()[i], wrong);
    return;
  }
  if (!IsStatisticsClose(want, got, IsRelative(key)))
    wrong.push_back(what + ": want " + Show(want) + ", got " + Show(got));
}

Value Low(const std::optional<Interval>& interval) { return interval ? Value(interval->low) : Value(Null{}); }
Value High(const std::optional<Interval>& interval) {
  return interval ? Value(interval->high) : Value(Null{});
}
Value Text(std::string_view text) { return text.empty() ? Value(Null{}) : Value(text); }

std::vector<double> Numbers(const Value& list) {
  std::vector<double> numbers;
  if (!list.is_list()) return numbers;
  for (const Value& number : list.AsList()) numbers.push_back(number.AsNumber());
  return numbers;
}

std::vector<std::uint32_t> Clusters(const Value& names) {
  std::vector<std::uint32_t> clusters;
  std::map<std::string, std::uint32_t> numbers;
  if (!names.is_list()) return clusters;
  for (const Value& name : names.AsList()) {
    const std::string text = name.is_string() ? name.AsString() : Show(name);
    clusters.push_back(numbers.emplace(text, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return clusters;
}

Sample SampleOf(const Value& cases) {
  static const std::map<std::string_view, LeftOut> kStates = {{"partial", LeftOut::kPartial},
                                                              {"error", LeftOut::kError},
                                                              {"unscored", LeftOut::kUnscored},
                                                              {"skipped", LeftOut::kSkipped}};
  Sample sample;
  for (const Value& cells : cases.AsList()) {
    std::vector<double> scores;
    for (const Value& cell : cells.AsList()) {
      if (cell.is_number()) {
        scores.push_back(cell.AsNumber());
      } else {
        sample.Leave(kStates.at(cell.AsString()));
      }
    }
    sample.Add(scores);
  }
  return sample;
}

RowDesign::RowDesign(const Value& in)
    : weights(Numbers(Get(in, "weights"))), clusters(Clusters(Get(in, "clusters"))) {
  design = {.weights = weights, .clusters = clusters};
  const std::vector<double> range = Numbers(Get(in, "range"));
  if (range.size() == 2) design.range = ScoreRange{range[0], range[1]};
}

}  // namespace assay::conformance
