// The generator `http-template`: asks a service once, by a request that templates of the variant describe
// (Variant::details.provider.config), filled in with the case's row (Case::row.vars) and the prompt, and
// reads the answer by the JavaScript of the variant.
// Source of the rules: promptfoo 0.121 (spec: promptfoo 4.1).
#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "plan/answers/generator.h"
#include "plan/answers/http/reply_transform.h"
#include "plan/answers/http/request_template.h"
#include "plan/steps.h"
#include "spec/run/worker_state.h"
#include "spec/suite/suite.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// Variant::details.provider.
const Value& ProviderOf(const Variant& variant) {
  static const Value none{Map()};
  const Value* provider = variant.details.is_map() ? variant.details.Find("provider") : nullptr;
  return provider != nullptr && provider->is_map() ? *provider : none;
}

const Value& ConfigOf(const Variant& variant) {
  static const Value none{Map()};
  const Value* config = ProviderOf(variant).Find("config");
  return config != nullptr && config->is_map() ? *config : none;
}

// What the templates call `prompt`: the asking's text, else what the user says last.
std::string PromptOf(const Case& the_case, const Variant& variant) {
  if (const CaseAsking* asking = variant.asking.empty() ? nullptr : AskingOf(the_case, variant))
    return asking->text;
  const auto last = std::find_if(the_case.turns.rbegin(), the_case.turns.rend(),
                                 [](const Turn& turn) { return turn.role == Role::kUser; });
  return last == the_case.turns.rend() ? std::string() : last->text;
}

Result<HttpRequest> RequestFor(const StepContext& context, const std::string& prompt,
                               const ScriptWorld& world) {
  const FillIn fill_in = [&](std::string_view text, const Map& variables) {
    return context.worker.Templates().Render(text, variables);
  };
  const Value& row = *context.TheCase().row;
  ASSAY_TRY(HttpRequest request, RequestOfTemplates({.config = ConfigOf(context.TheVariant()),
                                                     .id = ProviderOf(context.TheVariant()).TextAt("id"),
                                                     .prompt = prompt,
                                                     .variables = row.MapAt("vars"),
                                                     .fill_in = fill_in,
                                                     .world = world}));
  request.attempt = context.attempt;
  return request;
}

}  // namespace

std::string HttpTemplateLacks(const Case& the_case, const Variant& variant) {
  if (!variant.asking.empty()) {
    const CaseAsking* asking = AskingOf(the_case, variant);
    if (asking == nullptr) return fmt::format("the case has no asking named {}", Quoted(variant.asking));
    if (!asking->problem.empty()) return asking->problem;
  }
  return ConfigProblem(ConfigOf(variant), ProviderOf(variant).TextAt("id"));
}

std::uint32_t HttpTemplateRequestsMax(const Case&, const Variant&) { return 1; }

// A service, which has no price and no key of ours.
std::vector<StepParty> HttpTemplateParties(const Suite&, const Case&, const Variant&) {
  return {{.role = RequestRole::kCandidate}};
}

Action NextHttpTemplate(const StepContext& context, std::span<const Exchange> so_far) {
  const ScriptWorld world{.now_ms = context.run.started_ms};
  const std::string prompt = PromptOf(context.TheCase(), context.TheVariant());
  if (!so_far.empty())
    return Done{TranscriptOfService(ConfigOf(context.TheVariant()), prompt, so_far.front(), world,
                                    context.suite.grades_empty_answers)};
  Result<HttpRequest> request = RequestFor(context, prompt, world);
  if (!request) {
    Transcript transcript;
    transcript.error = request.error().message;
    transcript.error_class = ErrorCodeName(request.error().code);
    return Done{std::move(transcript)};
  }
  RequestTag tag = TagOf(context, RowOf(context.part).answers_as);
  tag.is_final_turn = true;
  return Need{{{.request = *std::move(request),
                .tag = std::move(tag),
                .retry = RetryOfConfig(ConfigOf(context.TheVariant()))}}};
}

}  // namespace assay
