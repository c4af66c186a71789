// Templates that anyone may have written: each compiles or has an error with a code, and renders the same
// twice.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/assert.h"
#include "tests/fuzz/target.h"
#include "text/json/json.h"
#include "text/template/braces.h"

FUZZ_TARGET(braces)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::SourceFiles sources;
  assay::Diagnostics diagnostics;
  const assay::FileId file = sources.Add(
      "row",
      R"({"q": "What?", "n": 3, "f": 0.50, "none": null, "list": ["a", 2, null], "m": {"a": {"b": "c"}}})");
  const assay::Value row = assay::ReadJson(file, sources.Text(file), diagnostics);
  const std::vector<std::string> columns = {"q", "n", "f", "none", "list", "m", "Must 1", "It's", "a|b"};
  const auto compiled = assay::BracesEngine().Compile(text, columns);
  if (const auto* problem = std::get_if<assay::TemplateProblem>(&compiled)) {
    ASSAY_ASSERT(problem->code.starts_with("template.") && !problem->message.empty());
    return 0;
  }
  const assay::TemplateScope scope{row.AsMap(), sources, 1, "r"};
  const auto first = std::get<0>(compiled)->Text(scope);
  const auto again = std::get<0>(compiled)->Text(scope);
  ASSAY_ASSERT(first.index() == again.index());
  if (first.index() == 0) ASSAY_ASSERT(std::get<0>(first) == std::get<0>(again));
  ASSAY_ASSERT(text.find("{{") != std::string_view::npos || std::get<0>(first) == text);
  return 0;
}
