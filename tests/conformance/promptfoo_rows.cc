// Golden rows of promptfoo's configs: which prompts, tests and cells they make, and how the answers of `echo`
// are graded.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "dialects/promptfoo/expand/expand.h"
#include "dialects/promptfoo/expand/render.h"
#include "dialects/promptfoo/read/configs.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/test_config.h"
#include "tests/conformance/conformance.h"
#include "tests/conformance/promptfoo_graded.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay::conformance {
namespace promptfoo_rows {
namespace {

namespace pf = assay::promptfoo;

// Options of the command line that say nothing about rows, with the words behind them.
struct IgnoredOption {
  std::string_view name;
  std::size_t words;
};
constexpr IgnoredOption kIgnored[] = {
    {"--no-cache", 0},        {"-j", 1},         {"--max-concurrency", 1}, {"--delay", 1},
    {"--no-progress-bar", 0}, {"--no-table", 0}, {"--no-write", 0},        {"--verbose", 0},
    {"--no-share", 0}};

std::pair<std::string, std::string> PairOf(const std::string& text, char at) {
  const std::size_t place = std::min(text.find(at), text.size());
  return {text.substr(0, place), place < text.size() ? text.substr(place + 1) : ""};
}

std::size_t CountOf(const std::string& text) {
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

// The options that the arguments say; nothing: an option is not known here, which `unknown` then is.
std::optional<pf::EvalOptions> OptionsOf(const std::vector<std::string>& words, std::string& unknown) {
  pf::EvalOptions options{.is_compatible = true};
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& name = words[at];
    const auto ignored = std::find_if(std::begin(kIgnored), std::end(kIgnored),
                                      [&](const IgnoredOption& each) { return each.name == name; });
    if (ignored != std::end(kIgnored)) {
      at += ignored->words;
      continue;
    }
    std::vector<std::string> values;
    while (at + 1 < words.size() && !words[at + 1].starts_with("-")) values.push_back(words[++at]);
    const std::string first = values.empty() ? "" : values.front();
    if (name == "--repeat") {
      options.repeat = static_cast<std::int64_t>(CountOf(first));
    } else if (name == "--filter-first-n" || name == "-n") {
      options.first_tests = CountOf(first);
    } else if (name == "--filter-pattern") {
      options.description_pattern = first;
    } else if (name == "--filter-providers" || name == "--filter-targets") {
      options.provider_pattern = first;
    } else if (name == "--filter-prompts") {
      options.prompt_pattern = first;
    } else if (name == "--filter-metadata") {
      for (const std::string& value : values) options.metadata.push_back(PairOf(value, '='));
    } else if (name == "--filter-range") {
      const auto [begin, end] = PairOf(first, ':');
      options.test_range = {CountOf(begin), end.empty() ? SIZE_MAX : CountOf(end)};
    } else if (name == "--var") {
      for (const std::string& value : values) options.variables.push_back(PairOf(value, '='));
    } else if (name == "--prompt-prefix") {
      options.prefix = first;
    } else if (name == "--prompt-suffix") {
      options.suffix = first;
    } else if (name == "--prompts" || name == "-p") {
      options.prompts = values;
    } else if (name == "--providers" || name == "-r") {
      options.providers = values;
    } else if (name == "--tests" || name == "-t") {
      options.tests = first;
    } else {
      unknown = name;
      return std::nullopt;
    }
  }
  return options;
}

// results.json has texts that are JSON printed anew.
bool SameTexts(const Value& want, const Value& got) {
  if (want.is_string() && got.is_string() && want.AsString() != got.AsString()) {
    const Result<Value> parsed = ParseJson(got.AsString());
    return parsed && WriteJson(*parsed, JsonStyle::kJavaScript) == want.AsString();
  }
  if (want.is_list() && got.is_list())
    return std::equal(want.AsList().begin(), want.AsList().end(), got.AsList().begin(), got.AsList().end(),
                      SameTexts);
  if (!want.is_map() || !got.is_map()) return SameValue(want, got);
  return want.AsMap().size() == got.AsMap().size() &&
         std::all_of(want.AsMap().begin(), want.AsMap().end(), [&](const Member& member) {
           const Value* other = got.Find(member.key);
           return other != nullptr && SameTexts(member.value, *other);
         });
}

std::vector<std::string> TextsOf(const Value& list) {
  std::vector<std::string> texts;
  if (!list.is_list()) return texts;
  for (const Value& item : list.AsList()) texts.push_back(item.AsString());
  return texts;
}

// The columns that the row wants, as we make them.
List ColumnsOf(const pf::Config& config, const pf::Expansion& expansion) {
  return ArrayOf(expansion.columns, [&](const pf::Column& column) {
    const pf::Prompt& prompt = config.prompts[column.prompt];
    return Object{
        {"label", prompt.label}, {"raw", prompt.raw}, {"provider", config.providers[column.provider].Name()}};
  });
}

Value WithoutMembers(const Value& value, std::initializer_list<std::string_view> names) {
  Map map = value.AsMap();
  for (const std::string_view name : names) map.Erase(name);
  return map;
}

// What a result of the golden row says before the call.
Value WantedCell(const Value& result) {
  const bool has_failed = Get(result, "failureReason").is_number() &&
                          Get(result, "failureReason").AsNumber() == 2 && GetText(result, "prompt").empty();
  const auto map_of = [&](std::string_view key) {
    return Get(result, key).is_map() ? Get(result, key) : Value(Map());
  };
  return Object{{"testIdx", Get(result, "testIdx")},
                {"promptIdx", Get(result, "promptIdx")},
                {"label", Get(result, "label")},
                {"prompt", Get(result, "prompt")},
                {"has_failed", has_failed},
                {"provider", Get(result, "provider")},
                {"vars", map_of("vars")},
                {"rendered_vars", WithoutMembers(map_of("rendered_vars"), {"_conversation"})},
                {"asserts", Get(result, "asserts").is_list() ? Get(result, "asserts") : Value(List())},
                {"description", Get(result, "description")},
                {"threshold", Get(result, "threshold")},
                {"options", map_of("options")},
                {"metadata", map_of("metadata")}};
}

// Renders the cells of a config in their order, as if each provider were `echo`: what runs make of answers,
// later cells see.
class EchoRun {
 public:
  EchoRun(const pf::Config& config, const pf::EvalOptions& options, const pf::Expansion& expansion,
          FileReader& files)
      : config_(config), expansion_(expansion), renderer_(config, options, files) {}

