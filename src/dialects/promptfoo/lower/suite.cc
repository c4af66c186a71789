// Cases of rows, and what holds for the whole suite.
#include "dialects/promptfoo/lower/suite.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "dialects/names.h"
#include "dialects/promptfoo/expand/render.h"
#include "dialects/promptfoo/lower/assertions.h"
#include "dialects/promptfoo/lower/chat.h"
#include "dialects/promptfoo/lower/columns.h"
#include "dialects/promptfoo/lower/models.h"
#include "dialects/promptfoo/lower/scripts.h"
#include "dialects/promptfoo/promptfoo.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr std::uint32_t kConcurrency = 4;  // promptfoo's, where nobody says another
constexpr std::size_t kIdBytesMax = 80;

Turn Answer() { return {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}; }

std::string IdText(std::string_view description) {
  std::string id;
  for (const char byte : JsTrim(description)) {
    const bool is_space = static_cast<unsigned char>(byte) < 0x20 || byte == ' ';
    if (!is_space) id += byte;
    if (is_space && !id.ends_with(' ')) id += ' ';
  }
  return std::string(JsTrim(CutToBytes(id, kIdBytesMax)));
}

// A number, or a text that is one.
std::optional<double> NumberIn(const Value& value, bool reads_texts) {
  if (value.is_number()) return value.AsNumber();
  if (!reads_texts || !value.is_string()) return std::nullopt;
  return NumberOfText(JsTrim(value.AsString()));
}

std::string OutputText(const Value& output) {
  return output.is_string() ? output.AsString() : WriteJson(output, JsonStyle::kJavaScript);
}

class SuiteMaker {
 public:
  SuiteMaker(const Config& config, const Expansion& expansion, const EvalOptions& options,
             const ReadInput& input)
      : config_(config),
        expansion_(expansion),
        options_(options),
        input_(input),
        access_{input.files, input.sources, input.diagnostics},
        renderer_(config, options, input.files),
        templates_(TemplateEnvironment(config, options)),
        graders_(input, options, suite_),
        scripts_(config.folder, input.files, input.diagnostics),
        assertions_(config, access_, graders_, scripts_, templates_) {}

  Suite Make() {
    AddHeader();
    for (const Prompt& prompt : config_.prompts) {
      if (prompt.raw.find("_conversation") != std::string::npos)
        input_.diagnostics.Error("promptfoo.unsupported",
                                 "_conversation of a prompt is not filled in by assay yet", prompt.where,
                                 "write the messages into the prompt");
    }
    columns_ = LowerColumns(config_, expansion_, options_, access_);
    has_askings_ = columns_.forms.size() > 1;
    AddCases();
    for (std::size_t column = 0; has_askings_ && column < columns_.variants.size(); ++column)
      columns_.variants[column].asking = columns_.forms[columns_.form_of[column]].name;
    suite_.variants = std::move(columns_.variants);
    AddTransforms();
    suite_.scripts = scripts_.Take();
    return std::move(suite_);
  }

 private:
  void AddHeader() {
    suite_.dialect = "promptfoo";
    suite_.title = config_.description;
    suite_.compat = input_.options.compat;
    suite_.offered_checks.assign(kPromptfooChecks.begin(), kPromptfooChecks.end());
    suite_.aggregation.formula = "assertions";
    suite_.grading = PromptfooGradingRules(suite_.compat);
    suite_.grades_empty_answers = true;
    suite_.takes_silence = true;
    suite_.refuses_unusable = suite_.compat != Compat::kPromptfoo;
    suite_.thinkers_have_room = suite_.compat != Compat::kPromptfoo;
    suite_.run_label = input_.options.run_label;
    const auto repeat = static_cast<AttemptIndex>(std::max<std::int64_t>(config_.repeat, 1));
    suite_.attempts = AttemptsFor(input_.options, {}).value_or(repeat);
    const std::optional<double> width = config_.evaluate_options.NumberAt("maxConcurrency");
    suite_.has_default_concurrency = !width || *width < 1;
    suite_.concurrency = suite_.has_default_concurrency ? kConcurrency : static_cast<std::uint32_t>(*width);
    suite_.details = Object{{"description", UnlessEmpty(config_.description)},
                            {"derivedMetrics", config_.derived_metrics}};
  }

  // Transforms that are files of JavaScript.
  void AddTransforms() {
    for (Variant& variant : suite_.variants) {
      Value* transform = variant.details.is_map() ? variant.details.AsMap().Find("transform") : nullptr;
      if (transform != nullptr) *transform = WithScript(*transform);
    }
  }
  Value WithScript(const Value& code) {
    if (!code.is_string() || !IsScriptName(code.AsString())) return code;
    return Value(scripts_.Add(code.AsString(), code.span));
  }
  // The options of a test, with its transform under its present name.
  Map OptionsOfTest(const Test& test) {
    Map options = test.options;
    if (const Value* older = test.options.Find("postprocess");
        older != nullptr && options.Find("transform") == nullptr)
      options.Set("transform", *older);
    if (Value* transform = options.Find("transform")) *transform = WithScript(*transform);
    if (Value* rubric = options.Find("rubricPrompt")) *rubric = assertions_.WithFile(*rubric);
    return options;
  }

