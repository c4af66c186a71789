// Makes the Plan of a Suite: binds checks to their rows, lays out the slots of each case, and names the
// pools.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/limits.h"
#include "checks/judge/key_points.h"
#include "plan/check_probe.h"
#include "plan/models_of.h"
#include "plan/row_faults.h"
#include "plan/steps.h"
#include "providers/provider.h"
#include "spec/limits.h"
#include "spec/suite/suite.h"
#include "text/extract/extraction.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kSharedMax = 1'000;  // checks, and plans of cases, that are looked for to be shared
constexpr std::size_t kServiceWidth = 10;  // calls of services at once, where -j says nothing

// Names of checks that are near those that no check has: each is looked for once, and no more of them than
// problems are kept.
class NearNames {
 public:
  explicit NearNames(const Suite& suite) : suite_(suite) {}

  std::string_view Of(const std::string& written) {
    const auto known = near_.find(written);
    if (known != near_.end()) return known->second;
    if (near_.size() >= limits::kDiagnosticsMax) return {};
    const CheckRow* elsewhere = CheckNamedElsewhere(written);
    return near_[written] = elsewhere != nullptr ? elsewhere->name
                                                 : DidYouMean(written, CheckNames(suite_.offered_checks));
  }

 private:
  const Suite& suite_;
  std::map<std::string, std::string_view> near_;
};

const CheckRow* FindRow(std::string_view kind, const Suite& suite, const MoreRows& more) {
  const CheckRow* row = FindCheck(kind, suite.offered_checks);
  const std::vector<std::string>& offered = suite.offered_checks;
  const bool is_offered = std::find(offered.begin(), offered.end(), kind) != offered.end();
  if (row != nullptr && row->is_own && !is_offered && !suite.refuses_unusable) row = nullptr;
  if (row != nullptr) return row;
  const auto found = std::find_if(more.checks.begin(), more.checks.end(),
                                  [kind](const CheckRow& each) { return each.name == kind; });
  return found == more.checks.end() ? nullptr : &*found;
}

std::uint32_t RequestsMax(const CheckRow& row, const CheckArgs& args, const JudgePanel& panel) {
  if (!row.asks || args == nullptr) return 0;
  if (row.asks->parties == nullptr) return row.MostRequests(args);
  std::uint32_t requests = 0;
  for (const StepParty& party : row.asks->parties(panel, args)) requests += party.most;
  return requests;
}

// What checks of equal words have in common: suites repeat a few of them for thousands of cases. Only what
// was bound without a word to say is shared, since each word has a place.
class BoundChecks {
 public:
  // "" for one that is not worth it.
  static std::string KeyOf(const Check& check, const Value& answer_schema) {
    if (check.IsCriterion() || check.text.size() > kKeyBytesMax || !check.judges->empty()) return {};
    std::string key = check.kind;
    key.append(1, '\n').append(std::to_string(static_cast<int>(check.regex_flavour)));
    key.append(1, '\n').append(check.text).append(1, '\n');
    AppendTyped(check.args, key);
    if (!check.extract->is_undefined()) AppendTyped(*check.extract, key.append(1, '\n'));
    if (!answer_schema.is_undefined()) AppendTyped(answer_schema, key);
    if (key.size() > kKeyBytesMax) return {};
    return key;
  }
  const BoundCheck* Find(const std::string& key, const Check& check) const {
    const auto found = key.empty() ? known_.end() : known_.find(key);
    const bool is_same = found != known_.end() && SameValue(found->second.args, check.args) &&
                         SameValue(found->second.extract, check.extract);
    return is_same ? &found->second.bound : nullptr;
  }
  void Keep(std::string key, const Check& check, const BoundCheck& bound) {
    if (!key.empty() && known_.size() < kSharedMax)
      known_.emplace(std::move(key), Known{.args = check.args, .extract = *check.extract, .bound = bound});
  }

 private:
  static constexpr std::size_t kKeyBytesMax = 1000;
  struct Known {
    Value args;
    Value extract;
    BoundCheck bound;
  };
  std::unordered_map<std::string, Known> known_;
};

