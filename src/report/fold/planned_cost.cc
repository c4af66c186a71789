// A planned cost as JSON.
//
// Version 1: {"v":1,"calls":n,"calls_most":n,"usd":n,"usd_most":n,"unpriced":[text...],"assumed":[text...],
// "cells":n}
#include "report/fold/planned_cost.h"

#include <fmt/core.h>

#include "text/json/record.h"
#include "text/json/stored.h"

namespace assay {

namespace {

constexpr int kPlannedVersion = 1;

template <class Planned, class Visitor>
void VisitPlanned(Planned& planned, Visitor&& visit) {
  constexpr double kMost = 1e15;  // so that nothing that is shown gets long
  constexpr record::Range kAmount{.low = 0, .high = kMost};
  visit.Needed("calls", record::Whole{planned.calls, kMost});
  visit.Needed("calls_most", record::Whole{planned.calls_most, kMost});
  visit.Needed("usd", record::Real{planned.usd, kAmount});
  visit.Needed("usd_most", record::Real{planned.usd_most, kAmount});
  visit.Needed("unpriced", record::Texts{planned.unpriced});
  visit.Needed("assumed", record::Texts{planned.assumed});
  visit.Needed("cells", record::Whole{planned.cells_walked, kMost});
}

}  // namespace

std::string EncodePlannedCost(const PlannedCost& planned) {
  std::string text = fmt::format("{{\"v\":{}", kPlannedVersion);
  VisitPlanned(planned, record::MemberWriter(text));
  return text + '}';
}

std::optional<PlannedCost> DecodePlannedCost(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const Result<Value> value = ParseStoredIn(text.size(), text);
  if (!value || value->NumberAt("v") != kPlannedVersion) return std::nullopt;
  PlannedCost planned;
  record::MemberReader reader(*value);
  VisitPlanned(planned, reader);
  if (!reader.good()) return std::nullopt;
  return planned;
}

}  // namespace assay
