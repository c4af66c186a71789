// Makes the plan, and refuses or warns before any money is spent: missing packages, unreachable models,
// unknown prices.
#include "engine/plan/planned.h"

#include <fmt/format.h>

#include <algorithm>

#include "checks/program/program.h"
#include "dialects/names.h"
#include "engine/grants/limits.h"
#include "engine/network/network.h"
#include "engine/open/ingested.h"
#include "engine/open/loaded.h"
#include "engine/open/model_notes.h"
#include "engine/open/programs.h"
#include "engine/words.h"
#include "engine/write/closing.h"
#include "plan/finish.h"
#include "plan/model_requests.h"
#include "providers/facts/names/near_model.h"
#include "providers/provider.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// The original's programs all begin with the same imports.
void WarnOfAbsent(const Suite& suite, const Toolchain& toolchain, Diagnostics& diagnostics) {
  if (toolchain.absent.empty()) return;
  diagnostics.Warning(
      "suite.package-missing",
      fmt::format("programs in {} begin with {}, which {} not installed", toolchain.language,
                  fmt::join(toolchain.absent, ", "), toolchain.absent.size() == 1 ? "is" : "are"),
      suite.span, "each of them fails, as in the original; `./dev doctor --install` brings it");
}

// Tests that name a package which is not there, one warning for each package.
void WarnOfUses(const Suite& suite, const Toolchain& toolchain, Diagnostics& diagnostics) {
  for (const MissingUse& use : MissingUses(suite, toolchain)) {
    const bool is_one = use.tests == 1;
    diagnostics.Warning("suite.package-missing",
                        fmt::format("{} in {} {} {}, which is not installed", Counted(use.tests, "test"),
                                    toolchain.language, is_one ? "uses" : "use", use.package->name),
                        use.first,
                        fmt::format("{} until it is there: `./dev doctor --install`, or {}",
                                    is_one ? "it is an error" : "they are errors", use.package->install));
  }
}

// A check that cannot run its programs has no score; that is said before anything is asked. `unusable`:
// languages whose runtime is there, but not for the user that programs run as.
void TellMissing(const Suite& suite, const std::vector<std::string>& unusable, Diagnostics& diagnostics) {
  const bool fails = suite.programs.missing_fails;
  for (const Toolchain& toolchain : suite.toolchains) {
    if (std::find(unusable.begin(), unusable.end(), toolchain.language) != unusable.end()) {
      diagnostics.Error("suite.runtime-unusable", toolchain.missing, suite.span,
                        "or put a runtime that everybody may read first in PATH");
    } else if (!toolchain.missing.empty()) {
      diagnostics.Warning(
          "suite.runtime-missing",
          fmt::format("programs in {} cannot run here: {}", toolchain.language, toolchain.missing),
          suite.span,
          fails ? "their tests fail, as in the original; `assay doctor SUITE` says what to install"
                : "their checks are errors until it is installed; `assay doctor SUITE` says what else is "
                  "missing");
    }
    if (fails) {
      WarnOfAbsent(suite, toolchain, diagnostics);
    } else {
      WarnOfUses(suite, toolchain, diagnostics);
    }
  }
}

// A turn that is to stop at a cost of nobody knows how much never does.
void TellUnpricedTurns(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics) {
  for (const Variant& variant : suite.variants) {
    if (!variant.agent.limits.usd || models.PriceOf(variant.provider, variant.model)) continue;
    diagnostics.Warning(
        "plan.no-price",
        fmt::format("the turns of {} are to stop at ${:g}, and no price is known of {}:{}",
                    Quoted(variant.id), *variant.agent.limits.usd, variant.provider, variant.model),
        suite.span, "write [prices] into assay.toml, or limit seconds or tokens");
  }
}

// The plan of a suite; null after an error.
std::shared_ptr<const Plan> PlanOf(Suite read, const RunSpec& spec, const Granted& granted,
                                   Diagnostics& diagnostics, std::vector<InstalledToolchain>& toolchains) {
  if (spec.json_judges && read.judge_reading == JudgeReading::kFirstTags) {
    diagnostics.Error("plan.json-judges", "--json-judges: --compat weval asks judges in its own way", Span{},
                      "leave one of them out");
  }
  FoundToolchains found = FindToolchains(read, granted.sandbox);
  toolchains = std::move(found.installed);
  const ModelBook models(granted.settings.models);
  const Machine machine{.toolchains = std::move(found.here), .programs = ProgramPlaces(), .models = models};
  Suite suite = Finish(std::move(read), machine, spec);
  TellMissing(suite, found.unusable, diagnostics);
  for (std::string& ignored : found.ignored)
    diagnostics.Note("suite.version-file", std::move(ignored), suite.span,
                     "to choose another version, put its folder first in PATH");
  TellUnpricedTurns(suite, models, diagnostics);
  CheckModelRequests(suite, models, diagnostics);
  return Plan::Build(std::move(suite),
                     {.max_in_flight = granted.calls.max_in_flight,
                      .programs = machine.programs,
                      .judging = {.form = spec.json_judges ? VerdictForm::kJson : VerdictForm::kTags,
                                  .votes = spec.votes.value_or(1)},
                      .despite_errors = true},
                     diagnostics);
}