// Extractions of checks: equal ones are read once, so that an answer is searched once.
class Extractions {
 public:
  void Bind(const Check& check, BoundCheck& bound, Diagnostics& diagnostics) {
    std::string key;
    AppendTyped(*check.extract, key);
    const auto known = known_.find(key);
    if (known != known_.end()) {
      bound.extraction = known->second;
      return;
    }
    Result<Extraction> read = Extraction::Read(*check.extract);
    if (!read) {
      bound.problem = "extract: " + read.error().message;
      diagnostics.Error("extract.value", bound.problem, read.error().where.value_or(check.span),
                        "`assay list extractions` names the steps");
      return;
    }
    if (!read->IsWhole()) bound.extraction = std::make_shared<const Extraction>(*std::move(read));
    if (known_.size() < kSharedMax) known_.emplace(std::move(key), bound.extraction);
  }

 private:
  std::unordered_map<std::string, std::shared_ptr<const Extraction>> known_;
};

// What the checks of a suite are bound with.
struct BindingTools {
  const Suite& suite;
  const PlanOptions& options;
  NearNames near_names;
  Extractions extractions = {};
  std::shared_ptr<const ScriptFiles> scripts;

  BindingTools(const Suite& of, const PlanOptions& with) : suite(of), options(with), near_names(of) {
    ScriptFiles files;
    for (const ScriptSource& script : suite.scripts) files.emplace(script.path, script.source);
    if (!files.empty()) scripts = std::make_shared<const ScriptFiles>(std::move(files));
  }
};

// Binds one check to its row. What cannot be graded stays in the plan as an error that the reports show.
BoundCheck BindCheck(BindingTools& tools, const Case& the_case, const Check& check,
                     Diagnostics& diagnostics) {
  const Suite& suite = tools.suite;
  const PlanOptions& options = tools.options;
  BoundCheck bound{.row = FindRow(check.kind, suite, options.more)};
  if (bound.row == nullptr) {
    const std::string& written = check.written->empty() ? check.kind : *check.written;
    bound.problem = fmt::format("Unknown point function: '{}'", check.kind);
    if (check.is_told) return bound;
    const std::string_view near = tools.near_names.Of(written);
    const bool refuses = suite.refuses_unusable;
    diagnostics.Add({.severity = refuses ? Severity::kError : Severity::kWarning,
                     .code = "check.unknown",
                     .message = fmt::format("there is no check named {}", Quoted(written)),
                     .hint = fmt::format("{}{}",
                                         near.empty() ? "`assay list checks` names them all"
                                                      : fmt::format("did you mean \"{}\"?", near),
                                         refuses        ? ""
                                         : near.empty() ? "; this criterion will be an error"
                                                        : " This criterion will be an error"),
                     .where = check.span});
    return bound;
  }
  const std::size_t errors_before = diagnostics.ErrorCount();
  bound.args = bound.row->parse(
      {.check = check,
       .grading = suite.grading,
       .services = suite.services,
       .scripts = tools.scripts,
       .toolchains = suite.toolchains,
       .programs = suite.programs,
       .answer_schema = the_case.answer_schema->is_undefined() ? nullptr : &*the_case.answer_schema,
       .row = the_case.row->is_undefined() || check.judges->empty() ? nullptr : &*the_case.row,
       .refuses_broken = suite.refuses_unusable},
      diagnostics);
  if (bound.args == nullptr && diagnostics.ErrorCount() == errors_before)
    bound.problem = "the check's argument could not be used";
  bound.max_requests = RequestsMax(*bound.row, bound.args, PanelOf(suite, options.judging, &check));
  if (!check.extract->is_undefined() && bound.row->ReadsExtracted())
    tools.extractions.Bind(check, bound, diagnostics);
  return bound;
}

