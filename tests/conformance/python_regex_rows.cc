// A golden file about Python's regular expressions: whether a search finds something, or the pattern is
// refused.
#include "tests/conformance/conformance.h"
#include "text/python/regex.h"

namespace assay::conformance {
namespace {

// True, false, or "err": also where a limit stops what Python can do.
Value SearchOutcome(const std::string& pattern, const std::string& text) {
  const auto regex = PythonRegex::Compile(pattern);
  if (!regex.has_value()) return "err";
  const Result<bool> found = (*regex)->Search(text);
  return found.has_value() ? Value(*found) : Value("err");
}

Outcome RunDifferences(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    const std::string pattern = GetText(row, "pattern");
    outcome.Same(pattern, Get(row, "python_re"), SearchOutcome(pattern, GetText(row, "answer")));
  });
}

}  // namespace

std::span<const GoldenRow> PythonRegexRows() {
  static constexpr GoldenRow kRows[] = {
      {"research/pcre2_differences.jsonl", RunDifferences},
  };
  return kRows;
}

}  // namespace assay::conformance