  void AddCases() {
    CountRounds();
    for (std::size_t number = 0; number < expansion_.rows.size(); ++number) {
      const Row& row = expansion_.rows[number];
      if (row.round > 0) continue;
      const std::string id = IdOf(row);
      if (input_.options.limit && suite_.cases.size() >= *input_.options.limit) break;
      if (IsChosen(input_.options.selected, input_.options.filter, id)) AddCase(row, number, id);
    }
    for (const std::string& name : input_.options.selected) {
      if (!ids_.contains(name))
        Complain("promptfoo.select", fmt::format("--select: no case has the id {}", Quoted(name)),
                 "`assay check --json FILE` names them");
    }
    if (suite_.cases.empty() && !expansion_.rows.empty() && input_.options.selected.empty())
      Complain("promptfoo.filter", fmt::format("no case of {} is left", expansion_.rows.size()),
               "\"*\" in --filter stands for any run of characters");
  }

  void Complain(std::string code, std::string message, std::string hint) {
    input_.diagnostics.Error(std::move(code), std::move(message), {}, std::move(hint));
  }

  // The description of the test, else its number; with the number of the combination where it has several.
  std::string IdOf(const Row& row) {
    const std::string described = IdText(expansion_.tests[row.test].description);
    const std::string base = described.empty() ? fmt::format("test-{}", row.test + 1) : described;
    std::string id = base;
    for (std::size_t& number = ids_of_[base]; !ids_.insert(id).second || number == 0;) {
      if (++number == 1) return id;
      id = fmt::format("{} #{}", base, number);
    }
    return id;
  }

  void AddCase(const Row& row, std::size_t number, const std::string& id) {
    const Test& test = expansion_.tests[row.test];
    const std::vector<VariantIndex> asked = ColumnsOf(row);
    if (asked.empty()) return;  // its filters name none
    Case& the_case = suite_.cases.emplace_back();
    the_case.id = id;
    the_case.span = test.where;
    if (!test.description.empty()) the_case.description = test.description;
    if (!input_.options.attempts && rounds_[row.test] != suite_.attempts)
      the_case.attempts = rounds_[row.test];
    if (asked.size() < expansion_.columns.size()) the_case.variants = asked;
    const Map variables = AddPrompts(row, the_case);
    assertions_.AddChecks(test, variables, the_case);
    the_case.row = Value(Object{{"vars", variables},
                                {"test", Object{{"description", UnlessEmpty(test.description)},
                                                {"options", UnlessEmpty(OptionsOfTest(test))},
                                                {"metadata", UnlessEmpty(test.metadata)},
                                                {"threshold", test.threshold}}}});
    Map details = Object{{"test", row.test}, {"row", number}, {"combinations", combinations_[row.test]}};
    const bool reads_texts = suite_.compat != Compat::kPromptfoo;
    if (const std::optional<double> threshold = NumberIn(test.threshold, reads_texts))
      details.Append("threshold", *threshold);
    the_case.details = Value(std::move(details));
    TellUnsupported(test);
  }

  // How often each test is asked, and of how many combinations of variables.
  void CountRounds() {
    rounds_.assign(expansion_.tests.size(), 0);
    combinations_.assign(expansion_.tests.size(), 0);
    for (const Row& row : expansion_.rows) {
      rounds_[row.test] = std::max(rounds_[row.test], static_cast<AttemptIndex>(row.round + 1));
      combinations_[row.test] += row.round == 0 ? 1 : 0;
    }
  }

  std::vector<VariantIndex> ColumnsOf(const Row& row) const {
    std::vector<VariantIndex> asked;
    for (std::size_t column = 0; column < expansion_.columns.size(); ++column) {
      if (IsAsked(config_, expansion_, row, expansion_.columns[column]))
        asked.push_back(static_cast<VariantIndex>(column));
    }
    return asked;
  }

  // The variables as the first prompt has them.
  Map AddPrompts(const Row& row, Case& the_case) {
    std::optional<Map> variables;
    for (const PromptForm& form : columns_.forms) {
      RenderedCell cell = renderer_.Render(expansion_, row, {.prompt = form.prompt, .provider = 0});
      CaseAsking asking = AskingFor(cell, form, expansion_.tests[row.test]);
      if (the_case.turns.empty()) the_case.turns = TurnsOf(asking);
      if (!variables) variables = std::move(cell.variables);
      if (!asking.problem.empty() || !asking.turns.empty()) NeedAskings();
      if (has_askings_) the_case.askings.edit().push_back(std::move(asking));
    }
    return variables ? *std::move(variables) : row.variables;
  }

