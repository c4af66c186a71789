// Converts prompts to cases and points to checks, and fills in the rest of the Suite.
#include "dialects/blueprint/lower/lower.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/core.h>

#include "base/errors/near_id.h"
#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/kept_prompts.h"
#include "dialects/blueprint/lower/conversation.h"
#include "dialects/blueprint/lower/ids.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/lower/load.h"
#include "dialects/blueprint/lower/models.h"
#include "dialects/blueprint/lower/program_files.h"
#include "dialects/blueprint/options.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/model_options.h"
#include "dialects/blueprint/read/point_items.h"
#include "dialects/blueprint/rows/askings.h"
#include "dialects/blueprint/write/sentences.h"
#include "dialects/limits.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

constexpr std::uint32_t kDefaultConcurrency = 10;

// The checks of one case while they are collected.
struct CheckWork {
  std::string prompt;  // for messages
  bool like_weval;
  Diagnostics& diagnostics;
  const SourceFiles& sources;
  Case& the_case;
  const Value* extract;  // of points that say nothing of it; null: none
  std::vector<CheckNode> required;
  std::vector<CheckNode> alternatives;                 // kAny nodes
  std::unordered_map<std::string, std::size_t> paths;  // by label, in the last kAny node
};

CheckNode Leaf(CheckIndex check) {
  CheckNode node;
  node.op = CheckNode::Op::kLeaf;
  node.check = check;
  return node;
}

// A function that weval does not know.
constexpr std::string_view kOwnFunction = "matches_schema";

// `$judge` is no function, and must not pass for a criterion.
std::string KindOf(PointItem& item, bool like_weval) {
  if (!item.is_function) return std::string(kJudgeKind);
  const bool is_none = item.function == kJudgeKind || (like_weval && item.function == kOwnFunction);
  return is_none ? "$" + item.function : std::move(item.function);
}

// The function's name as the file has it, if the parser took it for another.
std::string WrittenKind(const Value& point, const Check& check, const SourceFiles& sources) {
  const Value* fn = point.Find("fn");
  if (fn == nullptr || fn->span.file == FileId::kNone) return {};
  constexpr std::string_view kAround = "\"'$";
  std::string_view written = sources.Text(fn->span.file).substr(fn->span.offset, fn->span.length);
  while (!written.empty() && kAround.find(written.front()) != std::string_view::npos)
    written.remove_prefix(1);
  while (!written.empty() && kAround.find(written.back()) != std::string_view::npos) written.remove_suffix(1);
  return written != check.kind && RepairedName(written) == check.kind ? std::string(written) : std::string();
}

bool IsWholeAnswer(const Value& extract) {
  return extract.is_nullish() || (extract.is_string() && extract.AsString() == "none");
}

// Adds one point as a check and returns its leaf; nothing after an error.
std::optional<CheckNode> AddCheck(const Value& point, std::string id, bool invert, CheckWork& work) {
  // weval reads no `weight` of a definition as it was written.
  const WeightNames weights = work.like_weval ? WeightNames::kOnlyMultiplier : WeightNames::kBoth;
  std::optional<PointItem> item = ReadPointItem(point, work.prompt, weights, work.diagnostics);
  if (!item) return std::nullopt;
  Check check;
  check.id = std::move(id);
  check.kind = KindOf(*item, work.like_weval);
  check.args = std::move(item->args);
  check.weight = item->multiplier;
  check.invert = invert;
  check.text = std::move(item->text);
  check.citation = std::move(item->citation);
  check.metric = std::move(item->name);
  if (item->extract.is_undefined() && work.extract != nullptr) item->extract = *work.extract;
  if (item->is_function && !IsWholeAnswer(item->extract)) check.extract = std::move(item->extract);
  check.span = item->span;
  check.written = WrittenKind(point, check, work.sources);
  check.is_told = IsToldAsText(point);
  work.the_case.checks.push_back(std::move(check));
  return Leaf(static_cast<CheckIndex>(work.the_case.checks.size() - 1));
}

