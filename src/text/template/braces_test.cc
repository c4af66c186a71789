// Tests of the template language and of filling trees in.
#include "text/template/braces.h"

#include <doctest/doctest.h>

#include "text/json/json.h"
#include "text/template/fill.h"

namespace assay {

namespace {

struct Sheet {
  SourceFiles sources;
  Diagnostics diagnostics;
  Value row;
  std::vector<std::string> columns;

  explicit Sheet(std::string json) {
    const FileId file = sources.Add("row.json", std::move(json));
    row = ReadJson(file, sources.Text(file), diagnostics);
    for (const Member& member : row.AsMap()) columns.push_back(member.key);
  }
  TemplateScope Scope() const { return {row.AsMap(), sources, 7, "r7"}; }
  // The text, or "code name".
  std::string Rendered(std::string_view text) const {
    const auto told = [](const TemplateProblem& problem) { return problem.code + " " + problem.name; };
    const auto compiled = BracesEngine().Compile(text, columns);
    if (const auto* problem = std::get_if<TemplateProblem>(&compiled)) return told(*problem);
    const Templated<std::string> rendered = std::get<0>(compiled)->Text(Scope());
    if (const auto* problem = std::get_if<TemplateProblem>(&rendered)) return told(*problem);
    return std::get<std::string>(rendered);
  }
};

}  // namespace

TEST_CASE("templates: values, filters and what is wrong with them") {
  const Sheet sheet(R"({"q": "What?", "f": 0.50, "none": null, "list": ["a", 2], "Must 1": "x", "It's": "y",
                        "a|b": "bar", "n": "3"})");
  struct Row {
    std::string_view text;
    std::string_view rendered;
  };
  constexpr Row kRows[] = {
      {"no braces { } }}", "no braces { } }}"},
      {"{{q}} {{ f }}", "What? 0.50"},
      {"{{_row}} {{_id}}", "7 r7"},
      {"{{Must 1}}{{It's | upper}}{{a|b}}", "xYbar"},
      {"{{list | join(\"}}\")}}", "a}}2"},
      {"{{none | upper | default('-')}}", "-"},
      {"{{none | upper}}", "template.null none"},
      {"{{list}}", "template.kind list"},
      {"{{n | letter}}", "D"},
      {"{{list | at(5)}}", "template.filter-none at"},
      {"{{list | options('Answer A: ')}}", "Answer A: a\nAnswer B: 2"},
      {"{{Must 2}}", "template.unknown Must 2"},
      {"{{q | default(zz)}}", "template.unknown zz"},
      {"{{q", "template.open "},
      {"{{q + 1}}", "template.syntax "},
      {"{{q | replace(\"\", \"x\")}}", "template.filter-kind replace"},
  };
  for (const Row& row : kRows) CHECK(sheet.Rendered(row.text) == row.rendered);
}

TEST_CASE("templates: an expression has limits") {
  const Sheet sheet(R"({"q": "x"})");
  std::string many = "{{q";
  for (int i = 0; i < 17; ++i) many += " | trim";
  CHECK(sheet.Rendered(many + "}}") == "template.limit ");
  CHECK(sheet.Rendered("{{\"" + std::string(5000, 'x') + "\"}}") == "template.limit ");
}

TEST_CASE("templates: nothing that a row contains is read again") {
  const Sheet sheet(R"({"a": "{{b}}", "b": "secret", "list": ["{{b}}"]})");
  TreeFiller filler(BracesEngine(), sheet.columns);
  std::optional<FillProblem> problem;
  const Value filled =
      filler.Fill(Value(List{Value("{{a}}"), Value("{{list}}"), Value("x{{a}}")}), sheet.Scope(), problem);
  CHECK_FALSE(problem.has_value());
  CHECK(WriteJson(filled, JsonStyle::kJavaScript) == R"(["{{b}}","{{b}}","x{{b}}"])");
}

}  // namespace assay
