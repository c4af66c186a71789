// Reads lists of tests and scenarios, and joins tests.
#include "dialects/promptfoo/read/tests.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "dialects/promptfoo/keys.h"
#include "dialects/promptfoo/read/choose.h"
#include "dialects/promptfoo/read/documents.h"
#include "dialects/promptfoo/read/paths.h"
#include "dialects/promptfoo/read/test_files.h"
#include "dialects/promptfoo/read/test_reader.h"

namespace assay::promptfoo {

namespace {

constexpr std::size_t kScenarioTestsMax = 1'000'000;

void ReadEntry(const ReadContext& context, const Value& entry, const std::string& folder,
               std::vector<Test>& out) {
  if (entry.is_string()) return ReadTestPath(context, entry.AsString(), folder, false, entry.span, out);
  // A file, with what its maker is given.
  const std::string& path = entry.TextAt("path");
  if (!path.empty()) return ReadTestPath(context, path, folder, true, entry.span, out);
  if (std::optional<Test> test = ReadOneTest(context, entry, folder, false)) out.push_back(*std::move(test));
}

void SetOver(Map& base, const Map& over) {
  for (const Member& member : over) base.Set(member.key, member.value, member.key_span);
  base.SortLikeJavaScript();
}

void TakeOver(Value& base, const Value& over) {
  if (!over.is_undefined()) base = over;
}

// The list that a value is, or that of the file that it names.
std::optional<Value> ListOrFile(const ReadContext& context, const Value& value, const std::string& folder) {
  if (!value.is_string()) return value;
  return ReadDocument(context, JoinedPath(folder, WithoutFilePrefix(value.AsString())), value.span);
}

class ScenarioReader {
 public:
  ScenarioReader(const ReadContext& context, const std::string& folder, std::size_t& count,
                 std::vector<Test>& out)
      : context_(context), folder_(folder), count_(count), out_(out) {}

  void ReadAll(const Value& scenarios) {
    if (!scenarios.is_list()) return Expected("scenarios", scenarios);
    for (const Value& scenario : scenarios.AsList()) {
      if (scenario.is_string()) {
        ReadFiles(scenario);
      } else {
        Read(scenario);
      }
    }
  }

 private:
  void Expected(std::string_view what, const Value& found) {
    context_.Error("promptfoo.scenario", fmt::format("{}: expected a list, found {}", what, KindName(found)),
                   found.span, "write scenarios: [{config: [{vars: …}], tests: [{vars: …}]}]");
  }

  void ReadFiles(const Value& named) {
    const std::vector<std::string> found =
        FilesOf(context_.files, folder_, WithoutFilePrefix(named.AsString()));
    if (found.empty() && !context_.options.is_compatible)
      context_.Error("promptfoo.scenario",
                     fmt::format("scenarios: no file is named {}", Quoted(named.AsString())), named.span,
                     "name files from the folder of the config");
    for (const std::string& file : found) {
      const std::optional<Value> read = ReadDocument(context_, JoinedPath(folder_, file), named.span);
      if (!read) continue;
      if (read->is_list()) {
        for (const Value& scenario : read->AsList()) Read(scenario);
      } else {
        Read(*read);
      }
    }
  }

  void Read(const Value& scenario) {
    if (!scenario.is_map()) return Expected("a scenario", scenario);
    WarnOfUnknownKeys(scenario.AsMap(), kScenarioPlace, context_.diagnostics);
    std::vector<Test> tests;
    if (!IsPlain(scenario)) return;
    if (const Value* named = scenario.Find("tests")) ReadTests(context_, *named, folder_, tests);
    ChooseTests(context_.options, tests, context_.diagnostics);
    const Value* configs = scenario.Find("config");
    const std::optional<Value> list =
        configs == nullptr ? std::optional<Value>(List()) : ListOrFile(context_, *configs, folder_);
    if (!list) return;
    if (!list->is_list()) return Expected("config of a scenario", *list);
    for (const Value& config : list->AsList()) {
      const std::optional<Value> part = ListOrFile(context_, config, folder_);
      const std::optional<Test> base = part ? ReadPartOfTest(context_, *part, folder_) : std::nullopt;
      if (base) Combine(*base, tests);
      ++count_;
    }
  }

