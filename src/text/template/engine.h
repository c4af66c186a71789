// TemplateEngine: the interface of a template language. A template is compiled once for a table of columns,
// and rendered for each row. braces.h is the language of datasets; another language is another engine.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/errors/span.h"
#include "text/value.h"

namespace assay {

// What is wrong with a template, or with a template and a row.
struct TemplateProblem {
  std::string code;  // "template.unknown"
  std::string message;
  std::string hint = {};
  std::string name = {};        // of the column, path or filter
  std::string expression = {};  // as written, with its braces
  std::size_t column = 0;       // in the expression, in code points from 1; 0: the place says nothing
};
template <class T>
using Templated = std::variant<T, TemplateProblem>;

// The row that a template is rendered for.
struct TemplateScope {
  const Map& row;
  const SourceFiles& sources;    // in which numbers stand as they were written
  std::size_t row_number = 0;    // `_row`
  std::string_view row_id = {};  // `_id`
  // `shots`, for whoever names it as a column; absent: it is an ordinary column.
  std::optional<std::string_view> shots = {};
};

class MemberNames;

class CompiledTemplate {
 public:
  virtual ~CompiledTemplate() = default;
  // Whether the text has no expression, and so stands for itself.
  virtual bool IsPlain() const = 0;
  // Whether an expression names `name`.
  virtual bool Names(std::string_view name) const = 0;
  // Where it names a member of no row; nothing: it does not, or the language cannot tell.
  virtual std::optional<TemplateProblem> UnknownMember(const MemberNames& /*members*/) const {
    return std::nullopt;
  }
  virtual Templated<std::string> Text(const TemplateScope& scope) const = 0;
  // The value of a text that is one expression alone; a text for all others. Null: the row has none.
  virtual Templated<Value> Filled(const TemplateScope& scope) const = 0;
};

class TemplateEngine {
 public:
  virtual ~TemplateEngine() = default;
  virtual Templated<std::unique_ptr<const CompiledTemplate>> Compile(
      std::string_view text, std::span<const std::string> columns) const = 0;
};

// The name nearest to `word`, in any case: at most a third of the longer one differs, or one letter. "":
// none.
std::string_view NearName(std::string_view word, std::span<const std::string> names);

}  // namespace assay