// The alternatives of a block compete in one kAny node; in the mode of weval those of both blocks do, and
// paths of the same name are one.
CheckNode& PathNode(std::string label, std::size_t first_of_block, CheckWork& work) {
  const bool is_new_group =
      work.like_weval ? work.alternatives.empty() : work.alternatives.size() == first_of_block;
  if (is_new_group) {
    work.alternatives.emplace_back();
    work.alternatives.back().op = CheckNode::Op::kAny;
    work.paths.clear();
  }
  std::vector<CheckNode>& paths = work.alternatives.back().children;
  const auto [found, is_new] = work.paths.emplace(std::move(label), paths.size());
  if (is_new) {
    paths.emplace_back();
    paths.back().label = found->first;
  }
  return paths[found->second];
}

void AddBlock(const Value* block, std::string_view name, bool invert, CheckWork& work) {
  if (block == nullptr) return;
  const std::size_t first_of_block = work.alternatives.size();
  const List& points = block->AsList();
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::string id(name);
    id.append(1, '.').append(std::to_string(i + 1));
    if (!points[i].is_list()) {
      if (auto leaf = AddCheck(points[i], std::move(id), invert, work))
        work.required.push_back(std::move(*leaf));
      continue;
    }
    CheckNode& path = PathNode(fmt::format("path_{}", i), first_of_block, work);
    std::size_t position = 0;
    for (const Value& point : points[i].AsList()) {
      auto leaf = AddCheck(point, fmt::format("{}.{}", id, ++position), invert, work);
      if (leaf) path.children.push_back(std::move(*leaf));
    }
  }
}

void AddChecks(const Value& prompt, const Value* extract, const ReadInput& input, Case& the_case) {
  CheckWork work{fmt::format("prompt {}", Quoted(the_case.id)),
                 input.options.compat == Compat::kWeval,
                 input.diagnostics,
                 input.sources,
                 the_case,
                 extract,
                 {},
                 {},
                 {}};
  AddBlock(prompt.Find("points"), "should", false, work);
  AddBlock(prompt.Find("should_not"), "should_not", true, work);
  InlineProgramFiles(input.path.substr(0, input.path.rfind('/') + 1), input.files, the_case);
  the_case.tree.children = std::move(work.required);
  for (CheckNode& alternative : work.alternatives) the_case.tree.children.push_back(std::move(alternative));
}

SystemOverride SystemOf(const Value& prompt) {
  const Value* system = prompt.Find("system");
  if (system == nullptr) return {};
  if (system->is_null()) return {SystemOverride::Kind::kNone, ""};
  return {SystemOverride::Kind::kText, system->AsString()};
}

double WeightOf(const Value& prompt) {
  const Value* weight = prompt.Find("weight");
  return weight == nullptr || std::isnan(weight->AsNumber()) ? 1 : weight->AsNumber();
}

// What lowering one prompt takes from the whole config.
struct CaseScope {
  const ReadInput& input;
  const VariantPlan& variants;
  bool is_graded;    // false: --eval-method leaves the checks out
  bool has_systems;  // the header's systems replace a prompt's null or empty one
  bool prompts_set_temperature;
  MediaReader& media;
  const Value* answer_schema;  // of prompts that say nothing of it; null: none
  const Value* extract;        // the same
  std::optional<double> pass_at;
};

// A prompt that runs, as indices into config.prompts. Of several with one id, which only weval's mode leaves,
// all are asked; the answer to the last is graded by the points of the first, the others are dropped.
struct ChosenPrompt {
  std::size_t asked = 0;
  std::size_t rubric = 0;
  bool is_dropped = false;
};

// The turns of messages that stand in the place of the prompt's own.
std::vector<Turn> TurnsOf(const Value& messages, const Value& prompt, const CaseScope& scope) {
  Value asked(Object{{"id", *prompt.Find("id")}, {"messages", messages}});
  asked.span = prompt.span;
  return ConversationTurns(asked, scope.media);
}

