// Tests of converting a loaded blueprint: cases, checks, variants and judges.
#include "dialects/blueprint/lower/lower.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "dialects/blueprint/read/test_reading.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {

namespace {

Suite ReadAs(Compat compat, const std::string& text, const ReadOptions& options = {}) {
  TestReading reading;
  reading.options = options;
  reading.options.compat = compat;
  std::optional<Suite> suite = reading.Read("dir/t.yml", text);
  REQUIRE_MESSAGE(suite.has_value(), FormatDiagnostics(reading.diagnostics, reading.sources));
  return std::move(*suite);
}

std::string Ids(const Suite& suite) {
  std::string ids;
  for (const Variant& variant : suite.variants) ids += variant.id + " ";
  return ids;
}

// "all(0 any(path_1:all(1)))"
std::string Printed(const CheckNode& node) {
  std::string text = node.label->empty() ? "" : *node.label + ":";
  if (node.op == CheckNode::Op::kLeaf) return text + std::to_string(node.check);
  text += node.op == CheckNode::Op::kAll ? "all(" : "any(";
  for (const CheckNode& child : node.children)
    text += (&child == &node.children.front() ? "" : " ") + Printed(child);
  return text + ")";
}

}  // namespace

TEST_CASE("effective ids by temperatures and system prompts") {
  struct Row {
    std::string header;
    std::string seed;
    std::string weval;
  };
  const Row rows[] = {
      {"{}", "e:m ", "e:m[temp:0] "},
      {"{temperature: 0.4}", "e:m ", "e:m[temp:0.4] "},
      {"{temperatures: [0, 0.30]}", "e:m[temp:0] e:m[temp:0.3] ", "e:m[temp:0] e:m[temp:0.3] "},
      {"{systems: [null, S]}", "e:m[sp_idx:0] e:m[sp_idx:1] ",
       "e:m[temp:0][sp_idx:0] e:m[temp:0][sp_idx:1] "},
      {"{systems: [S]}", "e:m ", "e:m[temp:0] "},
      {"{system: [S, T], temperatures: [1]}", "e:m[temp:1][sp_idx:0] e:m[temp:1][sp_idx:1] ",
       "e:m[temp:1][sp_idx:0] e:m[temp:1][sp_idx:1] "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.header);
    const std::string text = row.header + "\n---\n- prompt: q\n";
    ReadOptions options;
    options.models = {"e:m"};
    CHECK(Ids(ReadAs(Compat::kNone, text, options)) == row.seed);
    CHECK(Ids(ReadAs(Compat::kWeval, text, options)) == row.weval);
  }
}

TEST_CASE("a prompt's own temperature") {
  const std::string prompts = "---\n- {id: a, prompt: q, temperature: 0.9}\n- {id: b, prompt: q}\n";
  const Suite weval = ReadAs(Compat::kWeval, "models: [\"e:m\", \"e:n\"]\n" + prompts);
  CHECK(Ids(weval) == "e:m[temp:0.9] e:m[temp:0] e:n[temp:0.9] e:n[temp:0] ");
  CHECK(weval.cases[0].variants == std::vector<VariantIndex>{0, 2});
  CHECK(weval.cases[1].variants == std::vector<VariantIndex>{1, 3});

  const Suite seed = ReadAs(Compat::kNone, "models: [\"e:m\"]\n" + prompts);
  CHECK(Ids(seed) == "e:m ");
  CHECK(seed.cases[0].temperature == 0.9);
  CHECK(seed.cases[1].temperature == 0.0);
  CHECK(seed.cases[0].variants->empty());

  const Suite global = ReadAs(Compat::kWeval, "models: [\"e:m\"]\ntemperature: 0.2\n" + prompts);
  CHECK(Ids(global) == "e:m[temp:0.2] ");
}