void BindChecks(BindingTools& tools, const Case& the_case, BoundChecks& known, RowFaults& row_faults,
                CasePlan& plan, Diagnostics& diagnostics) {
  plan.checks.reserve(the_case.checks.size());
  for (const Check& check : the_case.checks) {
    std::string key = BoundChecks::KeyOf(check, the_case.answer_schema);
    if (const BoundCheck* bound = known.Find(key, check)) {
      plan.checks.push_back(*bound);
      continue;
    }
    Diagnostics found;
    plan.checks.push_back(BindCheck(tools, the_case, check, found));
    row_faults.Tell(the_case, check, found, diagnostics);
    const bool is_clean = plan.checks.back().problem.empty();
    if (is_clean && found.All().empty()) known.Keep(std::move(key), check, plan.checks.back());
  }
  if (!the_case.extracts_key_points) return;
  BoundCheck key_points{.row = &KeyPointsRow(), .args = KeyPointsRow().parse({.check = {}}, diagnostics)};
  key_points.max_requests =
      RequestsMax(*key_points.row, key_points.args, PanelOf(tools.suite, tools.options.judging));
  plan.checks.push_back(std::move(key_points));
}

// A case whose every check is known to fail has no score whatever the answer says.
void WarnOfUnscorable(const Case& the_case, const CasePlan& plan, Diagnostics& diagnostics) {
  const auto is_hopeless = [](const BoundCheck& check) { return !check.problem.empty(); };
  // Of one point its own problem says enough.
  if (plan.checks.size() < 2 || !std::all_of(plan.checks.begin(), plan.checks.end(), is_hopeless)) return;
  diagnostics.Warning("plan.never-scores",
                      fmt::format("case {}: none of its criteria can be scored", Quoted(the_case.id)),
                      the_case.span, "correct one of them, or remove the case");
}

// Who answers whom: found once for each generator that cases name.
class AnswererTable {
 public:
  AnswererTable(const Suite& suite, std::span<const GeneratorRow> more) : suite_(suite), more_(more) {}

  std::shared_ptr<const Answerers> Of(const Case& the_case) {
    std::shared_ptr<const Answerers>& known = known_[the_case.generator];
    if (known != nullptr) return known;
    Answerers answerers;
    for (const Variant& variant : suite_.variants) answerers.push_back(GeneratorOf(the_case, variant, more_));
    known = std::make_shared<const Answerers>(std::move(answerers));
    return known;
  }

 private:
  const Suite& suite_;
  std::span<const GeneratorRow> more_;
  std::map<std::string, std::shared_ptr<const Answerers>, std::less<>> known_;
};

// `told`: what was said before of a variant and its reason.
void BindGenerators(const Suite& suite, const Case& the_case, AnswererTable& table, CasePlan& plan,
                    std::set<std::string>& told, Diagnostics& diagnostics) {
  plan.answerers = table.Of(the_case);
  bool is_told = false;  // one variant speaks for all
  for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
    const Variant& variant = suite.variants[v];
    if (!the_case.Asks(v)) continue;
    const GeneratorRow* row = (*plan.answerers)[v];
    if (row == nullptr) {
      diagnostics.Error(
          "plan.generator",
          fmt::format("case {} is to be answered by {}, which this assay does not have", Quoted(the_case.id),
                      Quoted(variant.generator.empty() ? *the_case.generator : variant.generator)),
          the_case.span, "use an assay that is not older than the one that wrote the suite");
      return;
    }
    if (is_told || row->lacks == nullptr || !variant.problem.empty()) continue;
    const std::string lacking = row->lacks(the_case, variant);
    if (lacking.empty() || !told.insert(fmt::format("{}\n{}", variant.id, lacking)).second) continue;
    is_told = true;
    diagnostics.Warning(
        "plan.cannot-answer",
        fmt::format("{} cannot answer case {}: {}", Quoted(variant.id), Quoted(the_case.id), lacking),
        the_case.span, "every attempt of it will be an error, of other such cases too");
  }
}

// What keeps a variant from every case is told once, of the variant.
void WarnOfUnaskable(const Suite& suite, Diagnostics& diagnostics) {
  for (const Variant& variant : suite.variants) {
    if (variant.problem.empty()) continue;
    diagnostics.Warning("plan.cannot-answer",
                        fmt::format("{} cannot answer: {}", Quoted(variant.id), variant.problem),
                        variant.span, "every attempt of it will be an error");
  }
}

