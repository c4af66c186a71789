// Joins tests with what they have by default, and makes rows and columns.
#include "dialects/promptfoo/expand/expand.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "dialects/promptfoo/expand/variables.h"
#include "dialects/promptfoo/read/context.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/tests.h"
#include "text/found.h"
#include "text/javascript/truth.h"
#include "text/nunjucks/nunjucks.h"
#include "text/object.h"
#include "text/place_of.h"
#include "text/script/script.h"

namespace assay::promptfoo {

namespace {

constexpr std::size_t kRowsMax = 10'000'000;

class Expander {
 public:
  Expander(const Config& config, const EvalOptions& options, const ReadAccess& access)
      : config_(config),
        options_(options),
        context_{options_, access.files, access.sources, access.diagnostics, code_} {}

  std::optional<Expansion> Run() {
    const std::size_t errors = context_.diagnostics.ErrorCount();
    AddColumns();
    for (const Test& test : config_.tests) Add(test);
    for (const Test& test : config_.scenario_tests) Add(test);
    if (context_.diagnostics.ErrorCount() > errors) return std::nullopt;
    return std::move(expansion_);
  }

 private:
  void AddColumns() {
    for (std::size_t provider = 0; provider < config_.providers.size(); ++provider) {
      const std::size_t before = expansion_.columns.size();
      for (std::size_t prompt = 0; prompt < config_.prompts.size(); ++prompt) {
        const Prompt& each = config_.prompts[prompt];
        if (IsMeant(PromptsOf(config_.providers[provider]), each.label, each.id))
          expansion_.columns.push_back({prompt, provider});
      }
      if (expansion_.columns.size() == before)
        context_.diagnostics.Warning(
            "promptfoo.filter",
            fmt::format("the provider {} is asked no prompt", Quoted(config_.providers[provider].Name())),
            config_.providers[provider].where, "name labels of prompts in its `prompts`, or leave it out");
    }
  }

  // The filter of the provider. promptfoo keeps one for each id and each label: the last one counts.
  const NameFilter& PromptsOf(const Provider& provider) const {
    if (!options_.is_compatible) return provider.prompts;
    const auto last = std::find_if(
        config_.providers.rbegin(), config_.providers.rend(),
        [&](const Provider& other) { return other.id == provider.Name() || other.label == provider.Name(); });
    return last->prompts;
  }

  Test WithDefaults(const Test& test) const {
    Test base = config_.default_test;
    if (IsTruthyAt(test.options, "disableDefaultAsserts")) base.asserts.clear();
    base.description.clear();
    return Joined(base, test);
  }

  void Add(const Test& test) {
    Test joined = WithDefaults(test);
    if (!TransformVariables(joined)) return;
    const bool is_expanded = !IsTruthyAt(joined.options, "disableVarExpansion") &&
                             !options_.IsOn("PROMPTFOO_DISABLE_VAR_EXPANSION");
    const std::optional<std::vector<Map>> combinations =
        CombinationsOf(context_, joined.variables, config_.folder, is_expanded, test.where);
    if (!combinations) return;
    const std::size_t rounds = RoundsOf(joined);
    if (expansion_.rows.size() + rounds * combinations->size() > kRowsMax) {
      if (!std::exchange(is_full_, true))
        context_.Error("promptfoo.limit", fmt::format("the tests make more than {} rows", kRowsMax),
                       test.where, "repeat them less often, or shorten the lists of their variables");
      return;
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      for (const Map& combination : *combinations)
        expansion_.rows.push_back({expansion_.tests.size(), round, combination});
    }
    joined.variables = Map();
    expansion_.tests.push_back(std::move(joined));
  }

  std::size_t RoundsOf(const Test& test) const {
    constexpr std::size_t kRoundsMax = 1'000'000;
    std::size_t rounds = 0;
    if (const Value* own = test.options.Find("repeat")) {
      const std::string text = JsTextOf(*own);
      std::from_chars(text.data(), text.data() + text.size(), rounds);
    }
    if (rounds == 0) rounds = static_cast<std::size_t>(std::max<std::int64_t>(config_.repeat, 1));
    return std::min(rounds, kRoundsMax);
  }

  // What the test's own expression makes of its variables. False after an error.
  bool TransformVariables(Test& test) {
    const std::string* given = FindText(test.options, "transformVars");
    if (given == nullptr || given->starts_with(kFilePrefix)) return true;
    const std::string& code = *given;
    const bool is_body = code.find('\n') != std::string::npos;
    const std::string source =
        "(function (vars, context) {" + std::string(is_body ? "" : "return ") + code + "\n})(vars, context)";
    const ScriptOutcome outcome =
        script_.Eval(source, {{"vars", test.variables}, {"context", Object{{"vars", test.variables}}}});
    if (outcome.kind == ScriptOutcome::Kind::kValue && outcome.value.is_map()) {
      for (const Member& member : outcome.value.AsMap()) test.variables.Set(member.key, member.value);
      test.variables.SortLikeJavaScript();
      return true;
    }
    const bool has_thrown =
        outcome.kind == ScriptOutcome::Kind::kThrown || outcome.kind == ScriptOutcome::Kind::kLimit;
    context_.Error("promptfoo.transform",
                   has_thrown ? "transformVars: " + outcome.message
                              : "transformVars: expected an object of variables, found something else",
                   PlaceOf(test.options, "transformVars"),
                   "write an expression over `vars`: ({...vars, name: vars.name.trim()})");
    return false;
  }

  const Config& config_;
  const EvalOptions& options_;
  std::vector<Code> code_;
  ReadContext context_;
  Expansion expansion_;
  ScriptEngine script_;
  bool is_full_ = false;
};

}  // namespace

bool IsMeant(const NameFilter& filter, const std::string& label, const std::string& id) {
  if (!filter) return true;
  const auto names = [](std::string_view wanted, const std::string& name) {
    if (name.empty()) return false;
    if (wanted == name) return true;
    if (wanted.ends_with(":*")) wanted.remove_suffix(2);
    return name.size() > wanted.size() && name.starts_with(wanted) && name[wanted.size()] == ':';
  };
  return std::any_of(filter->begin(), filter->end(),
                     [&](const std::string& wanted) { return names(wanted, label) || names(wanted, id); });
}

std::optional<Expansion> Expand(const Config& config, const EvalOptions& options, const ReadAccess& access) {
  return Expander(config, options, access).Run();
}

bool IsAsked(const Config& config, const Expansion& expansion, const Row& row, const Column& column) {
  const Test& test = expansion.tests[row.test];
  const Prompt& prompt = config.prompts[column.prompt];
  const Provider& provider = config.providers[column.provider];
  return IsMeant(test.prompts, prompt.label, prompt.id) &&
         IsMeant(test.providers, provider.label, provider.id);
}

}  // namespace assay::promptfoo