TEST_CASE("checks and their tree") {
  const std::string text =
      "models: [\"e:m\"]\n---\n- id: p\n  prompt: q\n  should:\n    - polite\n    - [a, {$contain: b, "
      "weight: 2}]\n"
      "    - $is_json\n  should_not:\n    - rude\n    - [c]\n";
  const Suite seed = ReadAs(Compat::kNone, text);
  const Case& the_case = seed.cases.at(0);
  CHECK(Printed(the_case.tree) == "all(0 3 4 any(path_1:all(1 2)) any(path_1:all(5)))");
  CHECK(Printed(ReadAs(Compat::kWeval, text).cases.at(0).tree) == "all(0 3 4 any(path_1:all(1 2 5)))");
  REQUIRE(the_case.checks.size() == 6);
  CHECK(the_case.checks[0].kind == kJudgeKind);
  CHECK(the_case.checks[0].text == "polite");
  CHECK(the_case.checks[2].kind == "contains");
  CHECK(the_case.checks[2].text == "Function: contains(\"b\")");
  CHECK(the_case.checks[2].weight == 2);
  CHECK(the_case.checks[2].id == "should.2.2");
  CHECK(the_case.checks[3].text == "Function: is_json(undefined)");
  CHECK(the_case.checks[3].args.is_undefined());
  CHECK(the_case.checks[4].invert);
  CHECK(the_case.checks[5].id == "should_not.2.1");
}

TEST_CASE("a function called judge is unknown, not a criterion") {
  const Suite suite = ReadAs(Compat::kNone, "models: [\"e:m\"]\n---\n- {prompt: q, should: [{$judge: x}]}\n");
  CHECK(suite.cases.at(0).checks.at(0).kind == "$judge");
}

TEST_CASE("turns, the generated ones included") {
  const Suite suite = ReadAs(
      Compat::kNone, "models: [\"e:m\"]\n---\n- messages: [{system: s}, {user: a}, {ai: null}, {user: b}]\n");
  const std::vector<Turn>& turns = suite.cases.at(0).turns;
  REQUIRE(turns.size() == 5);
  CHECK(turns[0].role == Role::kSystem);
  CHECK(turns[2].kind == TurnKind::kGenerate);
  CHECK(turns[3].text == "b");
  CHECK(turns[4].role == Role::kAssistant);
  CHECK(turns[4].kind == TurnKind::kGenerate);
}

TEST_CASE("system prompts of a prompt") {
  const Suite suite = ReadAs(Compat::kNone,
                             "models: [\"e:m\"]\nsystem: S\n---\n- {id: a, prompt: q}\n"
                             "- {id: b, prompt: q, system: null}\n- {id: c, prompt: q, system: T}\n");
  CHECK(suite.variants[0].system == "S");
  CHECK(suite.cases[0].system->kind == SystemOverride::Kind::kInherit);
  CHECK(suite.cases[1].system->kind == SystemOverride::Kind::kNone);
  CHECK(suite.cases[2].system->kind == SystemOverride::Kind::kText);
  CHECK(suite.cases[2].system->text == "T");
}

TEST_CASE("a prompt that its author knows to be flaky keeps its id") {
  const Suite marked = ReadAs(Compat::kNone, "- {prompt: q, flaky: true}\n- {prompt: p, flaky: false}\n");
  const Suite plain = ReadAs(Compat::kNone, "- prompt: q\n- prompt: p\n");
  CHECK(marked.cases[0].is_flaky);
  CHECK_FALSE(marked.cases[1].is_flaky);
  CHECK(marked.cases[0].id == plain.cases[0].id);
  CHECK(marked.cases[1].id == plain.cases[1].id);
  CHECK_FALSE(ReadAs(Compat::kWeval, "- {prompt: q, flaky: often}\n").cases[0].is_flaky);
  TestReading wrong;
  CHECK_FALSE(wrong.Read("t.yml", "- {prompt: q, flaky: often}\n"));
  CHECK(wrong.Problems().find("error blueprint.flaky 1:22\n") != std::string::npos);
}