  List Cells() {
    List cells;
    for (std::size_t row = 0; row < expansion_.rows.size(); ++row) {
      for (std::size_t column = 0; column < expansion_.columns.size(); ++column) {
        if (pf::IsAsked(config_, expansion_, expansion_.rows[row], expansion_.columns[column]))
          cells.push_back(CellOf(row, column));
      }
    }
    return cells;
  }

 private:
  Value CellOf(std::size_t row_index, std::size_t column_index) {
    const pf::Row& row = expansion_.rows[row_index];
    const pf::Column& column = expansion_.columns[column_index];
    const pf::Test& test = expansion_.tests[row.test];
    const pf::Prompt& prompt = config_.prompts[column.prompt];
    const pf::Provider& provider = config_.providers[column.provider];
    Map added = stored_;
    const bool talks = prompt.raw.find("_conversation") != std::string::npos;
    List& turns = turns_[fmt::format("{} {} {}", column.provider, column.prompt,
                                     test.metadata.TextAt("conversationId"))];
    if (talks) added.Set("_conversation", turns);
    pf::RenderedCell cell = renderer_.Render(expansion_, row, column, added);
    cell.variables.Erase("_conversation");
    const std::string text = cell.prompt ? *cell.prompt : "";
    const std::string answer = test.provider_output.is_string() ? test.provider_output.AsString() : text;
    turns.push_back(Object{{"prompt", text}, {"input", text}, {"output", answer}});
    if (const std::string& name = test.options.TextAt("storeOutputAs"); !name.empty())
      stored_.Set(name, answer);
    return Object{{"testIdx", row_index},
                  {"promptIdx", column_index},
                  {"label", prompt.label},
                  {"prompt", text},
                  {"has_failed", !cell.prompt.has_value()},
                  {"provider", Object{{"id", provider.id}, {"label", provider.label}}},
                  {"vars", row.variables},
                  {"rendered_vars", cell.variables},
                  {"asserts", test.asserts},
                  {"description", test.description.empty() ? Value() : Value(test.description)},
                  {"threshold", test.threshold},
                  {"options", test.options},
                  {"metadata", test.metadata}};
  }