// A way to ask the case for each that a variant names. Who names one that the prompt does not have, does not
// ask it.
void AddAskings(const Value& prompt, const CaseScope& scope, Case& the_case) {
  const List& askings = prompt.AsMap().ListAt("askings");
  std::vector<VariantIndex> asked;
  bool fills_systems = false;
  for (VariantIndex v = 0; v < scope.variants.variants.size(); ++v) {
    const Variant& variant = scope.variants.variants[v];
    if (variant.asking.empty()) return;
    const AskingName name = AskingNameOf(variant.asking);
    fills_systems = fills_systems || name.system.has_value();
    const auto found = std::find_if(askings.begin(), askings.end(), [&](const Value& asking) {
      return AskingNameOf(asking.TextAt("name")).Takes(name);
    });
    if (found == askings.end() && !askings.empty()) continue;
    asked.push_back(v);
    if (AskingOf(the_case, variant) != nullptr) continue;
    CaseAsking& asking = the_case.askings.edit().emplace_back();
    asking.name = variant.asking;
    asking.turns = found == askings.end() ? the_case.turns : TurnsOf(*found->Find("messages"), prompt, scope);
    if (found != askings.end() || !name.system || !variant.system) continue;
    asking.turns.insert(asking.turns.begin(),
                        {.role = Role::kSystem, .text = *variant.system, .span = prompt.span});
  }
  if (asked.size() < scope.variants.variants.size()) the_case.variants = std::move(asked);
  // The system prompt stands in the turns.
  if (fills_systems) the_case.system = SystemOverride{SystemOverride::Kind::kNone, ""};
}

Case LowerPrompt(const List& prompts, const ChosenPrompt& chosen, const CaseScope& scope) {
  const Value& prompt = prompts[chosen.asked];
  const Value& rubric = prompts[chosen.rubric];
  Case the_case;
  const Value& id = *prompt.Find("id");
  the_case.id = JsText(id);
  // What is wrong with a case of a table is wrong with its row.
  const bool is_of_row = id.span.file != FileId::kNone && id.span.file != prompt.span.file;
  the_case.span = is_of_row ? id.span : prompt.span;
  the_case.description = rubric.AsMap().TextAt("description");
  the_case.render_as = rubric.AsMap().TextAt("render_as");
  if (const Value* citation = rubric.Find("citation")) the_case.citation = *citation;
  the_case.turns = ConversationTurns(prompt, scope.media);
  if (const Value* ideal = prompt.Find("idealResponse"); IsTruthy(ideal)) the_case.ideal = JsText(*ideal);
  the_case.weight = WeightOf(rubric);
  if (!scope.has_systems) the_case.system = SystemOf(prompt);
  const Value* temperature = prompt.Find("temperature");
  if (temperature != nullptr) the_case.temperature = temperature->AsNumber();
  if (temperature == nullptr && scope.prompts_set_temperature) the_case.temperature = 0;
  const Value* schema = prompt.Find("response_format");
  if (schema == nullptr) schema = scope.answer_schema;
  if (schema != nullptr && !schema->is_nullish()) the_case.answer_schema = *schema;
  the_case.cluster = prompt.AsMap().TextAt("cluster");
  the_case.is_flaky = IsTruthy(prompt.Find("flaky"));
  the_case.pass_at = scope.pass_at;
  if (const Value* groups = prompt.Find("group"); groups != nullptr && groups->is_list()) {
    for (const Value& group : groups->AsList()) the_case.groups.edit().push_back(group.AsString());
  }
  if (const Value* tags = prompt.Find("tags"); tags != nullptr && tags->is_list()) {
    for (const Value& tag : tags->AsList()) the_case.tags.edit().push_back(tag.AsString());
  }
  the_case.variants = scope.variants.AskedOf(prompt);
  AddAskings(prompt, scope, the_case);
  if (const Value* unshown = prompt.Find("unshown"))
    the_case.unshown_turns = static_cast<std::uint32_t>(unshown->AsNumber());
  if (const Value* row = prompt.Find("row")) the_case.row = *row;
  the_case.details =
      Object{{"promptIndex", chosen.asked}, {"noCache", When(IsTruthy(prompt.Find("noCache")), true)}};
  the_case.details.span = id.span;  // of its row, where one fills it in
  const bool is_graded = scope.is_graded && !chosen.is_dropped;
  const Value* extract = rubric.Find("extract");
  if (is_graded) AddChecks(rubric, extract == nullptr ? scope.extract : extract, scope.input, the_case);
  the_case.extracts_key_points = is_graded && the_case.checks.empty() && the_case.ideal.has_value();
  return the_case;
}

