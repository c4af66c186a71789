// Tests of the command line: every option has an effect, and the stored words of a run parse to the same
// options again.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/text/shell_words.h"
#include "cli/commands/command.h"
#include "cli/line/command_line.h"
#include "engine/open/recordings.h"

namespace assay {
namespace {

Result<Options> Parse(std::vector<std::string> words) {
  return ParseWords(*FindCommand("run"), std::move(words), Environment::kIgnore);
}

TEST_CASE("every option names commands that exist, and has a name of its own") {
  std::set<std::pair<std::string_view, std::string_view>> names;  // of a command
  for (const OptionRow& row : OptionTable()) {
    CAPTURE(row.names);
    const bool is_own = row.own != nullptr;
    const bool has_effect = row.set;
    CHECK(has_effect != is_own);
    const bool can_be_told = row.get;
    CHECK((can_be_told || is_own) >= row.shapes_run);
    CHECK(row.shapes_run >= can_be_told);
    bool is_taken = false;
    for (const CommandRow& command : CommandTable()) {
      if (!row.TakenBy(command.name)) continue;
      is_taken = true;
      CHECK(names.insert({command.name, row.LongName()}).second);
    }
    CHECK(is_taken);
  }
}

TEST_CASE("where a command says so, the start of an option's name is enough") {
  const auto prepare = [](std::vector<std::string> words) {
    return ParseWords(*FindCommand("prepare"), std::move(words), Environment::kIgnore);
  };
  const Result<Options> options = prepare({"--data", "a.yaml", "--snap=b", "--refresh"});
  REQUIRE(options.has_value());
  CHECK(options->granted.own.Text("dataset") == "a.yaml");
  CHECK(options->granted.own.Text("snapshot-root") == "b");
  CHECK(options->command.refresh);
  CHECK_FALSE(prepare({"--allow", "x"}).has_value());  // --allow-host and --allow-path
  CHECK_FALSE(ParseWords(*FindCommand("run"), {"a.yml", "--filt", "x"}, Environment::kIgnore).has_value());
  CHECK_FALSE(ParseWords(*FindCommand("run"), {"a.yml", "--trust="}, Environment::kIgnore).has_value());
}

TEST_CASE("the words of a run make the same run again") {
  const std::vector<std::string> lines[] = {
      {"a.yml"},
      {"my suite's.yml", "-m", "openai:gpt-4o", "-m", "echo:b", "--limit", "3"},
      {"a.yml", "--filter", "case *", "--attempts", "7", "--compat", "weval", "--fixtures-strict"},
      {"a.yml", "--fixtures", "f \\ '.yml", "--replay", "none", "--run-label", "", "--eval-method", "all"},
  };
  for (const auto& line : lines) {
    const Result<Options> first = Parse(line);
    REQUIRE(first.has_value());
    const std::string words = RunWords(*first, line.front());
    CAPTURE(words);
    const Result<std::vector<std::string>> split = SplitWords(words);
    REQUIRE(split.has_value());
    const Result<Options> second = Parse(*split);
    REQUIRE(second.has_value());
    CHECK(second->arguments == std::vector<std::string>{line.front()});
    CHECK(RunWords(*second, line.front()) == words);
    CHECK(second->spec == first->spec);
  }
}

TEST_CASE("model ids stand between commas, a command line goes to its end") {
  const Result<Options> options =
      Parse({"a.yml", "-m", "echo:a,echo:b,exec:agent a,b 'c, d'", "-m", "echo:c"});
  REQUIRE(options.has_value());
  const std::vector<std::string> models = {"echo:a", "echo:b", "exec:agent a,b 'c, d'", "echo:c"};
  CHECK(options->spec.models == models);
}

TEST_CASE("what does not shape a run is not remembered") {
  const Result<Options> options = Parse({"a.yml", "-j", "4", "--out", "elsewhere", "--fresh", "-q"});
  REQUIRE(options.has_value());
  CHECK(RunWords(*options, "a.yml") == "a.yml");
}

TEST_CASE("another sitting of a run has the same spec, another run has not") {
  const auto spec_of = [](std::vector<std::string> words) {
    words.insert(words.begin(), "a.yml");
    const Result<Options> options = Parse(std::move(words));
    REQUIRE(options.has_value());
    return EncodeRunSpec(options->spec);
  };
  const std::string spec = spec_of({});
  CHECK(spec == R"({"file":"a.yml"})");
  const std::vector<std::string> same[] = {{"-j", "4"},
                                           {"--out", "o"},
                                           {"--verbose"},
                                           {"--quiet"},
                                           {"--offline"},
                                           {"--batch"},
                                           {"--max-retries", "1"},
                                           {"--stream"},
                                           {"--budget-usd", "1"},
                                           {"--store", "s"},
                                           {"--fresh"},
                                           {"--allow-host", "h"},
                                           {"--allow-env", "E"},
                                           {"--allow-path", "p"},
                                           {"--record", "r"},
                                           {"--trust"},
                                           {"--output-root", "o"},
                                           {"--sandbox", "ns"},
                                           {"--fail-under", "1"},
                                           {"--fold", "r"},
                                           {"--shards", "2"},
                                           {"--shard", "1"},
                                           {"--join", "r"}};
  for (const auto& words : same) {
    CAPTURE(words[0]);
    CHECK(spec_of(words) == spec);
  }
  const std::vector<std::string> other[] = {{"-m", "echo:a"},         {"--judge", "echo:a"},
                                            {"--filter", "x"},        {"--limit", "1"},
                                            {"--votes", "3"},         {"--pass-at", "0.5"},
                                            {"--compat", "asky"},     {"--artefacts"},
                                            {"--strict-programs"},    {"--no-memo"},
                                            {"--replay", "none"},     {"--base-url", "openai=http://h/"},
                                            {"--eval-method", "all"}, {"--turn-time", "1"},
                                            {"--run", "a"},           {"--no-weights"}};
  for (const auto& words : other) {
    CAPTURE(words[0]);
    CHECK(spec_of(words) != spec);
  }
}

TEST_CASE("options of one dialect stand behind those that it names, and are kept by their names") {
  const auto rows = OptionTable();
  const auto behind = [&rows](std::string_view name) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.LongName() == name; });
    REQUIRE(found != rows.end());
    return (found + 1)->LongName();
  };
  CHECK(behind("--matrix") == "--run");
  CHECK(behind("--for") == "--weighted");
  CHECK(behind("--weighted") == "--no-weights");
  CHECK(behind("--max-time") == "--turn-time");
  CHECK(behind("--turn-usd") == "--batch-wait");
  const Result<Options> options =
      Parse({"m.toml", "--turn-time", "60.0", "--run", "a", "--run", "b", "--output-root", "o"});
  REQUIRE(options.has_value());
  CHECK(options->spec.own.Text("turn-time") == "60");
  CHECK(options->spec.own.Texts("run") == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(options->spec.own.Has("output-root"));
  CHECK(options->granted.own.Text("output-root") == "o");
  CHECK(RunWords(*options, "m.toml") == "m.toml --run a --run b --turn-time 60");
  const Result<Options> bad = Parse({"m.toml", "--turn-usd", "0"});
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().message.starts_with("--turn-usd: expected a number from"));
}

