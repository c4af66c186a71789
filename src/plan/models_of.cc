// Collects the parties of all steps and counts their requests.
#include "plan/models_of.h"

#include <algorithm>
#include <map>

#include "plan/steps.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// The union of parties.
class Union {
 public:
  explicit Union(const Plan& plan) : plan_(plan) {}

  // What a step may ask, so many times. `variant`: whose answer it is; null: no answer.
  void Add(const std::vector<StepParty>& parties, std::uint64_t times, const Variant* variant = nullptr,
           bool is_found_out = false) {
    for (const StepParty& party : parties) {
      if (party.model == nullptr) continue;
      const bool is_variant = party.model == variant;
      const RequestRole role = is_variant ? RowOf(plan_.part()).answers_as : party.role;
      const auto [at, is_new] = known_.emplace(std::pair(role, party.model), models_.size());
      if (is_new) {
        models_.push_back({.role = role,
                           .id = party.id,
                           .ref = party.model,
                           .params = party.params,
                           .variant = is_variant ? variant : nullptr,
                           .is_found_out = is_found_out});
      }
      models_[at->second].requests += party.usual * times;
    }
  }

  std::vector<PlannedModel> Take() {
    // Variants are elements of one list, so their addresses are in its order.
    std::stable_sort(models_.begin(), models_.end(), [](const PlannedModel& a, const PlannedModel& b) {
      if (a.role != b.role) return a.role < b.role;
      return a.variant != nullptr && b.variant != nullptr && a.variant < b.variant;
    });
    std::vector<PlannedModel> models;
    for (PlannedModel& model : models_) {
      models.push_back(model);
      if (model.variant == nullptr) continue;
      for (const ModelRef& fallback : model.variant->fallbacks) {
        model.ref = &fallback;
        ++model.stand_in;
        models.push_back(model);
      }
    }
    return models;
  }

 private:
  const Plan& plan_;
  std::vector<PlannedModel> models_;
  std::map<std::pair<RequestRole, const ModelRef*>, std::size_t> known_;
};

bool IsSameModel(const ModelRef& a, const ModelRef& b) {
  return a.provider == b.provider && a.model == b.model;
}

}  // namespace

std::vector<StepParty> PartiesOf(const Plan& plan, CaseIndex case_index, const StepTemplate& step,
                                 VariantIndex variant) {
  const Suite& suite = plan.suite();
  const CasePlan& case_plan = plan.case_plan(case_index);
  switch (step.kind) {
    case StepKind::kGenerate: {
      const Variant& asked = suite.variants[variant];
      const Case& the_case = suite.cases[case_index];
      const GeneratorRow& generator = case_plan.AnswererOf(variant);
      if (generator.lacks != nullptr && !generator.lacks(the_case, asked).empty()) return {};
      if (generator.parties != nullptr) return generator.parties(suite, the_case, asked);
      const std::uint32_t requests = generator.max_requests(the_case, asked);
      return {{.role = step.asks,
               .model = &asked,
               .id = asked.id,
               .params = &asked.params,
               .usual = requests,
               .most = requests}};
    }
    case StepKind::kAsk: {
      const BoundCheck& check = case_plan.checks[step.check];
      if (check.row->asks && check.row->asks->parties != nullptr)
        return check.row->asks->parties(PanelFor(plan, case_index, step.check), check.args);
      return {{.role = step.asks, .usual = check.max_requests, .most = check.max_requests}};
    }
    case StepKind::kEmbed:
      return {{.role = step.asks, .model = &*suite.embedder, .id = suite.embedder->model_id}};
    case StepKind::kGrade:
      break;
  }
  return {};
}

std::vector<PlannedModel> ModelsOf(const Plan& plan) {
  const Suite& suite = plan.suite();
  Union models(plan);
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    const CasePlan& case_plan = plan.case_plan(c);
    for (const StepTemplate& step : case_plan.slots) {
      if (step.kind != StepKind::kGenerate) {
        models.Add(PartiesOf(plan, c, step, 0), plan.grid().OfCase(c).size());
        continue;
      }
      for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
        if (!suite.cases[c].Asks(v)) continue;
        models.Add(PartiesOf(plan, c, step, v), plan.grid().AttemptsOf(c), &suite.variants[v],
                   case_plan.AnswererOf(v).asks_what_it_finds);
      }
    }
  }
  return models.Take();
}

bool AsksAs(const Plan& plan, RequestRole role) {
  const Suite& suite = plan.suite();
  const auto is_of_role = [role](const StepParty& party) { return party.role == role; };
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    for (const StepTemplate& slot : plan.case_plan(c).slots) {
      if (slot.kind != StepKind::kGrade && slot.asks == role) return true;
      if (slot.kind != StepKind::kGenerate) continue;
      for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
        if (!suite.cases[c].Asks(v) || plan.case_plan(c).AnswererOf(v).parties == nullptr) continue;
        const std::vector<StepParty> parties = PartiesOf(plan, c, slot, v);
        if (std::any_of(parties.begin(), parties.end(), is_of_role)) return true;
      }
    }
  }
  return false;
}

bool IsStandIn(const Variant& variant, const ModelRef& asked) {
  return !variant.fallbacks.empty() && !IsSameModel(variant, asked);
}

bool HasStandIn(const Variant& variant, const ModelRef& asked) {
  return !variant.fallbacks.empty() && !IsSameModel(variant.fallbacks.back(), asked);
}

}  // namespace assay
