// Walks cases, checks and variants of a suite, and returns the first name that is too long.
#include "spec/suite/names/suite_names.h"

#include <fmt/core.h>

#include <string_view>

#include "base/errors/diagnostics.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

std::optional<LongName> TooLong(std::string_view what, std::string_view name, Span span) {
  if (name.size() <= limits::kNameBytesMax) return std::nullopt;
  return LongName{fmt::format("expected {} of at most {} bytes, found {} bytes that begin with {}", what,
                              limits::kNameBytesMax, name.size(), Quoted(name)),
                  span};
}

}  // namespace

std::optional<LongName> FindLongName(const Suite& suite) {
  if (auto found = TooLong("an id of the suite", suite.id, {})) return found;
  if (auto found = TooLong("a title", suite.title, {})) return found;
  for (const Case& the_case : suite.cases) {
    if (auto found = TooLong("an id of a case", the_case.id, the_case.span)) return found;
    for (const Check& check : the_case.checks) {
      if (auto found = TooLong("an id of a check", check.id, check.span)) return found;
    }
  }
  for (const Variant& variant : suite.variants) {
    if (auto found = TooLong("a name of a model or run", variant.id, variant.span)) return found;
    if (auto found = TooLong("a label of a model or run", variant.label, variant.span)) return found;
  }
  return std::nullopt;
}

}  // namespace assay
