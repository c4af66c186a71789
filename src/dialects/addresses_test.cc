// Tests of the rule on addresses: every field of every format that may hold one, with every scheme.
#include "dialects/addresses.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "dialects/blueprint/read/test_reading.h"
#include "dialects/infibench/infibench.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kSchemes[] = {
    "exec:touch pwned", "EXEC:touch pwned", " exec:touch pwned", "ex\\tec:touch pwned", "echo:x",
    "recorded:x",       "replay:x",         "fixtures:x",        "factcheck:/x",        "custom:x",
    "file:///etc/x",    "ftp://h/x",        "ftps://h/x",        "sftp://h/x",          "gopher://h/x",
    "dict://h/x",       "ldap://h/x",       "smb://h/x",         "telnet://h",          "tftp://h/x",
    "ws://h/x",         "wss://h/x",        "data:text/plain,x", "javascript:x",        "unix:/run/x.sock",
    "blob:x",           "jar:file:///x!/y", "mailto:a@b",        "httpx://h/x",         "http+unix://h/x",
};
constexpr std::string_view kKeys[] = {"url",      "base_url", "baseUrl", "baseURL",
                                      "endpoint", "service",  "api_base"};

// {}: where a member {key: "address"} goes.
constexpr std::string_view kBlueprints[] = {
    "models: [{{id: \"custom:x\", modelName: m, inherit: openai, {}}}]",
    "models: [\"e:m\", {{id: \"custom:x\", modelName: m, inherit: openai, parameters: {{ {} }}}}]",
    "models: [\"e:m\"]\nevaluationConfig: {{llm-coverage: {{judges: [{{model: {{id: \"custom:j\", modelName: "
    "m, "
    "inherit: openai, {}}}}}]}}}}",
    "models: [\"e:m\"]\nevaluationConfig: {{llm-coverage: {{judges: [{{model: \"e:j\", {}}}]}}}}",
    "models: [\"e:m\"]\nevaluationConfig: {{llm-coverage: {{backup: {{ {} }}}}}}",
    "models: [\"e:m\"]\nevaluationConfig: {{llm-coverage: {{judgeModels: [\"e:x\", {{ {} }}]}}}}",
    "models: [\"e:m\"]\nevaluationConfig: {{embedding: {{embedder: {{ {} }}}}}}",
    "models: [\"e:m\"]\nembedder: {{ {} }}",
    "models: [\"e:m\"]\nextractors: [[{{ {} }}]]",
    "models: [\"e:m\"]\nexternalServices: {{s: {{method: POST, {}}}}}",
    "models: [\"e:m\"]\nexternalServices: [{{ {} }}]",
    "models: [\"e:m\"]\noverrides: {{\"e:m\": {{ {} }}}}",
    "models: [\"e:m\"]\n{}",
};

std::string MemberText(std::string_view key, std::string_view address) {
  return fmt::format("{}: \"{}\"", key, address);
}

// Of the first problem with the code.
const Diagnostic* ProblemOf(const Diagnostics& diagnostics, std::string_view code) {
  for (const Diagnostic& problem : diagnostics.All()) {
    if (problem.code == code) return &problem;
  }
  return nullptr;
}

std::string Blueprint(std::string_view header, std::string_view member) {
  return fmt::format("{}\n---\n- {{prompt: q, should: [p]}}\n", fmt::format(fmt::runtime(header), member));
}

void CheckBlueprint(std::string_view header, std::string_view member, bool is_refused) {
  const std::string text = Blueprint(header, member);
  CAPTURE(text);
  for (const Compat compat : {Compat::kNone, Compat::kWeval}) {
    TestReading reading;
    reading.options.compat = compat;
    const std::optional<Suite> suite = reading.Read("t.yml", text);
    const Diagnostic* problem = ProblemOf(reading.diagnostics, "blueprint.address");
    CHECK((problem != nullptr) == is_refused);
    if (problem == nullptr) continue;
    CHECK(!suite.has_value());
    CHECK(problem->severity == Severity::kError);
    CHECK(problem->where.offset == text.find(member) + member.find('"'));
  }
}

}  // namespace

TEST_CASE("a blueprint's addresses: http and https only, in every field that may hold one") {
  for (const std::string_view header : kBlueprints) {
    for (const std::string_view key : kKeys) {
      for (const std::string_view address : kSchemes) CheckBlueprint(header, MemberText(key, address), true);
      CheckBlueprint(header, MemberText(key, "https://h/x"), false);
      CheckBlueprint(header, MemberText(key, "HTTP://h/x"), false);
    }
  }
}

TEST_CASE("addresses for readers, names and prompts are no addresses to send to") {
  for (const std::string_view header :
       {"models: [\"e:m\"]\nauthor: {{name: a, {}}}", "models: [\"e:m\"]\nreferences: [{{title: a, {}}}]",
        "models: [\"e:m\"]\ntools: [{{name: a, schema: {{ {} }}}}]"}) {
    CheckBlueprint(header, MemberText("url", "ftp://h/x"), false);
  }
  CheckBlueprint("models: [\"e:m\"]\n{}", MemberText("title", "exec: a story"), false);
}

TEST_CASE("an InfiBench suite's addresses: http and https only, in the suite and in its cases") {
  for (const std::string_view key : kKeys) {
    for (const std::string_view address : kSchemes) {
      const std::string member = MemberText(key, address);
      CAPTURE(member);
      for (const bool in_case : {false, true}) {
        MemoryFiles files;
        files.files = {
            {"s/suite.yaml",
             fmt::format("overrides: {{ {} }}\ncases:\n- c.yaml\n", in_case ? "a: b" : member)},
            {"s/c.yaml", fmt::format("id: a\nprompt_path: q.txt\ntype: code completion\nlang: python\n{}\n"
                                     "grading:\n  keywords: [x]\n",
                                     in_case ? member : "a: b")},
            {"s/q.txt", "q"}};
        SourceFiles sources;
        Diagnostics diagnostics;
        ReadOptions options;
        const std::string text = files.files["s/suite.yaml"];
        const ReadInput input{"s/suite.yaml", options, files, sources, diagnostics};
        const std::optional<Suite> suite = ReadInfibench(input, sources.Add("s/suite.yaml", text), text);
        const Diagnostic* problem = ProblemOf(diagnostics, "infibench.address");
        REQUIRE(problem != nullptr);
        CHECK(problem->severity == Severity::kError);
        CHECK(!suite.has_value());
      }
    }
  }
}

}  // namespace assay
