// Tests of nunjucks templates.
#include "text/nunjucks/nunjucks.h"

#include <doctest/doctest.h>

#include "text/object.h"

namespace assay {
namespace {

std::string Rendered(std::string_view text, const Map& variables) {
  Nunjucks nunjucks(Object{{"HOME_CITY", "Oslo"}});
  const Result<std::string> rendered = nunjucks.Render(text, variables);
  return rendered ? *rendered : "error: " + rendered.error().message;
}

TEST_CASE("plain names and the language give the same texts") {
  const Map variables = Object{
      {"n", 0.5}, {"t", true}, {"l", Array(1, "b", Array(2))}, {"o", Object{{"k", "v"}}}, {"s", "x<y"}};
  for (const std::string_view name : {"n", "t", "l", "o", "s"}) {
    const std::string plain = Rendered("a {{ " + std::string(name) + " }} b", variables);
    CHECK(plain == Rendered("{# #}a {{ " + std::string(name) + " }} b", variables));
  }
  CHECK(Rendered("{{n}}|{{t}}|{{l}}|{{o}}|{{s}}|{{gone}}", variables) ==
        "0.5|true|1,b,2|[object Object]|x<y|");
}

TEST_CASE("tags, filters and the environment") {
  const Map variables = Object{{"l", Array(2, 10, 1)}, {"s", "ab"}};
  CHECK(Rendered("{% for i in l %}{{ i }};{% endfor %}{{ s | upper }}", variables) == "2;10;1;AB");
  CHECK(Rendered("{{ env.HOME_CITY }} {{ ('[1]' | load)[0] }} {{ s.toUpperCase() }}", variables) ==
        "Oslo 1 AB");
}

TEST_CASE("equal templates give equal texts, whatever was rendered before") {
  Nunjucks nunjucks((Map()));
  const std::string_view text = "{{ range(1000) | random }} {{ range(1000) | random }}";
  const Result<std::string> first = nunjucks.Render(text, {});
  REQUIRE(first.has_value());
  CHECK(nunjucks.Render("{{ range(9) | random }}", {}).has_value());
  CHECK(*nunjucks.Render(text, {}) == *first);
}

TEST_CASE("a template that cannot be rendered says why") {
  const Map none;
  CHECK(Rendered("{{ 'x' | nosuch }}", none).starts_with("error: the template cannot be rendered: "));
  CHECK(Rendered("{% include 'x.txt' %}", none).starts_with("error: "));
  CHECK(Rendered("{% for i in range(1000000000) %}{{ i }}{% endfor %}", none).starts_with("error: "));
}

}  // namespace
}  // namespace assay
