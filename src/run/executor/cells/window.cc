// Chooses the window so that enough cells are live to keep all pools full.
#include "run/executor/cells/window.h"

#include <algorithm>

#include "plan/models_of.h"
#include "run/executor/executor.h"

namespace assay {

namespace {

constexpr std::size_t kWindowCellsMin = 256;
constexpr std::size_t kWindowCellsMax = 20'000;
constexpr std::size_t kWindowSpareShare = 4;  // beyond those in flight, this part of them is made ready

// A turn asks one thing after the other: as many are under way as models may be asked at once, so that those
// which have begun come to their end first.
std::size_t WindowOfTurns(const Plan& plan, const RunLimits& limits) {
  std::size_t widest = 1;
  for (const PlannedModel& model : ModelsOf(plan)) {
    if (model.variant == nullptr) continue;
    const PoolIndex pool = plan.PoolOf(model.role, model.ref->provider);
    widest = std::max(widest, WidthOf(plan.pools()[pool], limits));
  }
  return widest + widest / kWindowSpareShare;
}

}  // namespace

std::size_t MaxInFlight(const Plan& plan, const RunLimits& limits) {
  std::size_t in_flight = 0;
  for (const Pool& pool : plan.pools()) in_flight += WidthOf(pool, limits);
  return in_flight;
}

std::size_t WindowFor(const Plan& plan, const ExecutorOptions& options) {
  if (options.window_cells > 0) return options.window_cells;
  if (options.batches) return kWindowCellsMax;
  if (plan.HasAnswerer(&GeneratorRow::is_serial)) return WindowOfTurns(plan, options.limits);
  const std::size_t in_flight = MaxInFlight(plan, options.limits);
  const std::size_t spare = std::max(in_flight / kWindowSpareShare, kWindowCellsMin);
  return std::min(in_flight + spare, kWindowCellsMax);
}

}  // namespace assay