  // Whether the lists of the scenario have no paths in them, which promptfoo refuses.
  bool IsPlain(const Value& scenario) {
    if (!context_.options.is_compatible) return true;
    for (const std::string_view key : {"config", "tests"}) {
      const Value* list = scenario.Find(key);
      if (list == nullptr) continue;
      const List& items = scenario.AsMap().ListAt(key);
      const bool has_path = !list->is_list() || std::any_of(items.begin(), items.end(),
                                                            [](const Value& item) { return !item.is_map(); });
      if (!has_path) continue;
      Expected(key == "config" ? "config of a scenario" : "tests of a scenario", *list);
      return false;
    }
    return true;
  }

  void Combine(const Test& base, const std::vector<Test>& tests) {
    if (out_.size() + tests.size() > kScenarioTestsMax) {
      context_.Error("promptfoo.limit", fmt::format("scenarios make more than {} tests", kScenarioTestsMax),
                     base.where, "combine fewer of them");
      return;
    }
    for (const Test& test : tests) {
      Test joined = Joined(base, test);
      if (joined.metadata.Find("conversationId") == nullptr)
        joined.metadata.Set("conversationId", fmt::format("__scenario_{}__", count_));
      out_.push_back(std::move(joined));
    }
  }

  const ReadContext& context_;
  const std::string& folder_;
  std::size_t& count_;
  std::vector<Test>& out_;
};

}  // namespace

void ReadTests(const ReadContext& context, const Value& tests, const std::string& folder,
               std::vector<Test>& out) {
  if (tests.is_nullish()) return;
  if (tests.is_string()) return ReadTestPath(context, tests.AsString(), folder, true, tests.span, out);
  if (tests.is_list()) {
    for (const Value& entry : tests.AsList()) ReadEntry(context, entry, folder, out);
    return;
  }
  if (!tests.TextAt("path").empty()) return ReadEntry(context, tests, folder, out);
  context.Error("promptfoo.tests", fmt::format("tests: expected a list or a path, found {}", KindName(tests)),
                tests.span, "put a dash before each test");
}

std::optional<Test> ReadPartOfTest(const ReadContext& context, const Value& test, const std::string& folder) {
  if (!test.is_string()) return ReadOneTest(context, test, folder, true);
  const std::string path = JoinedPath(folder, WithoutFilePrefix(test.AsString()));
  const std::optional<Value> read = ReadDocument(context, path, test.span);
  if (!read) return std::nullopt;
  return ReadOneTest(context, *read, folder, true);
}

void ReadScenarios(const ReadContext& context, const Value& scenarios, const std::string& folder,
                   std::size_t& count, std::vector<Test>& out) {
  const std::optional<Value> list = ListOrFile(context, scenarios, folder);
  if (list) ScenarioReader(context, folder, count, out).ReadAll(*list);
}

Test Joined(const Test& base, const Test& over) {
  Test joined = base;
  joined.where = over.where;
  if (!over.description.empty()) joined.description = over.description;
  SetOver(joined.variables, over.variables);
  SetOver(joined.options, over.options);
  SetOver(joined.metadata, over.metadata);
  joined.asserts.insert(joined.asserts.end(), over.asserts.begin(), over.asserts.end());
  TakeOver(joined.threshold, over.threshold);
  TakeOver(joined.provider, over.provider);
  TakeOver(joined.provider_output, over.provider_output);
  TakeOver(joined.scoring, over.scoring);
  if (over.prompts) joined.prompts = over.prompts;
  if (over.providers) joined.providers = over.providers;
  return joined;
}

}  // namespace assay::promptfoo
