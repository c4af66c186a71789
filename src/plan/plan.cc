// Converts between step indices and (case, variant, attempt, slot), and names steps and pools.
#include "plan/plan.h"

#include <fmt/core.h>

#include <algorithm>

#include "plan/steps.h"
#include "spec/suite/suite.h"

namespace assay {

std::string PoolName(RequestRole role, std::string_view provider) {
  switch (role) {
    case RequestRole::kJudge:
    case RequestRole::kBackupJudge:
    case RequestRole::kExtraction:
      return fmt::format("judge:{}", provider);
    case RequestRole::kEmbedding:
      return fmt::format("embed:{}", provider);
    case RequestRole::kService:
      return "service";
    case RequestRole::kProgram:
      return "program";
    case RequestRole::kTool:
      return "tool";
    default:  // a candidate without a provider is a service that its variant describes
      return provider.empty() ? "http" : std::string(provider);
  }
}

StepAddress Plan::StepAt(StepIndex index) const {
  ASSAY_ASSERT(index < step_count_);
  const auto after = std::upper_bound(first_steps_.begin(), first_steps_.end(), index);
  const auto case_index = static_cast<CaseIndex>(after - first_steps_.begin() - 1);
  const CasePlan& plan = case_plan(case_index);
  const StepIndex within = index - first_steps_[case_index];
  const CellSpan cells = grid_.OfCase(case_index);
  return {.cell = CellAt(cells.first + within / plan.slots.size()),
          .slot = static_cast<SlotIndex>(within % plan.slots.size())};
}

StepIndex Plan::IndexOf(const StepAddress& address) const {
  const CasePlan& plan = case_plan(address.cell.case_index);
  const CellSpan cells = grid_.OfCase(address.cell.case_index);
  return first_steps_[address.cell.case_index] + (IndexOf(address.cell) - cells.first) * plan.slots.size() +
         address.slot;
}

const Case& Plan::CaseOf(CaseIndex index) const { return suite_->cases[index]; }

const Variant& Plan::VariantOf(VariantIndex index) const { return suite_->variants[index]; }

std::string Plan::StepName(StepIndex index) const {
  const StepAddress address = StepAt(index);
  const CasePlan& plan = case_plan(address.cell.case_index);
  return fmt::format("{} / {} / {} / {}", CaseOf(address.cell.case_index).id,
                     VariantOf(address.cell.variant).id, address.cell.attempt,
                     NameOf(plan, plan.slots[address.slot], address.cell.variant));
}

bool Plan::HasAnswerer(bool GeneratorRow::*trait) const {
  const Answerers* last = nullptr;
  for (const std::shared_ptr<const CasePlan>& plan : cases_) {
    const Answerers& answerers = *plan->answerers;
    if (&answerers == last) continue;
    last = &answerers;
    const auto has = [trait](const GeneratorRow* row) { return row != nullptr && row->*trait; };
    if (std::any_of(answerers.begin(), answerers.end(), has)) return true;
  }
  return false;
}

PoolIndex Plan::PoolOf(RequestRole role, std::string_view provider) const {
  const std::string name = PoolName(role, provider);
  const auto found =
      std::find_if(pools_.begin(), pools_.end(), [&](const Pool& p) { return p.name == name; });
  return found == pools_.end() ? 0 : static_cast<PoolIndex>(found - pools_.begin());
}

}  // namespace assay
