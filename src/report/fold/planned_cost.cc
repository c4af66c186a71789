// A planned cost as JSON.
//
// Version 1: {"v":1,"calls":n,"calls_most":n,"usd":n,"usd_most":n,"unpriced":[text...],"assumed":[text...],
// "cells":n}
#include "report/fold/planned_cost.h"
#include "text/found.h"

#include <cmath>

#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr int kPlannedVersion = 1;
constexpr double kAmountMax = 1e15;  // so that nothing that is shown gets long

// Reads what a store says, which may be anything.
class PlannedReader {
 public:
  explicit PlannedReader(const Value& value) : value_(value) {}
  double Amount(std::string_view name) {
    const double amount = value_.NumberAt(name).value_or(-1);
    good_ = good_ && amount >= 0 && amount <= kAmountMax;
    return good_ ? amount : 0;
  }
  std::uint64_t Count(std::string_view name) { return static_cast<std::uint64_t>(Amount(name)); }
  std::vector<std::string> Names(std::string_view name) {
    std::vector<std::string> names;
    const List* list = FindList(value_, name);
    good_ = good_ && list != nullptr;
    if (!good_) return names;
    for (const Value& each : *list) {
      good_ = good_ && each.is_string();
      if (good_) names.push_back(each.AsString());
    }
    return names;
  }
  bool good() const { return good_; }

 private:
  const Value& value_;
  bool good_ = true;
};

}  // namespace

std::string EncodePlannedCost(const PlannedCost& planned) {
  return WriteJson(Object{{"v", kPlannedVersion},
                          {"calls", planned.calls},
                          {"calls_most", planned.calls_most},
                          {"usd", planned.usd},
                          {"usd_most", planned.usd_most},
                          {"unpriced", ArrayOf(planned.unpriced)},
                          {"assumed", ArrayOf(planned.assumed)},
                          {"cells", planned.cells_walked}},
                   JsonStyle::kJavaScript);
}

std::optional<PlannedCost> DecodePlannedCost(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const Result<Value> value = ParseStoredIn(text.size(), text);
  if (!value || !value->is_map()) return std::nullopt;
  PlannedReader reader(*value);
  if (reader.Amount("v") != kPlannedVersion) return std::nullopt;
  PlannedCost planned{.calls = reader.Count("calls"),
                      .calls_most = reader.Count("calls_most"),
                      .usd = reader.Amount("usd"),
                      .usd_most = reader.Amount("usd_most"),
                      .unpriced = reader.Names("unpriced"),
                      .assumed = reader.Names("assumed"),
                      .cells_walked = reader.Count("cells")};
  if (!reader.good()) return std::nullopt;
  return planned;
}

}  // namespace assay