  const pf::Config& config_;
  const pf::Expansion& expansion_;
  pf::CellRenderer renderer_;
  Map stored_;
  std::map<std::string, List> turns_;
};

// In any order, and without their numbers.
bool SameSets(const List& want, const List& got) {
  if (want.size() != got.size()) return false;
  List rest = got;
  for (const Value& each : want) {
    const auto bare = [](const Value& value) { return WithoutMembers(value, {"testIdx", "promptIdx"}); };
    const auto found = std::find_if(rest.begin(), rest.end(),
                                    [&](const Value& other) { return SameTexts(bare(each), bare(other)); });
    if (found == rest.end()) return false;
    rest.erase(found);
  }
  return true;
}

// The first difference between two lists; "" if there is none.
std::string DifferenceOf(std::string_view what, const List& want, const List& got) {
  for (std::size_t i = 0; i < std::min(want.size(), got.size()); ++i) {
    for (const Member& member : want[i].AsMap()) {
      const Value& other = Get(got[i], member.key);
      if (!SameTexts(member.value, other))
        return fmt::format("{} {}: {}: want {}, got {}", what, i, member.key, Show(member.value),
                           Show(other));
    }
    for (const Member& member : got[i].AsMap()) {
      if (want[i].Find(member.key) == nullptr)
        return fmt::format("{} {}: {}: want none, got {}", what, i, member.key, Show(member.value));
    }
  }
  if (want.size() == got.size()) return "";
  return fmt::format("want {} {}s, got {}", want.size(), what, got.size());
}

// Why a row's cells need the user's own code; "" if they do not.
std::string CodeOfCells(const pf::Config& config) {
  for (const pf::Code& code : config.code) {
    const bool makes_cells = code.use == pf::CodeUse::kPrompt || code.use == pf::CodeUse::kTests ||
                             code.use == pf::CodeUse::kVariable || code.use == pf::CodeUse::kFilter;
    // A program names itself.
    const bool names_column =
        code.use == pf::CodeUse::kProvider && pf::IsJavaScriptPath(pf::CodePathOf(code.named).path) &&
        std::any_of(config.providers.begin(), config.providers.end(),
                    [&](const pf::Provider& provider) { return provider.id == code.named; });
    if (makes_cells || names_column) return code.named;
  }
  return "";
}

// Whether prompts have what models answered before, and answers are not simply the prompts.
bool NeedsAnswers(const pf::Config& config, const pf::Expansion& expansion) {
  const bool is_changed =
      std::any_of(config.providers.begin(), config.providers.end(),
                  [](const pf::Provider& provider) {
                    return provider.id != "echo" || provider.options.Find("transform") != nullptr;
                  }) ||
      std::any_of(expansion.tests.begin(), expansion.tests.end(), [](const pf::Test& test) {
        return test.options.Find("transform") != nullptr || test.options.Find("postprocess") != nullptr;
      });
  const bool is_used =
      std::any_of(
          config.prompts.begin(), config.prompts.end(),
          [](const pf::Prompt& prompt) { return prompt.raw.find("_conversation") != std::string::npos; }) ||
      std::any_of(expansion.tests.begin(), expansion.tests.end(),
                  [](const pf::Test& test) { return test.options.Find("storeOutputAs") != nullptr; });
  return is_changed && is_used;
}

struct Tally {
  std::vector<std::string> code;      // rows that the user's code makes
  std::vector<std::string> answers;   // rows whose prompts have answers in them
  std::vector<std::string> options;   // rows with options that are not here
  std::vector<std::string> ungraded;  // rows that ask others than `echo`
  std::vector<std::string> refused;   // rows that assay does not run, and why
};

std::string FirstProblem(const Diagnostics& diagnostics, const SourceFiles& sources) {
  for (const Diagnostic& each : diagnostics.All()) {
    if (each.severity == Severity::kError) return FormatDiagnostic(each, sources);
  }
  return "no error";
}

// What a transform makes of an answer that nothing looks at, and what the environment says of the first
// failure, assay does not follow.
bool IsFollowed(const pf::EvalOptions& options, const pf::Expansion& expansion) {
  return options.environment.find("PROMPTFOO_SHORT_CIRCUIT_TEST_FAILURES") == options.environment.end() &&
         std::none_of(expansion.tests.begin(), expansion.tests.end(), [](const pf::Test& test) {
           return test.asserts.empty() && test.options.Find("transform") != nullptr;
         });
}

bool AsksOthers(const pf::Config& config) {
  return std::any_of(config.providers.begin(), config.providers.end(),
                     [](const pf::Provider& provider) { return provider.id != "echo"; });
}

void RunExpand(const Value& row, Outcome& outcome, Tally& tally) {
  const std::string id = GetText(row, "id");
  const Value& want = Get(row, "want");
  std::string unknown;
  std::optional<pf::EvalOptions> options = OptionsOf(TextsOf(Get(row, "args")), unknown);
  if (!options) {
    tally.options.push_back(id + " (" + unknown + ")");
    return outcome.Skip("");
  }
  for (const Member& variable : Get(row, "env").AsMap())
    options->environment[variable.key] = variable.value.AsString();
  pf::FolderFiles files;
  for (const Member& file : Get(row, "files").AsMap()) files.files[file.key] = file.value.AsString();
  SourceFiles sources;
  Diagnostics diagnostics;
  const pf::ReadAccess access{files, sources, diagnostics};
  const std::optional<pf::Config> config = pf::ReadConfigs(TextsOf(Get(row, "configs")), *options, access);
  if (config && !CodeOfCells(*config).empty()) {
    tally.code.push_back(id);
    return outcome.Skip("");
  }
  const std::optional<pf::Expansion> expansion =
      config ? pf::Expand(*config, *options, access) : std::nullopt;
  const bool is_refused = Get(want, "no_output").Truthy();
  if (is_refused || !expansion) {
    if (is_refused && !expansion) return outcome.Pass();
    return outcome.Fail(id + (is_refused ? ": wants an error before the run, got none"
                                         : ": wants none, got " + FirstProblem(diagnostics, sources)));
  }
  if (NeedsAnswers(*config, *expansion)) {
    tally.answers.push_back(id);
    return outcome.Skip("");
  }
  const List columns = ColumnsOf(*config, *expansion);
  const List cells = EchoRun(*config, *options, *expansion, files).Cells();
  List wanted_columns;
  for (const Value& column : Get(want, "prompts").AsList()) {
    wanted_columns.push_back(Object{
        {"label", Get(column, "label")}, {"raw", Get(column, "raw")}, {"provider", Get(column, "provider")}});
  }
  const List wanted_cells = ArrayOf(Get(want, "results").AsList(), WantedCell);
  const bool is_unordered = Get(want, "order_unspecified").Truthy();
  std::string difference = DifferenceOf("prompt", wanted_columns, columns);
  if (difference.empty()) difference = DifferenceOf("result", wanted_cells, cells);
  if (is_unordered && SameSets(wanted_columns, columns) && SameSets(wanted_cells, cells)) difference.clear();
  if (!difference.empty()) return outcome.Fail(id + ": " + difference);
  outcome.Pass();
  if (AsksOthers(*config) || is_unordered) {
    tally.ungraded.push_back(id);
    return outcome.Skip("");
  }
  if (!IsFollowed(*options, *expansion)) {
    tally.refused.push_back(id + " (transforms without assertions, first failures)");
    return outcome.Skip("");
  }
  const GradedConfig graded = GradeEchoes(*config, *options, files, Get(want, "results").AsList());
  if (!graded.refused.empty()) {
    tally.refused.push_back(fmt::format("{} ({})", id, graded.refused));
    return outcome.Skip("");
  }
  if (!graded.difference.empty()) return outcome.Fail(id + ": graded: " + graded.difference);
  outcome.Pass();
}

Outcome RunExpandFile(const std::string& path) {
  Tally tally;
  Outcome outcome = ForEachLine(
      path, [&](std::size_t, const Value& row, Outcome& of_row) { RunExpand(row, of_row, tally); });
  outcome.skip_reason = fmt::format(
      "scores of configs that ask others than echo: {}; configs whose cells the user's own code makes: {}; "
      "configs that are not run: {}",
      fmt::join(tally.ungraded, " "), fmt::join(tally.code, " "), fmt::join(tally.refused, ", "));
  if (!tally.answers.empty())
    outcome.skip_reason +=
        fmt::format("; configs whose prompts have answers: {}", fmt::join(tally.answers, " "));
  if (!tally.options.empty())
    outcome.skip_reason += fmt::format("; options that are not here: {}", fmt::join(tally.options, " "));
  return outcome;
}

// A result of results.json, as far as it says what stood before the call.
Value WantedRunCell(const Value& result) {
  const Value& test = Get(result, "testCase");
  return Object{{"testIdx", Get(result, "testIdx")},
                {"promptIdx", Get(result, "promptIdx")},
                {"label", Get(Get(result, "prompt"), "label")},
                {"prompt", Get(Get(result, "prompt"), "raw")},
                {"provider", Object{{"id", GetText(Get(result, "provider"), "id")},
                                    {"label", GetText(Get(result, "provider"), "label")}}},
                {"vars", Get(result, "vars")},
                {"asserts", Get(test, "assert").is_list() ? Get(test, "assert") : Value(List())},
                {"description", Get(test, "description")},
                {"threshold", Get(test, "threshold")},
                {"options", Get(test, "options")},
                {"metadata", Get(test, "metadata")}};
}

bool StandsBefore(const Value& a, const Value& b) {
  const auto place = [](const Value& cell) {
    return std::pair(Get(cell, "testIdx").AsNumber(), Get(cell, "promptIdx").AsNumber());
  };
  return place(a) < place(b);
}

// A whole run: its columns and cells are compared, what models were sent and how answers scored is not yet.
Outcome RunWholeRun(const std::string& path) {
  Outcome outcome;
  pf::FolderFiles files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) files.files[entry.path().filename().string()] = ReadAll(entry.path());
  }
  const Result<Value> results = ParseJson(files.files["results.json"]);
  pf::EvalOptions options{.is_compatible = true};
  SourceFiles sources;
  Diagnostics diagnostics;
  const pf::ReadAccess access{files, sources, diagnostics};
  const std::optional<pf::Config> config = pf::ReadConfigs({"promptfooconfig.yaml"}, options, access);
  const std::optional<pf::Expansion> expansion = config ? pf::Expand(*config, options, access) : std::nullopt;
  if (!results || !expansion) {
    outcome.Fail(FirstProblem(diagnostics, sources));
    return outcome;
  }
  const Value& wanted = Get(*results, "results");
  List columns = ArrayOf(Get(wanted, "prompts").AsList(), [](const Value& column) {
    return Object{
        {"label", Get(column, "label")}, {"raw", Get(column, "raw")}, {"provider", Get(column, "provider")}};
  });
  List cells = ArrayOf(Get(wanted, "results").AsList(), WantedRunCell);
  std::sort(cells.begin(), cells.end(), StandsBefore);
  List got = EchoRun(*config, options, *expansion, files).Cells();
  for (Value& cell : got) cell = WithoutMembers(cell, {"has_failed", "rendered_vars"});
  std::string difference = DifferenceOf("prompt", columns, ColumnsOf(*config, *expansion));
  if (difference.empty()) difference = DifferenceOf("result", cells, got);
  if (!difference.empty()) {
    outcome.Fail(difference);
    return outcome;
  }
  outcome.Pass();
  outcome.Skip("requests, answers, scores and files of results");
  return outcome;
}

constexpr GoldenRow kRows[] = {{"promptfoo/expand.jsonl", RunExpandFile},
                               {"promptfoo/runs/*-*", RunWholeRun}};

}  // namespace
}  // namespace promptfoo_rows

std::span<const GoldenRow> PromptfooRows() { return promptfoo_rows::kRows; }

}  // namespace assay::conformance
