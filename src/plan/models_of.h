// Lists whom a run of a plan may ask, and in which role: the one source for keys, pools, limits, prices and
// the plan's digest.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace assay {

// Somebody whom a step may ask. Borrows from the plan.
struct PlannedModel {
  RequestRole role = RequestRole::kCandidate;
  std::string_view id;  // as the suite names it: of a variant with its suffixes
  const ModelRef* ref = nullptr;
  const SamplingParams* params = nullptr;  // null: embeddings have none
  const Variant* variant = nullptr;        // of answers: whose they are, asked itself or stood in for
  std::uint32_t stand_in = 0;              // candidates: 0, or which fallback of its variant this is
  std::uint64_t requests = 0;  // StepParty::usual of all steps; 0: nobody needs it if all goes well
  bool is_found_out = false;   // whoever asks it finds out on the way what to ask (GeneratorRow)
};

// Whom the step asks of a cell of this variant, and how often; stand-ins of the variant are left out.
std::vector<StepParty> PartiesOf(const Plan& plan, CaseIndex case_index, const StepTemplate& step,
                                 VariantIndex variant);

// The models among the parties of all steps, each once in each of its roles, behind each variant's its
// stand-ins: by role, variants in the suite's order and others as steps first name them.
std::vector<PlannedModel> ModelsOf(const Plan& plan);

// Whether a step of the plan asks in this role: services and programs have no model.
bool AsksAs(const Plan& plan, RequestRole role);

// Whether `asked` stands in for the variant's own model, and whether another may still stand in for it.
bool IsStandIn(const Variant& variant, const ModelRef& asked);
bool HasStandIn(const Variant& variant, const ModelRef& asked);

}  // namespace assay