TEST_CASE("judges") {
  const Suite standard = ReadAs(Compat::kNone, "models: [\"e:m\"]\nprompts: [{prompt: q}]\n");
  REQUIRE(standard.judges.size() == 3);
  CHECK(standard.judges[0].label ==
        "holistic-gemini-3-5-flash-lite(openrouter:google/gemini-3.5-flash-lite)");
  CHECK(standard.judges[0].provider == "openrouter");
  CHECK(standard.judges[0].model == "google/gemini-3.5-flash-lite");
  CHECK(standard.backup_judge.has_value());
  // The format's own judges stay what they are, whatever has become of the models.
  const Suite weval = ReadAs(Compat::kWeval, "models: [\"e:m\"]\nprompts: [{prompt: q}]\n");
  REQUIRE(weval.judges.size() == 3);
  CHECK(weval.judges[0].label == "holistic-gemini-2-5-flash(openrouter:google/gemini-2.5-flash)");
  CHECK(weval.backup_judge->model_id == "openrouter:anthropic/claude-haiku-4.5");
  CHECK(weval.extractors[0].model_id == "openai:gpt-4o-mini");
  const Suite own =
      ReadAs(Compat::kNone,
             "models: [\"e:m\"]\nevaluationConfig: {llm-coverage: {judges: [{model: \"o:j\", approach: "
             "standard}, {id: s, model: \"o:k\"}]}}\nprompts: [{prompt: q}]\n");
  REQUIRE(own.judges.size() == 2);
  CHECK(own.judges[0].label == "standard(o:j)");
  CHECK(own.judges[1].label == "s(o:k)");
  CHECK(own.judges[1].params.max_tokens == 500);
  CHECK_FALSE(own.backup_judge.has_value());
}

TEST_CASE("judges may be models that the blueprint describes") {
  const Suite suite = ReadAs(
      Compat::kNone,
      "models: [\"e:m\", {id: \"custom:mine\", url: \"https://h/chat\", modelName: m1, inherit: openai}]\n"
      "evaluationConfig: {llm-coverage: {judges: [{model: \"custom:mine\"}, "
      "{model: {id: \"custom:other\", url: \"https://o/chat\", modelName: m2, inherit: openai}}]}}\n"
      "prompts: [{prompt: q}]\n");
  REQUIRE(suite.judges.size() == 2);
  CHECK(suite.judges[0].label == "standard(custom:mine)");
  CHECK(suite.judges[0].provider == "custom");
  CHECK(suite.judges[0].model == "m1");
  CHECK(suite.judges[0].base_url == "https://h/chat");
  CHECK(suite.judges[0].custom.is_map());
  CHECK(suite.judges[1].base_url == "https://o/chat");
  CHECK(suite.judges[1].model_id == "custom:other");
}

TEST_CASE("ids of suites and cases") {
  const std::string text =
      "id: mine\nmodels: [\"e:m\"]\n---\n- {id: 7, prompt: c}\n- {id: p, prompt: a}\n- {id: p, prompt: b}\n";
  const Suite seed = ReadAs(Compat::kNone, text);
  CHECK(seed.id == "mine");
  REQUIRE(seed.cases.size() == 3);
  CHECK(seed.cases[2].id == "p-2");
  CHECK(seed.cases[0].id == "7");
  const Suite weval = ReadAs(Compat::kWeval, text);
  CHECK(weval.id == "dir__t");
  REQUIRE(weval.cases.size() == 3);
  CHECK(weval.cases[2].turns[0].text == "b");
  CHECK(ReadAs(Compat::kNone, "models: [\"e:m\"]\nprompts: [{prompt: q}]\n").id == "t");
}