  // A suite of one prompt that is a text everywhere needs none: the turns of its cases say all. The last case
  // gets its own.
  void NeedAskings() {
    if (std::exchange(has_askings_, true)) return;
    for (std::size_t i = 0; i + 1 < suite_.cases.size(); ++i) {
      Case& earlier = suite_.cases[i];
      earlier.askings.edit().push_back(
          {.name = columns_.forms.front().name, .text = earlier.turns.front().text});
    }
  }

  static std::vector<Turn> TurnsOf(const CaseAsking& asking) {
    if (!asking.turns.empty()) return asking.turns;
    return {{.role = Role::kUser, .text = asking.text, .span = {}}, Answer()};
  }

  CaseAsking AskingFor(const RenderedCell& cell, const PromptForm& form, const Test& test) {
    CaseAsking asking{.name = form.name};
    if (!cell.prompt) {
      asking.problem = cell.prompt.error().message;
      return asking;
    }
    asking.text = *cell.prompt;
    if (!form.is_text) {
      Result<std::vector<Turn>> turns = MessagesIn(asking.text);
      if (!turns) asking.problem = turns.error().message;
      if (turns) asking.turns = *std::move(turns);
    }
    const bool is_answered = test.provider_output.Truthy();
    if (asking.turns.empty() && !is_answered) return asking;
    if (asking.turns.empty()) asking.turns = {{.role = Role::kUser, .text = asking.text, .span = {}}};
    asking.turns.push_back(Answer());
    if (is_answered) {
      asking.turns.back().kind = TurnKind::kText;
      asking.turns.back().text = OutputText(test.provider_output);
    }
    return asking;
  }

  // Members of the test that assay does not follow, each told once.
  void TellUnsupported(const Test& test) {
    const auto tell = [&](std::string_view key, const Value* value, std::string_view hint) {
      if (value == nullptr || !value->Truthy() || !told_.emplace(key).second) return;
      input_.diagnostics.Error(
          "promptfoo.unsupported", fmt::format("{} of a test is not run by assay yet", key),
          value->span.file == FileId::kNone ? test.where : value->span, std::string(hint));
    };
    tell("provider", &test.provider, "name the provider among `providers`, and the test's `providers`");
    tell("assertScoringFunction", &test.scoring, "take it out; weights and `threshold` score a test");
    tell("options.storeOutputAs", test.options.Find("storeOutputAs"), "take the tests that need it out");
  }

  const Config& config_;
  const Expansion& expansion_;
  const EvalOptions& options_;
  const ReadInput& input_;
  ReadAccess access_;
  Suite suite_;
  CellRenderer renderer_;
  Nunjucks templates_;
  Graders graders_;
  ScriptCollector scripts_;
  AssertionMaker assertions_;
  LoweredColumns columns_;
  bool has_askings_ = false;
  std::vector<AttemptIndex> rounds_;  // by test
  std::vector<std::size_t> combinations_;
  std::set<std::string, std::less<>> told_;
  std::set<std::string> ids_;
  std::map<std::string, std::size_t> ids_of_;  // by what ids begin with
};

// What holds the user's own code back, or the errors that name it.
class CodeGate {
 public:
  CodeGate(const EvalOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  void Pass(Config& config) {
    if (config.code.empty()) return;
    for (const Code& code : config.code) Tell(code);
    std::erase_if(config.providers, [](const Provider& provider) { return provider.is_code; });
    std::erase_if(config.prompts, [](const Prompt& prompt) { return prompt.is_code; });
  }

 private:
  void Tell(const Code& code) {
    const std::string message =
        fmt::format("{} is code of your own, which assay does not run: {}", WordsFor(code.use), code.named);
    if (options_.skips_code) {
      diagnostics_.Warning("promptfoo.code", message, code.where, "it is left out");
    } else {
      diagnostics_.Error("promptfoo.code", message, code.where,
                         "--skip-code leaves out what needs it, and runs the rest");
    }
  }

  const EvalOptions& options_;
  Diagnostics& diagnostics_;
};

// The models of -m in place of the config's own providers.
void AskInstead(const std::vector<std::string>& models, Config& config) {
  config.providers.clear();
  for (const std::string& model : models) config.providers.push_back({.id = model});
  std::erase_if(config.code, [](const Code& code) { return code.use == CodeUse::kProvider; });
}

}  // namespace

std::optional<Suite> LowerConfig(Config config, const EvalOptions& options, const ReadInput& input) {
  const std::size_t errors = input.diagnostics.ErrorCount();
  if (!input.options.models.empty()) AskInstead(input.options.models, config);
  CodeGate(options, input.diagnostics).Pass(config);
  const std::optional<Expansion> expansion =
      Expand(config, options, {input.files, input.sources, input.diagnostics});
  if (!expansion) return std::nullopt;
  Suite suite = SuiteMaker(config, *expansion, options, input).Make();
  if (!MayReadOn(input.diagnostics, errors, input.options.reads_on)) return std::nullopt;
  return suite;
}

}  // namespace assay::promptfoo
