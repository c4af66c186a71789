// Tests of open tags, and of the names in templates.
#include "text/nunjucks/tags.h"

#include <doctest/doctest.h>

#include "text/object.h"

namespace assay {
namespace {

TEST_CASE("tags that stay open on a line") {
  CHECK(HasOpenTag("{{ x"));
  CHECK(HasOpenTag("{{ x\n}}"));
  CHECK(HasOpenTag("a {% if"));
  CHECK(HasOpenTag("{# note"));
  CHECK_FALSE(HasOpenTag("{{ x }} {% if x %}\n{% endif %} {# n #}"));
  CHECK_FALSE(HasOpenTag("a }} b"));
  CHECK(RawIfOpen("{{ x") == "{% raw %}{{ x{% endraw %}");
  CHECK(RawIfOpen("{% raw %}{{ x{% endraw %}") == "{% raw %}{{ x{% endraw %}");
}

TEST_CASE("names that nobody knows") {
  const Map variables = Object{{"b", 1}, {"l", Array(1)}};
  for (const std::string_view known :
       {"{{ b | upper }}", "{{ b.missing }}", "{% for i in l %}{{ i }}{% endfor %}", "{{ env.X }}",
        "{{ 'missing' }}", "{{ b is defined }}", "{# missing #}", "plain", "{% set z = b %}{{ z }}",
        "{{ {missing: b} | dump }}"})
    CHECK_FALSE(NamesUnknown(known, variables));
  for (const std::string_view unknown :
       {"{{ missing }}", "{{ missing.b }}", "{{ b + missing }}", "{% if missing %}x{% endif %}",
        "{% raw %}{{ missing }}{% endraw %}", "{{ missing | default('x') }}"})
    CHECK(NamesUnknown(unknown, variables));
}

TEST_CASE("names as promptfoo looks for them") {
  const Map variables = Object{{"b", 1}, {"l", Array(1)}};
  for (const std::string_view known :
       {"{{ b | upper }}", "{{ b + missing }}", "{% for i in l %}{{ i }}{% endfor %}", "{{ env.X }}",
        "{{ 'missing' }}", "{# {{ missing }} #}", "plain"})
    CHECK_FALSE(NamesUnknownThere(known, variables));
  for (const std::string_view unknown :
       {"{{ missing }}", "{{ range(3) }}", "{% for i in l %}{{ i.k }}{% endfor %}",
        "{% if not b %}x{% endif %}", "{{ missing | default('x') }}"})
    CHECK(NamesUnknownThere(unknown, variables));
}

}  // namespace
}  // namespace assay