TEST_CASE("weval asks all prompts of one id, and grades the last answer by the first one's points") {
  const std::string text =
      "models: [\"e:m\"]\n---\n- {id: p, prompt: a, weight: 2, should: [one]}\n- {id: q, prompt: c}\n"
      "- {id: p, prompt: b, should: [two, three], ideal: i}\n";
  const Suite suite = ReadAs(Compat::kWeval, text);
  REQUIRE(suite.cases.size() == 3);
  const Case& dropped = suite.cases[0];
  CHECK(dropped.turns[0].text == "a");
  CHECK(dropped.checks.empty());
  CHECK(!dropped.extracts_key_points);
  const Case& graded = suite.cases[1];
  CHECK(graded.id == "p");
  CHECK(graded.turns[0].text == "b");
  REQUIRE(graded.checks.size() == 1);
  CHECK(graded.checks[0].text == "one");
  CHECK(graded.weight == 2);
  CHECK(graded.ideal == "i");
  CHECK(suite.cases[2].id == "q");
}

TEST_CASE("a number as id: weval takes it of the first prompt only") {
  TestReading reading;
  reading.options.compat = Compat::kWeval;
  CHECK(!reading.Read("t.yml", "models: [\"e:m\"]\n---\n- {id: p, prompt: a}\n- {id: 7, prompt: b}\n"));
  REQUIRE(reading.diagnostics.ErrorCount() == 1);
  CHECK(reading.Problems().find("error blueprint.id 4:8\n") != std::string::npos);
}

TEST_CASE("weval reads no weight of a definition as it was written") {
  const std::string text =
      "models: [\"e:m\"]\npoint_defs:\n  heavy: {text: t, weight: 3}\n  known: {text: t, multiplier: "
      "2}\n---\n"
      "- {prompt: a, should: [{$ref: heavy}, {$ref: known}]}\n";
  const auto weight = [&](Compat compat, std::size_t check) {
    return ReadAs(compat, text).cases.at(0).checks.at(check).weight;
  };
  CHECK(weight(Compat::kWeval, 0) == 1);
  CHECK(weight(Compat::kWeval, 1) == 2);
  CHECK(weight(Compat::kNone, 0) == 3);
  CHECK(weight(Compat::kNone, 1) == 2);
}

TEST_CASE("weval's formula is chosen in its mode") {
  const std::string text = "models: [\"e:m\"]\n---\n- {prompt: a}\n";
  CHECK(ReadAs(Compat::kWeval, text).aggregation.formula == "weighted-mean-best-path-weval");
  CHECK(ReadAs(Compat::kNone, text).aggregation.formula == "weighted-mean-best-path");
}

TEST_CASE("filter and limit choose prompts and leave the run label alone") {
  const std::string text =
      "models: [\"e:m\"]\n---\n- {id: aa, prompt: a}\n- {id: ab, prompt: b}\n- {id: ba, prompt: c}\n";
  ReadOptions options;
  options.filter = "a*";
  const Suite filtered = ReadAs(Compat::kNone, text, options);
  CHECK(filtered.cases.size() == 2);
  CHECK(filtered.run_label == ReadAs(Compat::kNone, text).run_label);
  options.limit = 1;
  CHECK(ReadAs(Compat::kNone, text, options).cases.size() == 1);
}

TEST_CASE("select chooses prompts by their ids, and says so where there is none") {
  const std::string text = "models: [\"e:m\"]\n---\n- {id: aa, prompt: a}\n- {id: ab, prompt: b}\n";
  ReadOptions options;
  options.selected = {"ab"};
  const Suite selected = ReadAs(Compat::kNone, text, options);
  REQUIRE(selected.cases.size() == 1);
  CHECK(selected.cases.front().id == "ab");
  TestReading reading;
  reading.options.selected = {"ab", "ac"};
  reading.Read("t.yml", text);
  CHECK(reading.Problems() == "error blueprint.select 0:0\n");
}