// generate -> for each check whose row asks its step -> embeddings -> grade.
void LayOutSlots(const Suite& suite, const Case& the_case, RunPart part, CasePlan& plan) {
  plan.slots.push_back({.kind = StepKind::kGenerate, .asks = RowOf(part).answers_as, .inputs = {}});
  const std::vector<SlotIndex> answer = {kAnswerSlot};
  StepTemplate grade{.kind = StepKind::kGrade, .gate = Gate::kAllSettled, .inputs = answer};
  const auto add = [&](StepTemplate step) {
    step.inputs = answer;
    grade.inputs.push_back(static_cast<SlotIndex>(plan.slots.size()));
    plan.slots.push_back(std::move(step));
  };
  for (CheckIndex i = 0; i < plan.checks.size(); ++i) {
    const BoundCheck& check = plan.checks[i];
    if (!check.HasStep()) continue;
    add({.kind = StepKind::kAsk,
         .asks = check.row->asks->role,
         .check = i,
         .max_requests = check.max_requests});
  }
  if (suite.embedder) {
    StepTemplate embed{.kind = StepKind::kEmbed, .asks = RequestRole::kEmbedding, .max_requests = 1};
    add(embed);
    embed.embeds = EmbeddedText::kIdeal;
    if (the_case.ideal && !the_case.ideal->empty()) add(embed);
  }
  plan.slots.push_back(std::move(grade));
}

// Plans of cases that are all the same, each once.
class CasePlans {
 public:
  std::shared_ptr<const CasePlan> Share(CasePlan plan) {
    const std::string key = KeyOf(plan);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    auto shared = std::make_shared<const CasePlan>(std::move(plan));
    if (known_.size() < kSharedMax) known_.emplace(key, shared);
    return shared;
  }

 private:
  // By what slots are laid out for; arguments by identity.
  static std::string KeyOf(const CasePlan& plan) {
    std::string key;
    const auto add = [&key](auto number) {
      key.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    add(plan.answerers.get());
    add(plan.slots.size());
    for (const BoundCheck& check : plan.checks) {
      add(check.row);
      add(check.args.get());
      add(check.extraction.get());
      add(check.max_requests);
      add(check.problem.size());
      key += check.problem;
    }
    return key;
  }
  std::unordered_map<std::string, std::shared_ptr<const CasePlan>> known_;
};

// The pools of what checks ask for: services, and programs.
void AddCheckPools(const Plan& plan, const PlanOptions& options, std::vector<Pool>& pools) {
  const auto add = [&](RequestRole role, std::size_t width) {
    if (!AsksAs(plan, role)) return;
    pools.push_back({.name = PoolName(role, {}), .max_in_flight = std::max<std::size_t>(width, 1)});
  };
  add(RequestRole::kService, options.max_in_flight.value_or(kServiceWidth));
  add(RequestRole::kProgram, options.programs);
  add(RequestRole::kTool, options.max_in_flight.value_or(kServiceWidth));
}

std::vector<Pool> MakePools(const Plan& plan, const PlanOptions& options) {
  const Suite& suite = plan.suite();
  std::map<std::string, std::string> providers;  // by pool
  for (const PlannedModel& model : ModelsOf(plan))
    providers.emplace(PoolName(model.role, model.ref->provider), model.ref->provider);
  std::vector<Pool> pools;
  for (const auto& [name, provider_name] : providers) {
    const ProviderRow* provider = FindProvider(provider_name);
    std::size_t width = provider == nullptr ? 10 : provider->max_in_flight;
    if (suite.concurrency) width = *suite.concurrency;
    if (options.max_in_flight) width = *options.max_in_flight;
    pools.push_back(
        {.name = name, .max_in_flight = std::clamp<std::size_t>(width, 1, limits::kMaxInFlightMax)});
  }
  if (plan.HasAnswerer(&GeneratorRow::asks_service)) {
    const std::size_t width = options.max_in_flight.value_or(suite.concurrency.value_or(kServiceWidth));
    pools.push_back({.name = PoolName(RequestRole::kCandidate, {}),
                     .max_in_flight = std::clamp<std::size_t>(width, 1, limits::kMaxInFlightMax)});
  }
  AddCheckPools(plan, options, pools);
  return pools;
}

}  // namespace

