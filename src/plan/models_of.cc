// Counting who is asked.
#include "plan/models_of.h"

#include <algorithm>
#include <map>

namespace assay {

namespace {

using RequestCounts = std::map<const ModelRef*, std::uint64_t>;

void Count(const std::vector<StepParty>& parties, std::uint64_t times, RequestCounts& counts) {
  for (const StepParty& party : parties) {
    if (party.model != nullptr) counts[party.model] += party.usual * times;
  }
}

RequestCounts CountRequests(const Plan& plan) {
  const Suite& suite = plan.suite();
  RequestCounts counts;
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    const CasePlan& case_plan = plan.case_plan(c);
    for (const StepTemplate& step : case_plan.slots) {
      if (step.kind != StepKind::kGenerate) {
        Count(PartiesOf(plan, c, step, 0), plan.grid().OfCase(c).size(), counts);
        continue;
      }
      for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
        if (suite.cases[c].Asks(v)) Count(PartiesOf(plan, c, step, v), plan.grid().AttemptsOf(c), counts);
      }
    }
  }
  return counts;
}

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
      const GeneratorRow& generator = *case_plan.generator;
      if (generator.lacks != nullptr && !generator.lacks(the_case, asked).empty()) return {};
      if (generator.parties != nullptr) return generator.parties(suite, the_case, asked);
      const std::uint32_t requests = generator.max_requests(the_case, asked);
      return {
          {.role = step.asks, .model = &asked, .params = &asked.params, .usual = requests, .most = requests}};
    }
    case StepKind::kAsk: {
      const BoundCheck& check = case_plan.checks[step.check];
      if (check.row->asks && check.row->asks->parties != nullptr)
        return check.row->asks->parties(PanelOf(suite, plan.judging()), check.args);
      return {{.role = step.asks, .usual = check.max_requests, .most = check.max_requests}};
    }
    case StepKind::kEmbed:
      return {{.role = step.asks, .model = &*suite.embedder}};
    case StepKind::kGrade:
      break;
  }
  return {};
}

std::vector<PlannedModel> ModelsOf(const Plan& plan) {
  const Suite& suite = plan.suite();
  const RequestCounts counts = CountRequests(plan);
  const auto count_of = [&counts](const ModelRef& model) {
    const auto found = counts.find(&model);
    return found == counts.end() ? 0 : found->second;
  };
  std::vector<PlannedModel> models;
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    const Variant& variant = suite.variants[v];
    if (!variant.problem.empty() || (plan.part() == RunPart::kOpening && !suite.corpus.endpoint)) continue;
    PlannedModel model{.role = RowOf(plan.part()).answers_as,
                       .id = variant.id,
                       .ref = &variant,
                       .params = &variant.params,
                       .variant = &variant,
                       .requests = count_of(variant)};
    models.push_back(model);
    for (const ModelRef& fallback : variant.fallbacks) {
      model.ref = &fallback;
      ++model.stand_in;
      models.push_back(model);
    }
  }
  const auto add_judge = [&](const Judge& judge, RequestRole role) {
    models.push_back({.role = role,
                      .id = judge.model_id,
                      .ref = &judge,
                      .params = &judge.params,
                      .requests = count_of(judge)});
  };
  for (const Judge& judge : suite.judges) add_judge(judge, RequestRole::kJudge);
  if (suite.backup_judge) add_judge(*suite.backup_judge, RequestRole::kBackupJudge);
  for (const Judge& extractor : suite.extractors) add_judge(extractor, RequestRole::kExtraction);
  if (UsesAgent(suite) && suite.agent.summarizer) {
    models.push_back({.role = RequestRole::kSummarizer,
                      .id = suite.agent.summarizer->model_id,
                      .ref = &*suite.agent.summarizer,
                      .params = &suite.agent.summarizer->params});
  }
  if (UsesAgent(suite) && suite.corpus.endpoint) {
    models.push_back({.role = RequestRole::kEmbedding,
                      .id = suite.corpus.endpoint->model_id,
                      .ref = &*suite.corpus.endpoint,
                      .requests = count_of(*suite.corpus.endpoint)});
  }
  if (suite.embedder) {
    models.push_back({.role = RequestRole::kEmbedding,
                      .id = suite.embedder->model_id,
                      .ref = &*suite.embedder,
                      .requests = count_of(*suite.embedder)});
  }
  return models;
}

bool AsksAs(const Plan& plan, RequestRole role) {
  const Suite& suite = plan.suite();
  const auto is_of_role = [role](const StepParty& party) { return party.role == role; };
  for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
    const CasePlan& case_plan = plan.case_plan(c);
    for (const StepTemplate& slot : case_plan.slots) {
      if (slot.kind != StepKind::kGrade && slot.asks == role) return true;
    }
    if (case_plan.generator->parties == nullptr) continue;
    for (const Variant& variant : suite.variants) {
      const std::vector<StepParty> parties = case_plan.generator->parties(suite, suite.cases[c], variant);
      if (std::any_of(parties.begin(), parties.end(), is_of_role)) return true;
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