// Whoever is to sum up the run must be there if a summary is required; else, or where a recording may hold
// it, it is only said that nobody is.
void CheckClosing(const RunSpec& spec, Planned& planned) {
  const DialectRow& dialect = *planned.dialect;
  if (!WantsSummary(spec) || !dialect.closing) return;
  const Result<std::shared_ptr<const Plan>> plan = ClosingPlan(dialect, planned.plan->suite());
  if (!plan) return;  // said when it is its turn
  Diagnostics found;
  RefuseUnreachable(**plan, {}, planned.endpoints, found);
  const bool is_needed = spec.require_summary && planned.recorded.recordings.empty();
  for (Diagnostic problem : found.All()) {
    if (!is_needed) problem.severity = Severity::kWarning;
    planned.problems.found.Add(std::move(problem));
  }
}

// Whoever embeds documents must be there: without vectors none of them can be used.
void CheckOpening(const Granted& granted, Planned& planned) {
  const std::shared_ptr<const Plan> plan = OpeningPlanUnread(*planned.dialect, planned.plan->suite());
  if (plan == nullptr) return;
  RefuseUnreachable(*plan, planned.recorded.recordings, planned.endpoints, planned.problems.found);
  if (granted.calls.budget_usd)
    RefuseUnpriced(*plan, ModelBook(granted.settings.models), planned.problems.found);
}

void CheckBeforeMoney(const RunSpec& spec, const Granted& granted, Planned& planned) {
  if (planned.plan == nullptr || granted.calls.offline) return;
  RefuseUnreachable(*planned.plan, planned.recorded.recordings, planned.endpoints, planned.problems.found);
  CheckClosing(spec, planned);
  CheckOpening(granted, planned);
  if (granted.calls.budget_usd)
    RefuseUnpriced(*planned.plan, ModelBook(granted.settings.models), planned.problems.found);
}

// A name that the table of models does not have and that is a slip of one that it has; a service may know it
// all the same.
void WarnOfModelNames(const RunSpec& spec, const Granted& granted, Planned& planned) {
  const ModelBook models(granted.settings.models);
  for (const ModelToAsk& asked : ModelsOfRun(planned, spec)) {
    const bool is_elsewhere = !asked.base_url.empty() || GivenBaseUrl(spec, asked.provider);
    const std::string near = is_elsewhere ? std::string() : NearModel(asked.provider, asked.model);
    const bool is_own = std::any_of(models.own().begin(), models.own().end(), [&](const OwnFacts& own) {
      return FitsName(own.model, fmt::format("{}:{}", asked.provider, asked.model));
    });
    if (near.empty() || is_own) continue;
    planned.problems.found.Warning(
        "plan.unknown-model",
        fmt::format("{}:{} is not in the table of models of {}", asked.provider, asked.model,
                    OriginOfModels().as_of),
        asked.span, fmt::format("did you mean {}:{}? `assay list models` names them", asked.provider, near));
  }
}

// Judges of the command line whom no check needs: their names are checked all the same.
void CheckIdleJudges(const RunSpec& spec, const Granted& granted, Planned& planned) {
  if (planned.plan == nullptr || planned.problems.HasErrors() || !planned.recorded.recordings.empty()) return;
  for (const std::string& judge : spec.judges) {
    if (granted.settings.aliases.contains(judge)) continue;
    Diagnostics found;
    TellUnknownModel(judge, Span{}, found);
    if (found.ErrorCount() == 0) continue;
    const Diagnostic& first = found.All().front();
    planned.problems.found.Warning("run.no-provider", fmt::format("--judge: {}", first.message), Span{},
                                   first.hint);
  }
}

