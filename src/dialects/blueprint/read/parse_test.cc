// Tests of parsing blueprints: which document is the header, what is refused, and the place of each problem.
#include "dialects/blueprint/read/parse.h"

#include <doctest/doctest.h>

#include "dialects/blueprint/read/test_reading.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

std::string Parsed(const std::string& text, Compat compat, BlueprintFormat format = BlueprintFormat::kYaml) {
  Diagnostics diagnostics;
  SourceFiles sources;
  ParseContext context{compat, diagnostics};
  const FileId file = sources.Add("t", text);
  const std::optional<Value> value = ParseBlueprint(file, text, format, context);
  return value ? WriteEncoded(*value, JsonStyle::kJavaScript) : "refused: " + diagnostics.All().front().code;
}

}  // namespace

TEST_CASE("which document is the header") {
  struct Row {
    std::string text;
    std::string seed;   // by the format's description
    std::string weval;  // as weval reads it
  };
  const Row rows[] = {
      {"id: a\npromptText: A\n---\nid: b\nprompt: B\n",
       R"({"prompts":[{"messages":[{"role":"user","content":"A"}],"id":"a","render_as":"markdown"},)"
       R"({"messages":[{"role":"user","content":"B"}],"id":"b","render_as":"markdown"}]})",
       R"({"id":"a","promptText":"A",)"
       R"("prompts":[{"messages":[{"role":"user","content":"B"}],"id":"b","render_as":"markdown"}]})"},
      {"title: T\n---\n- {id: b, prompt: B}\n",
       R"({"title":"T",)"
       R"("prompts":[{"messages":[{"role":"user","content":"B"}],"id":"b","render_as":"markdown"}]})",
       R"({"title":"T",)"
       R"("prompts":[{"messages":[{"role":"user","content":"B"}],"id":"b","render_as":"markdown"}]})"},
      {"id: a\nshould_not: [x]\n",
       R"({"prompts":[{"id":"a","render_as":"markdown","should_not":[{"text":"x","multiplier":1}]}]})",
       R"({"id":"a","should_not":["x"],"prompts":[]})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(Parsed(row.text, Compat::kNone) == row.seed);
    CHECK(Parsed(row.text, Compat::kWeval) == row.weval);
  }
}

TEST_CASE("slips in model names are corrected, except in the mode of weval") {
  const std::string text = "models: [{openai: gpt-4o}, \"'xai : grok '\", openai/gpt-5, CORE]\nprompts: []\n";
  CHECK(Parsed(text, Compat::kNone) ==
        R"({"models":["openai:gpt-4o","xai:grok","openai:gpt-5","CORE"],"prompts":[]})");
  CHECK(Parsed(text, Compat::kWeval) == "refused: blueprint.custom-model");
  // The quotes of a command line are its own.
  CHECK(Parsed("models: [\"'exec' : python3 'my agent.py'\", exec/agent]\nprompts: []\n", Compat::kNone) ==
        R"({"models":["exec:python3 'my agent.py'","exec:agent"],"prompts":[]})");
}

TEST_CASE("prompt beside messages is refused, except in the mode of weval") {
  const std::string text = "- {id: p, prompt: a, messages: [{user: b}]}\n";
  CHECK(Parsed(text, Compat::kNone) == "refused: blueprint.prompt-and-messages");
  CHECK(Parsed(text, Compat::kWeval) ==
        R"({"prompts":[{"messages":[{"role":"user","content":"b"}],"id":"p","render_as":"markdown"}]})");
}

TEST_CASE("all problems of a file are found at once, each at its place") {
  TestReading reading;
  CHECK_FALSE(reading.Read("t.yml",
                           "titel: T\n"
                           "author: 5\n"
                           "models: [openai:a]\n"
                           "render_as: pdf\n"
                           "---\n"
                           "- prompt: a\n"
                           "  shoud: [x]\n"
                           "  weight: 11\n"
                           "- messages:\n"
                           "    - asistant: x\n"
                           "  should:\n"
                           "    - 5\n"
                           "    - {text: a, fn: b}\n"
                           "    - [[a]]\n"
                           "    - $ref: nowhere\n"
                           "    - {text: a, weight: heavy}\n"));
  CHECK(reading.Problems() ==
        "warning blueprint.unknown-key 1:1\n"
        "error blueprint.author 2:9\n"
        "error blueprint.render-as 4:12\n"
        "error blueprint.unknown-key 7:3\n"
        "error blueprint.weight 8:11\n"
        "error blueprint.messages 10:7\n"
        "error blueprint.point 12:7\n"
        "error blueprint.point 13:7\n"
        "error blueprint.point 14:7\n"
        "error blueprint.ref 15:13\n"
        "error blueprint.point-weight 16:25\n");
}

TEST_CASE("a key that is nearly right is suggested") {
  TestReading reading;
  reading.Read("t.yml", "models: [echo:a]\n---\n- {id: p, prompt: a, shoud: [x]}\n");
  REQUIRE(reading.diagnostics.All().size() == 1);
  CHECK(reading.diagnostics.All()[0].hint == "did you mean \"should\"?");
}

TEST_CASE("references copy a bounded amount") {
  std::string text =
      "point_defs:\n  big: \"" + std::string(1 << 20, 'x') + "\"\nprompts:\n- prompt: a\n  should:\n";
  for (int i = 0; i < 100; ++i) text += "  - $ref: big\n";
  CHECK(Parsed(text, Compat::kNone) == "refused: blueprint.limit");
}

// A million points took 18 s and 3 GB before anything was said.
TEST_CASE("points of one prompt are counted before anything is made of them") {
  struct Row {
    std::size_t should;
    std::size_t alternative;  // in a list of their own
    std::size_t should_not;
    bool is_refused;
  };
  for (const Row& row : {Row{10'001, 0, 0, true}, Row{5'000, 0, 5'001, true}, Row{5'000, 5'000, 0, true},
                         Row{4'000, 5'000, 999, false}}) {
    const auto list = [](std::size_t count) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "p" : ",p";
      return text;
    };
    std::string should = list(row.should);
    if (row.alternative > 0) should += ",[" + list(row.alternative) + "]";
    const std::string text =
        "prompts:\n- {prompt: q, should: [" + should + "], should_not: [" + list(row.should_not) + "]}\n";
    CHECK((Parsed(text, Compat::kNone) == "refused: blueprint.limit") == row.is_refused);
  }
}

}  // namespace assay::blueprint