TEST_CASE("values are checked, and the message names the option") {
  const std::vector<std::string> lines[] = {
      {"a.yml", "--limit", "0"},       {"a.yml", "--limit", "3x"},       {"a.yml", "--attempts", "-1"},
      {"a.yml", "--fail-under", "2"},  {"a.yml", "--fail-under", "nan"}, {"a.yml", "--max-retries", "9999"},
      {"a.yml", "--progress", "loud"}, {"a.yml", "--compat", "nobody"},
  };
  for (const auto& line : lines) {
    CAPTURE(line[2]);
    const Result<Options> options = Parse(line);
    REQUIRE(!options.has_value());
    CHECK(options.error().message.find(line[1].substr(2)) != std::string::npos);
  }
}

TEST_CASE("models may be repeated or joined by commas; of other options the last counts") {
  const Result<Options> options =
      Parse({"a.yml", "-m", "a:1,b:2", "--model", "c:3", "--limit", "1", "--limit", "2"});
  REQUIRE(options.has_value());
  CHECK(options->spec.models == std::vector<std::string>{"a:1", "b:2", "c:3"});
  CHECK(options->spec.limit == 2);
}

TEST_CASE("the recording beside a suite") {
  CHECK(ReplayPathBeside("civic.yml") == "civic.replay.jsonl");
  CHECK(ReplayPathBeside("a.b/civic") == "a.b/civic.replay.jsonl");
  CHECK(ReplayPathBeside("a/civic.v2.yaml") == "a/civic.v2.replay.jsonl");
}

}  // namespace
}  // namespace assay