namespace {

// Adds up what a plan is made of; whether it is too big for one is told in `diagnostics`.
class PlanSize {
 public:
  PlanSize(const Suite& suite, Diagnostics& diagnostics) : suite_(suite), diagnostics_(diagnostics) {}

  bool Takes(const Case& the_case) {
    checks_ += the_case.checks.size();
    if (checks_ <= limits::kSuiteChecksMax) return true;
    return Refuse(fmt::format("the suite has more than {} criteria", limits::kSuiteChecksMax));
  }
  bool Takes(const CasePlan& plan) {
    slots_ += plan.slots.size();
    if (slots_ <= limits::kSuiteSlotsMax) return true;
    return Refuse(fmt::format("cases and their criteria make more than {} steps", limits::kSuiteSlotsMax));
  }

 private:
  bool Refuse(std::string problem) {
    diagnostics_.Error("plan.limit", std::move(problem), suite_.span,
                       "use fewer cases or criteria (--limit, --filter)");
    return false;
  }

  const Suite& suite_;
  Diagnostics& diagnostics_;
  std::size_t checks_ = 0;
  std::size_t slots_ = 0;
};

}  // namespace

struct CheckProbe::Work {
  Suite suite;
  PlanOptions options;
  BindingTools tools{suite, options};
};

CheckProbe::CheckProbe() : work_(std::make_unique<Work>()) { work_->suite.refuses_unusable = true; }

CheckProbe::~CheckProbe() = default;

bool CheckProbe::BindsQuietly(const Case& the_case) {
  Diagnostics said;
  return std::all_of(the_case.checks.begin(), the_case.checks.end(), [&](const Check& check) {
    const BoundCheck bound = BindCheck(work_->tools, the_case, check, said);
    return bound.problem.empty() && said.All().empty();
  });
}

std::shared_ptr<const Plan> Plan::Build(Suite suite, const PlanOptions& options, Diagnostics& diagnostics) {
  auto plan = std::make_shared<Plan>();
  plan->suite_ = std::make_shared<const Suite>(std::move(suite));
  plan->judging_ = options.judging;
  plan->part_ = options.part;
  const Suite& s = *plan->suite_;
  ASSAY_ASSERT(s.attempts >= 1);
  PlanSize size(s, diagnostics);
  for (const Case& the_case : s.cases) {
    if (!size.Takes(the_case)) return nullptr;
  }
  WarnOfUnaskable(s, diagnostics);
  std::set<std::string> told;
  BindingTools tools(s, options);
  AnswererTable answerers(s, options.more.generators);
  BoundChecks known_checks;
  RowFaults row_faults;
  CasePlans known_plans;
  plan->cases_.reserve(s.cases.size());
  plan->first_steps_.reserve(s.cases.size());
  std::optional<CellGrid> grid = CellGrid::Of(s);
  if (!grid) {
    diagnostics.Error("plan.limit", fmt::format("the run would have more than {} cells", limits::kCellsMax),
                      s.span, "use fewer cases, variants or attempts (--limit, --filter, --attempts)");
    return nullptr;
  }
  plan->grid_ = *std::move(grid);
  for (CaseIndex i = 0; i < s.cases.size(); ++i) {
    const Case& the_case = s.cases[i];
    CasePlan case_plan;
    BindGenerators(s, the_case, answerers, case_plan, told, diagnostics);
    BindChecks(tools, the_case, known_checks, row_faults, case_plan, diagnostics);
    WarnOfUnscorable(the_case, case_plan, diagnostics);
    case_plan.reads_use =
        std::any_of(case_plan.checks.begin(), case_plan.checks.end(),
                    [](const BoundCheck& check) { return check.row != nullptr && check.row->reads_use; });
    LayOutSlots(s, the_case, options.part, case_plan);
    if (!size.Takes(case_plan)) return nullptr;
    plan->first_steps_.push_back(plan->step_count_);
    plan->step_count_ += plan->grid_.OfCase(i).size() * case_plan.slots.size();
    plan->cases_.push_back(known_plans.Share(std::move(case_plan)));
  }
  row_faults.TellCriteria(diagnostics);
  if (diagnostics.HasErrors() && !options.despite_errors) return nullptr;
  plan->pools_ = MakePools(*plan, options);
  return plan;
}

}  // namespace assay