void CheckProviders(const RunSpec& spec, const Granted& granted, Planned& planned) {
  if (planned.plan == nullptr) return;
  WarnOfModelNames(spec, granted, planned);
  if (planned.plan->suite().refuses_unusable)
    RefuseUnknownProviders(*planned.plan, planned.recorded.recordings, planned.problems.found);
}

// An address that only a program could mean, and that no program receives.
void WarnOfProgramUrls(const RunSpec& spec, Planned& planned) {
  if (planned.plan == nullptr || spec.base_urls.empty()) return;
  const std::vector<ModelToAsk> models = ModelsOfRun(planned, spec);
  const auto asks = [&models](std::string_view provider) {
    return std::any_of(models.begin(), models.end(),
                       [provider](const ModelToAsk& each) { return each.provider == provider; });
  };
  const bool has_program = std::any_of(models.begin(), models.end(),
                                       [](const ModelToAsk& each) { return NamesProgram(each.provider); });
  for (const std::string& text : spec.base_urls) {
    const std::string provider = text.substr(0, text.find('='));
    const ProviderRow* row = FindProvider(provider);
    if (!has_program || row == nullptr || asks(provider)) continue;
    planned.problems.found.Warning(
        "run.base-url-unused",
        fmt::format("--base-url {}: the run asks no model of {}, and programs do not get this address",
                    provider, provider),
        Span{},
        fmt::format("a program reads {} from its environment; that is not part of the cache key, so add "
                    "--fresh after a change",
                    row->base_url_variable));
  }
}

}  // namespace

std::vector<ModelToAsk> ModelsOfRun(const Planned& planned, const RunSpec& spec) {
  std::vector<ModelToAsk> asked;
  const auto add = [&](const std::shared_ptr<const Plan>& plan) {
    if (plan == nullptr) return;
    for (ModelToAsk& model : ModelsToAsk(*plan, planned.recorded.recordings))
      asked.push_back(std::move(model));
  };
  if (planned.plan == nullptr) return asked;
  const Suite& suite = planned.plan->suite();
  add(planned.plan);
  add(OpeningPlanUnread(*planned.dialect, suite));
  if (WantsSummary(spec) && planned.dialect->closing) {
    Result<std::shared_ptr<const Plan>> closing = ClosingPlan(*planned.dialect, suite);
    if (closing) add(*closing);
  }
  return asked;
}

Planned MakePlan(Loaded loaded, const RunSpec& spec, const Granted& granted, Purpose purpose) {
  Planned planned{.problems = std::move(loaded.problems),
                  .dialect = loaded.dialect,
                  .plan = nullptr,
                  .toolchains = {},
                  .recorded = std::move(loaded.recorded),
                  .endpoints = {},
                  .program_inputs = std::move(loaded.program_inputs)};
  Diagnostics& diagnostics = planned.problems.found;
  if (loaded.suite)
    planned.plan = PlanOf(*std::move(loaded.suite), spec, granted, diagnostics, planned.toolchains);
  if (planned.plan != nullptr) WarnOfLongQuestions(*planned.plan, diagnostics);
  const bool is_broken = planned.problems.HasErrors();
  const bool asks_nobody = planned.plan != nullptr && planned.plan->suite().variants.empty();
  const bool lost_answers = is_broken && !spec.responses.empty();  // which is told already
  if (purpose == Purpose::kRun && asks_nobody && !lost_answers) {
    diagnostics.Error("suite.no-model", "the suite names no model to ask", Span{},
                      "name one with -m, or grade recorded answers: assay grade SUITE RESPONSES");
  }
  if (purpose == Purpose::kRun && spec.artefacts && planned.plan != nullptr &&
      planned.dialect->writer.write_artefacts == nullptr) {
    diagnostics.Error(
        "run.no-artefacts",
        fmt::format("--artefacts: the files of {} are not split by prompt and model", planned.dialect->name),
        Span{}, "leave it out");
  }
  if (purpose == Purpose::kPrice || purpose == Purpose::kRun)
    planned.endpoints = ReadEndpoints(spec, granted, diagnostics);
  if (purpose == Purpose::kPrice || purpose == Purpose::kRun) WarnOfProgramUrls(spec, planned);
  if (purpose == Purpose::kRun) CheckBeforeMoney(spec, granted, planned);
  if (purpose == Purpose::kCheck) CheckProviders(spec, granted, planned);
  if (purpose == Purpose::kRun || purpose == Purpose::kCheck) CheckIdleJudges(spec, granted, planned);
  if (is_broken) planned.plan = nullptr;  // it was good for finding more problems
  return planned;
}

}  // namespace assay
