// Tests of the words that promptfoo's `eval` takes, and of what they mean here.
#include "cli/line/eval_words.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "base/text/shell_words.h"
#include "cli/line/command_line.h"
#include "cli/settings/options.h"

namespace assay {
namespace {

struct EvalFolder {
  std::set<std::string> files = {"promptfooconfig.yaml"};
  std::map<std::string, std::string, std::less<>> variables = {};

  Result<RewrittenWords> Words(std::string_view line) const {
    const Result<std::vector<std::string>> words = SplitWords(line);
    REQUIRE(words.has_value());
    return WordsOfEval(*words, {.is_file = [this](const std::string& path) { return files.count(path) > 0; },
                                .variable = [this](std::string_view name) -> std::optional<std::string> {
                                  const auto found = variables.find(name);
                                  return found == variables.end() ? std::nullopt
                                                                  : std::optional(found->second);
                                }});
  }
  // The words of `assay run`, or what is wrong.
  std::string Line(std::string_view line) const {
    const Result<RewrittenWords> words = Words(line);
    if (!words) return "error: " + words.error().message;
    std::string text(words->command);
    for (const std::string& word : words->words) text += " " + QuoteWord(word);
    return text;
  }
};

constexpr std::string_view kMode = " --compat promptfoo --failed-exit-code=100";

TEST_CASE("without a config it is that of the folder") {
  EvalFolder folder;
  CHECK(folder.Line("") == "run promptfooconfig.yaml --compat promptfoo --failed-exit-code=100");
  folder.files = {"promptfooconfig.json", "suites/promptfooconfig.yml"};
  CHECK(folder.Line("") == "run promptfooconfig.json --compat promptfoo --failed-exit-code=100");
  CHECK(folder.Line("-c suites") ==
        "run suites/promptfooconfig.yml --compat promptfoo --failed-exit-code=100");
  folder.files = {"promptfooconfig.js"};
  CHECK(folder.Line("") ==
        "error: \"promptfooconfig.js\" is a program, which assay does not run: write the config as YAML");
  folder.files = {};
  CHECK(folder.Line("") == "error: there is no promptfooconfig.yaml, .yml or .json here; -c names a config");
}

TEST_CASE("each option has its place in `assay run`") {
  const struct {
    std::string_view words;
    std::string_view ours;
  } rows[] = {
      {"-c a.yaml", ""},
      {"-c a.yaml b.yaml --config c.yaml", " --config=b.yaml --config=c.yaml"},
      {"-c a.yaml -t tests.csv", " --tests=tests.csv"},
      {"-c a.yaml -p p.txt q.txt -r echo openai:gpt-6-luna -j 4",
       " --prompts=p.txt --prompts=q.txt --providers=echo --providers=openai:gpt-6-luna --max-in-flight=4"},
      {"-c a.yaml -j4 -n 5 --repeat=3", " --max-in-flight=4 --filter-first-n=5 --attempts=3"},
      {"-c a.yaml --no-cache --no-table --no-progress-bar", " --fresh --progress=none"},
      {"-c a.yaml --var a=b --var 'c=d e'", " --var=a=b '--var=c=d e'"},
      {"-c a.yaml --grader openai:gpt-6-luna", " --grader=openai:gpt-6-luna"},
      {"-c a.yaml --filter-range 0:5 --filter-pattern a.b --filter-targets x --filter-prompts y",
       " --filter-range=0:5 --filter-pattern=a.b --filter-providers=x --filter-prompts=y"},
      {"-c a.yaml --filter-metadata k=v", " --filter-metadata=k=v"},
      {"-c a.yaml --prompt-prefix '- ' --prompt-suffix=.", " '--prompt-prefix=- ' --prompt-suffix=."},
      {"-c a.yaml --env-file .env.ci", " --env-file=.env.ci"},
      {"-c a.yaml -o out.json out.csv -o out.junit.xml page.html rows.jsonl",
       " --export=promptfoo=out.json --export=answers-csv=out.csv --export=junit=out.junit.xml "
       "--export=html=page.html --export=jsonl=rows.jsonl"},
      {"-c a.yaml --delay 500", " --max-in-flight=1 --requests-per-min=120"},
      {"-c a.yaml --delay 0", ""},
      {"-c a.yaml --resume --retry-errors", ""},
      {"-c a.yaml --offline --store s.db --allow-host=127.0.0.1",
       " --offline --store s.db --allow-host=127.0.0.1"},
  };
  const EvalFolder folder{.files = {"a.yaml"}};
  for (const auto& row : rows) {
    CAPTURE(row.words);
    // Further configs stand behind the first one.
    const bool is_joined = row.ours.starts_with(" --config");
    CHECK(folder.Line(row.words) == "run a.yaml" + (is_joined ? std::string(row.ours) + std::string(kMode)
                                                              : std::string(kMode) + std::string(row.ours)));
  }
  CHECK(folder.Line("--resume 20261129T1") == "run --failed-exit-code=100 --resume=20261129T1");
}

TEST_CASE("what is not here says what to do instead") {
  const EvalFolder folder;
  CHECK(folder.Line("--watch") ==
        "error: --watch is not supported: `assay run FILE --watch` runs again whenever you save a file");
  CHECK(folder.Line("--share").starts_with("error: --share is not supported: assay publishes nothing"));
  CHECK(folder.Line("-o x.pdf") ==
        "error: -o \"x.pdf\": expected a file that ends in .json, .jsonl, .csv, .html, .md or .junit.xml");
  CHECK(folder.Line("--delay soon") ==
        "error: --delay: expected milliseconds, from 0 to 60000, found \"soon\"");
  CHECK(folder.Line("--filter-patern a") ==
        "error: assay eval has no option \"--filter-patern\", did you mean --filter-pattern?; `assay eval "
        "--help` "
        "lists them");
  CHECK(folder.Line("other.yaml") ==
        "error: assay eval does not know what to do with \"other.yaml\"; -c names a config");
  CHECK(folder.Line("-c") == "error: -c needs a value: -c FILE...");
  CHECK(folder.Line("--no-cache=yes") == "error: --no-cache takes no value, found \"yes\"");
  const Result<RewrittenWords> noted = folder.Words("--no-write --description x");
  REQUIRE(noted.has_value());
  CHECK(noted->notes ==
        std::vector<std::string>{
            "--no-write has no effect: each run is kept in the store; --store names another one",
            "--description has no effect: a run has the description of its config"});
}

TEST_CASE("promptfoo's variables say its exit code and how many tests may fail") {
  EvalFolder folder;
  folder.variables = {{"PROMPTFOO_FAILED_TEST_EXIT_CODE", "7"}, {"PROMPTFOO_PASS_RATE_THRESHOLD", "80"}};
  CHECK(folder.Line("") ==
        "run promptfooconfig.yaml --compat promptfoo --failed-exit-code=7 --pass-rate=0.8");
  folder.variables["PROMPTFOO_FAILED_TEST_EXIT_CODE"] = "0";
  CHECK(folder.Line("") == "run promptfooconfig.yaml --compat promptfoo --pass-rate=0");
  folder.variables = {{"PROMPTFOO_PASS_RATE_THRESHOLD", "most"}};
  CHECK(folder.Line("").starts_with("error: PROMPTFOO_PASS_RATE_THRESHOLD: expected a percentage"));
}

TEST_CASE("--compat promptfoo alone ends with promptfoo's code, too") {
  const auto code_of = [](std::vector<std::string> words) {
    return ParseWords(*FindCommand("run"), std::move(words), Environment::kIgnore)
        .value()
        .gates.failed_exit_code;
  };
  CHECK(code_of({"a.yaml", "--compat", "promptfoo"}) == 100);
  CHECK(code_of({"a.yaml", "--compat", "promptfoo", "--failed-exit-code", "3"}) == 3);
  CHECK_FALSE(code_of({"a.yaml", "--compat", "weval"}));
}

TEST_CASE("every word that stands for an option of ours is one of `assay run`") {
  std::set<std::string_view> names;
  for (const ForeignOption& option : EvalOptionTable()) {
    CAPTURE(option.names);
    CHECK(names.insert(option.names).second);
    CHECK_FALSE(option.help.empty());
  }
  const EvalFolder folder;
  for (const std::string_view line : {"-j 4", "--repeat 2", "--no-cache", "--no-progress-bar", "--verbose",
                                      "--delay 500", "-o a.json", "--offline"}) {
    CAPTURE(line);
    const Result<RewrittenWords> words = folder.Words(line);
    REQUIRE(words.has_value());
    const Result<Options> options = ParseWords(*FindCommand("run"), words->words, Environment::kIgnore);
    REQUIRE_MESSAGE(options.has_value(), options.error().message);
    CHECK(options->spec.compat == Compat::kPromptfoo);
    CHECK(options->gates.failed_exit_code == 100);
  }
}

}  // namespace
}  // namespace assay