std::vector<std::string> IdsOf(const List& prompts) {
  std::vector<std::string> ids;
  for (const Value& prompt : prompts) ids.push_back(JsText(*prompt.Find("id")));
  return ids;
}

// Each name of --select has to be a prompt's id.
void CheckSelected(const List& prompts, const ReadInput& input) {
  const std::vector<std::string> ids = IdsOf(prompts);
  for (const std::string& name : input.options.selected) {
    if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
    const std::vector<std::string_view> known(ids.begin(), ids.end());
    input.diagnostics.Error(
        "blueprint.select",
        fmt::format("--select: no prompt has the id {}{}", Quoted(name), IdHint(name, known)), {},
        "`assay check --json` lists the prompts with their ids");
  }
}

// What --select, --filter and --limit leave. Prompts with one id stand together, where the first of them
// stands.
std::vector<ChosenPrompt> ChosenPrompts(const List& prompts, const ReadOptions& options) {
  std::vector<std::vector<std::size_t>> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    std::string id = JsText(*prompts[i].Find("id"));
    if (!IsChosen(options.selected, options.filter, id)) continue;
    const auto [found, is_new] = places.emplace(std::move(id), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  if (options.limit && groups.size() > *options.limit) groups.resize(*options.limit);
  std::vector<ChosenPrompt> chosen;
  for (const std::vector<std::size_t>& group : groups) {
    for (const std::size_t index : group) {
      chosen.push_back({.asked = index, .rubric = group.front(), .is_dropped = index != group.back()});
    }
  }
  return chosen;
}

// The header's `pass`; absent: it says nothing.
std::optional<double> HeaderMark(const Map& config, Compat compat) {
  const Value* pass = config.Find("pass");
  if (pass == nullptr || compat == Compat::kWeval) return std::nullopt;
  return pass->is_number() ? pass->AsNumber() : 1;
}

// The header's `pass_at_k`, each number once.
std::vector<AttemptIndex> HeaderTries(const Map& config, Compat compat) {
  std::vector<AttemptIndex> ks;
  const Value* list = config.Find("pass_at_k");
  if (list == nullptr || compat == Compat::kWeval) return ks;
  for (const Value& item : list->AsList()) {
    const auto k = static_cast<AttemptIndex>(item.AsNumber());
    if (std::find(ks.begin(), ks.end(), k) == ks.end()) ks.push_back(k);
  }
  return ks;
}

// Each prompt becomes what the suite keeps of it as soon as nobody needs its tree.
void LowerCases(Map& config, const VariantPlan& variants, bool is_graded, const ReadInput& input,
                Suite& suite) {
  List& prompts = config.Find("prompts")->AsList();
  const Value* systems = config.Find("systems");
  const bool has_systems = systems != nullptr && systems->is_list() && !systems->AsList().empty();
  const bool prompts_set_temperature =
      !variants.variants.empty() && !variants.variants.front().params.temperature;
  MediaReader media(input);
  const CaseScope scope{input,
                        variants,
                        is_graded,
                        has_systems,
                        prompts_set_temperature,
                        media,
                        config.Find("response_format"),
                        config.Find("extract"),
                        HeaderMark(config, suite.compat)};
  CheckSelected(prompts, input);
  const std::vector<ChosenPrompt> all_chosen = ChosenPrompts(prompts, input.options);
  suite.cases.reserve(all_chosen.size());
  const bool is_large = prompts.size() >= kKeptAsTextFrom;
  const auto keep = [&](Value& prompt) {
    if (is_large) prompt = KeptPrompt(std::move(prompt));
  };
  for (std::size_t i = 0; i < all_chosen.size(); ++i) {
    const ChosenPrompt& chosen = all_chosen[i];
    suite.cases.push_back(LowerPrompt(prompts, chosen, scope));
    HideSecrets(prompts[chosen.asked]);
    // Those of one id stand together and need the first of them.
    const bool is_last = i + 1 == all_chosen.size() || all_chosen[i + 1].rubric != chosen.rubric;
    if (chosen.asked != chosen.rubric) keep(prompts[chosen.asked]);
    if (is_last) keep(prompts[chosen.rubric]);
  }
  if (suite.cases.empty() && !prompts.empty() && !input.options.filter.empty()) {
    const std::vector<std::string> ids = IdsOf(prompts);
    const std::vector<std::string_view> known(ids.begin(), ids.end());
    const std::string& filter = input.options.filter;
    input.diagnostics.Error(
        "blueprint.filter",
        fmt::format("no prompt's id matches the filter {}{}", Quoted(filter), IdHint(filter, known)), {},
        "\"*\" stands for any run of characters");
  }
}

// The author's; absent: none is there.
std::optional<std::uint32_t> ConcurrencyOf(const Map& config, const ReadInput& input) {
  const Value* concurrency = config.Find("concurrency");
  if (concurrency == nullptr || concurrency->is_null()) return std::nullopt;
  const bool is_count = concurrency->is_number() && concurrency->AsNumber() >= 1 &&
                        concurrency->AsNumber() <= std::numeric_limits<std::uint32_t>::max();
  if (!is_count) {
    input.diagnostics.Warning("blueprint.concurrency", "concurrency: expected a number of at least 1",
                              concurrency->span, "it is left at its default");
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(concurrency->AsNumber());
}

Value MakeDetails(Value config, const std::vector<std::string>& methods, std::string_view path) {
  Map details;
  Map custom_models;
  // What --filter and --limit left out.
  if (List& prompts = config.AsMap().Find("prompts")->AsList(); prompts.size() >= kKeptAsTextFrom) {
    for (Value& prompt : prompts) prompt = KeptPrompt(std::move(prompt));
  }
  for (Value& model : config.AsMap().Find("models")->AsList()) {
    std::string id = ModelId(model);
    if (model.is_map() && !HasModelOptions(model)) custom_models.Set(id, std::move(model));
    model = Value(std::move(id));
  }
  Extend(details, {{"config", std::move(config)},
                   {"customModels", std::move(custom_models)},
                   {"evalMethodsUsed", ArrayOf(methods)},
                   {"sourceFileName", path.substr(path.rfind('/') + 1)}});
  return details;
}

// weval always embeds; ours costs nothing unasked, and no score of a judged prompt depends on it.
std::vector<std::string> MethodsOf(const ReadInput& input) {
  const std::string said = input.options.own.Text(kEvalMethodOption);
  if (said.empty() && input.options.compat != Compat::kWeval) return {"llm-coverage"};
  return ParseEvalMethods(said, input.diagnostics);
}

// Who embeds; the provider is openai unless the id has exactly one colon (spec: blueprint 18.9).
void AddEmbedder(const Map& config, Diagnostics& diagnostics, Suite& suite) {
  const Value* model = config.Find("embeddingModel");
  if (model == nullptr || !model->is_string()) return;
  if (suite.variants.size() > limits::kSimilarityModelsMax) {
    diagnostics.Warning("blueprint.embedding",
                        fmt::format("the answers of {} variants are too many to compare two by two; no "
                                    "similarities are made above {}",
                                    suite.variants.size(), limits::kSimilarityModelsMax),
                        model->span);
    return;
  }
  Embedder embedder;
  embedder.model_id = model->AsString();
  ModelAddress address = ModelAddressOf(embedder.model_id);
  const bool is_one_colon = std::count(embedder.model_id.begin(), embedder.model_id.end(), ':') == 1;
  embedder.provider = is_one_colon ? std::move(address.provider) : "openai";
  embedder.model = is_one_colon ? std::move(address.model) : embedder.model_id;
  suite.embedder = std::move(embedder);
}

// weval compares ids as texts when it names a run, and breaks off at a number: at any but the first prompt's.
void RefuseNumberIds(const Map& config, const ReadInput& input) {
  if (input.options.compat != Compat::kWeval) return;
  const List& prompts = config.Find("prompts")->AsList();
  for (std::size_t i = 1; i < prompts.size(); ++i) {
    const Value& id = *prompts[i].Find("id");
    if (!id.is_number()) continue;
    input.diagnostics.Error(
        "blueprint.id",
        fmt::format("the id {} of a prompt is a number, at which weval breaks off", Quoted(JsText(id))),
        id.span, "put the id in quotes");
  }
}

// What `$call: {service: NAME}` names; the checks read the settings.
void AddServices(const Map& config, Suite& suite) {
  const Value* services = config.Find("externalServices");
  if (services == nullptr || !services->is_map()) return;
  for (const Member& service : services->AsMap()) suite.services.push_back({service.key, service.value});
}

bool Holds(const std::vector<std::string>& methods, std::string_view method) {
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

}  // namespace

}  // namespace assay::blueprint

namespace assay {

GradingRules BlueprintGradingRules(Compat compat) {
  const bool like_weval = compat == Compat::kWeval;
  return {.nan_is_score = like_weval, .agreement_by_label = !like_weval};
}

}  // namespace assay

namespace assay::blueprint {

void AddChecksOf(const Value& prompt, const Value* extract, const ReadInput& input, Case& the_case) {
  AddChecks(prompt, extract, input, the_case);
}

std::optional<Suite> LowerBlueprint(Value config, const ReadInput& input) {
  const std::size_t errors_before = input.diagnostics.ErrorCount();
  Map& fields = config.AsMap();
  Suite suite;
  suite.id = fields.TextAt("id");
  suite.title = fields.TextAt("title");
  suite.description = fields.TextAt("description");
  suite.dialect = "blueprint";
  suite.compat = input.options.compat;
  suite.grading = BlueprintGradingRules(input.options.compat);
  suite.refuses_unusable = suite.compat != Compat::kWeval;
  if (suite.compat == Compat::kWeval) {
    suite.judge_repairs = 0;
    suite.judge_reading = JudgeReading::kFirstTags;
    suite.aggregation.formula = "weighted-mean-best-path-weval";
    suite.completeness = {.accepts_partial = true, .needs_every_cell = false};
    suite.error_marker = blueprint::AnswerErrorMarker();
  }
  suite.thinkers_have_room = suite.compat != Compat::kWeval;
  suite.pass_at_k = HeaderTries(fields, suite.compat);
  suite.attempts = AttemptsFor(input.options, suite.pass_at_k).value_or(1);
  suite.span = config.span;
  if (const Value* tags = fields.Find("tags")) {
    for (const Value& tag : tags->AsList()) suite.tags.push_back(tag.AsString());
  }
  if (const Value* author = fields.Find("author")) suite.author = *author;
  if (const Value* references = fields.Find("references")) suite.references = *references;
  suite.concurrency = ConcurrencyOf(fields, input);
  suite.has_default_concurrency = !suite.concurrency && input.options.compat != Compat::kWeval;
  if (suite.has_default_concurrency) suite.concurrency = kDefaultConcurrency;
  RefuseNumberIds(fields, input);
  const std::size_t errors_of_others = input.diagnostics.ErrorCount();
  VariantPlan variants = PlanVariants(fields, input);
  const bool are_too_many = input.diagnostics.ErrorCount() > errors_of_others;
  if (suite.compat != Compat::kWeval) RemoveLabels(fields.Find("models")->AsList());
  suite.run_label = RunLabelOf(input.options.run_label, ConfigContentHash(fields));
  const std::vector<std::string> methods = MethodsOf(input);
  if (variants.variants.empty() && !are_too_many) {
    input.diagnostics.Warning("blueprint.models", "no model is left to ask", fields.Find("models")->span,
                              "list models in the header, or name one with -m");
  }
  LowerCases(fields, variants, Holds(methods, "llm-coverage"), input, suite);
  AddJudges(fields, input, suite);
  if (!MayReadOn(input.diagnostics, errors_before, input.options.reads_on)) return std::nullopt;
  suite.variants = std::move(variants.variants);
  AddServices(fields, suite);
  if (Holds(methods, "embedding")) AddEmbedder(fields, input.diagnostics, suite);
  suite.details = MakeDetails(std::move(config), methods, input.path);
  return suite;
}

}  // namespace assay::blueprint