TEST_CASE("collections and custom models") {
  TestReading reading;
  reading.options.own.values["collections-repo-path"] = {"c"};
  reading.files.files["c/models/CORE.json"] = R"(["e:a", "e:b"])";
  const std::optional<Suite> suite =
      reading.Read("t.yml",
                   "models: [CORE, \"e:a\", {id: x, url: \"http://h\", modelName: n, inherit: openai}]\n"
                   "prompts: [{prompt: q}]\n");
  REQUIRE(suite.has_value());
  CHECK(Ids(*suite) == "e:a e:b x ");
  CHECK(suite->variants[2].provider == "custom");
  CHECK(suite->variants[2].model == "n");
  CHECK(suite->variants[2].base_url == "http://h");
  CHECK(suite->details.Find("customModels")->Find("x") != nullptr);
}

TEST_CASE("the format of a custom model is chat or completions, or says nothing") {
  // --compat weval used to refuse null and to take any word.
  const struct {
    std::string_view format;
    bool in_weval, here;
  } rows[] = {{"null", true, true},   {"chat", true, true},     {"completions", true, true},
              {"x", false, false},    {"stream", false, false}, {"''", true, false},
              {"false", true, false}, {"7", false, false},      {"[chat]", false, false}};
  for (const auto& row : rows) {
    CAPTURE(row.format);
    for (const Compat compat : {Compat::kWeval, Compat::kNone}) {
      TestReading reading;
      reading.options.compat = compat;
      const bool is_read =
          reading
              .Read("t.yml",
                    fmt::format("models: [{{id: 'c:m', url: 'https://e.org/x', modelName: m, inherit: "
                                "openai, format: {}}}]\nprompts: [{{prompt: q}}]\n",
                                row.format))
              .has_value();
      CHECK(is_read == (compat == Compat::kWeval ? row.in_weval : row.here));
    }
  }
}

TEST_CASE("a repaired name keeps what was written") {
  const Suite suite =
      ReadAs(Compat::kNone,
             "models: [e:m]\n---\n- prompt: q\n"
             "  should: [{$matchs: a}, {fn: contain, arg: b}, {$contains: c}, {'$match': d}]\n");
  const std::vector<Check>& checks = suite.cases[0].checks;
  REQUIRE(checks.size() == 4);
  CHECK((checks[0].kind == "matchess" && checks[0].written == "matchs"));
  CHECK((checks[1].kind == "contains" && checks[1].written == "contain"));
  CHECK(checks[2].written->empty());
  CHECK((checks[3].kind == "matches" && checks[3].written == "match"));
}

TEST_CASE("judges that the user names take the place of all others") {
  ReadOptions options;
  options.judges = {"openai/gpt-4o", "custom:j"};
  const std::string models =
      "models: [e:m, {id: 'custom:j', url: 'http://x/', modelName: j, inherit: openai}]\n";
  for (const std::string header : {"", "evaluationConfig: {llm-coverage: {judges: [{model: e:j}]}}\n"}) {
    const Suite suite = ReadAs(Compat::kNone, models + header + "---\n- {prompt: q, ideal: a}\n", options);
    REQUIRE(suite.judges.size() == 2);
    CHECK(suite.judges[0].label == "holistic(openai:gpt-4o)");
    CHECK(suite.judges[1].base_url == "http://x/");
    CHECK_FALSE(suite.backup_judge.has_value());
    REQUIRE(suite.extractors.size() == 2);
    CHECK(suite.extractors[0].model_id == "openai:gpt-4o");
    CHECK(suite.extractors[0].params.max_tokens == 2000);
    CHECK(suite.extractors[1].base_url == "http://x/");
  }
}

TEST_CASE("a file that names no models means CORE, which is remembered") {
  CHECK(ReadAs(Compat::kNone, "- prompt: q\n").assumed_models == "CORE");
  CHECK(ReadAs(Compat::kNone, "models:\n---\n- prompt: q\n").assumed_models == "CORE");
  CHECK(ReadAs(Compat::kNone, "models: [CORE]\n---\n- prompt: q\n").assumed_models.empty());
  ReadOptions options;
  options.models = {"e:m"};
  CHECK(ReadAs(Compat::kNone, "- prompt: q\n", options).assumed_models.empty());
}

}  // namespace assay::blueprint
