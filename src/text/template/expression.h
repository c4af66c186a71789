// One expression of the language of braces.h: how it is read, and what it gives.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/template/engine.h"
#include "text/template/filters.h"
#include "text/template/path.h"

namespace assay {

// A literal, or a path with the words that name it.
struct TemplateTerm {
  Value literal;  // undefined: a path
  RowPath path;
  std::string written;
};

struct FilterCall {
  const FilterRow* row = nullptr;
  std::vector<TemplateTerm> arguments;
};

struct TemplateExpression {
  TemplateTerm head;
  std::vector<FilterCall> filters;
  std::string written;  // with its braces
};

// Reads the expression whose braces open at `at`, which goes behind those that close it.
Templated<TemplateExpression> ReadExpression(std::string_view text, std::size_t& at,
                                             std::span<const std::string> columns);
// Its value; null where the row has none.
Templated<Value> Evaluate(const TemplateExpression& expression, const TemplateScope& scope);

}  // namespace assay
