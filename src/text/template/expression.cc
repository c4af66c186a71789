// Parses and evaluates `{{ value | filter(…) }}`.
#include "text/template/expression.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/template/limits.h"
#include "text/template/written.h"

namespace assay {

namespace {

constexpr std::string_view kOpenBraces = "{{";
constexpr std::string_view kCloseBraces = "}}";
constexpr std::string_view kBuiltInNames[] = {"_row", "_id"};

bool IsBlankByte(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// What to write in place of what the language lacks.
std::string ExpressionHint(std::string_view rest) {
  if (rest.starts_with('(')) return "there are no calls and methods: write a filter, such as {{name | trim}}";
  if (rest.starts_with('[')) return "the place in a list is a number: {{list[0]}}, or {{list | at(column)}}";
  if (rest.starts_with("{")) return "write two braces: {{name}}; a literal {{ is {{'{{'}}";
  if (rest.starts_with("if ") || rest.starts_with("?"))
    return "there are no conditions: write {{name | default(\"…\")}}, or add a column";
  constexpr std::string_view kOperators[] = {"or ", "and ", "not ", "in ", "is ", "==", "!=", "<", ">",
                                             "+",   "-",    "*",    "/",   "%",   "~",  "||", "&&"};
  if (std::any_of(std::begin(kOperators), std::end(kOperators),
                  [rest](std::string_view each) { return rest.starts_with(each); }))
    return "there are no operators: write {{name | default(\"…\")}}, or add a column";
  return "write {{name}} or {{name | filter}}; compute other values in the table";
}

std::string ListedFilters() {
  std::string list = "the filters are";
  for (const FilterRow& row : FilterTable())
    list += fmt::format("{} {}", &row == &FilterTable().front() ? "" : ",", row.name);
  return list;
}

class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, std::size_t open, std::span<const std::string> columns)
      : text_(text), columns_(columns), open_(open), start_(open + kOpenBraces.size()), at_(start_) {}

  Templated<TemplateExpression> Read(std::size_t& at) {
    TemplateExpression expression;
    SkipBlanks();
    if (!TakeExactName(expression.head, "}|")) {
      if (!FindEnd()) return Open();
      if (!ReadTerm(expression.head) || !AtTermEnd()) return HeadSyntax();
    } else if (!FindEnd()) {
      return Open();
    }
    if (end_ - open_ > limits::kExpressionBytesMax) return TooLong();
    while (at_ < end_) {
      FilterCall& filter = expression.filters.emplace_back();
      if (std::optional<TemplateProblem> problem = ReadFilter(filter)) return *std::move(problem);
      if (expression.filters.size() > limits::kExpressionFiltersMax) return TooLong();
    }
    if (std::optional<TemplateProblem> problem = UnknownName(expression)) return *std::move(problem);
    at = end_ + kCloseBraces.size();
    expression.written = Written();
    return expression;
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlankByte(text_[at_])) ++at_;
  }

  std::string Written() const { return std::string(text_.substr(open_, end_ + kCloseBraces.size() - open_)); }

  TemplateProblem Problem(std::string code, std::string message, std::string hint,
                          std::string name = {}) const {
    return {.code = std::move(code),
            .message = std::move(message),
            .hint = std::move(hint),
            .name = std::move(name),
            .expression = end_ == 0 ? std::string(kOpenBraces) : Written()};
  }
  TemplateProblem Open() const {
    TemplateProblem problem =
        Problem("template.open", "{{ is never closed", "write }} behind it; a literal {{ is {{'{{'}}");
    problem.column = CountCodePoints(text_.substr(0, open_)) + 1;
    return problem;
  }
  TemplateProblem TooLong() const {
    return Problem("template.limit",
                   fmt::format("an expression has at most {} bytes and {} filters",
                               limits::kExpressionBytesMax, limits::kExpressionFiltersMax),
                   "compute the value in the table");
  }
  // The head cannot be read. One with blanks or marks may be a column with a typing error.
  TemplateProblem HeadSyntax() const {
    const std::string_view inside = text_.substr(start_, end_ - start_);
    std::string_view head = inside.substr(0, inside.find('|'));
    while (!head.empty() && IsBlankByte(head.front())) head.remove_prefix(1);
    while (!head.empty() && IsBlankByte(head.back())) head.remove_suffix(1);
    const bool is_name = head.find_first_of("{}()[]\"'") == std::string_view::npos;
    const std::string_view near = is_name ? NearName(head, columns_) : std::string_view();
    return near.empty() ? Syntax() : Unknown(head, near);
  }
  // At the place that cannot be read.
  TemplateProblem Syntax() const {
    TemplateProblem problem = Problem("template.syntax",
                                      fmt::format("{} cannot be read here: {}", Quoted(Written()),
                                                  Quoted(text_.substr(at_, std::max(end_, at_ + 1) - at_))),
                                      ExpressionHint(text_.substr(at_, end_ - at_)));
    problem.column = CountCodePoints(text_.substr(start_, at_ - start_)) + 1;
    return problem;
  }
  TemplateProblem Unknown(std::string_view name, std::string_view near) const {
    std::string hint = "the columns are";
    constexpr std::size_t kNamed = 12;
    for (std::size_t i = 0; i < std::min(columns_.size(), kNamed); ++i)
      hint += fmt::format("{} {}", i == 0 ? "" : ",", Quoted(columns_[i]));
    if (columns_.size() > kNamed) hint += fmt::format(" and {} more", columns_.size() - kNamed);
    if (!near.empty()) hint = fmt::format("did you mean {{{{{}}}}}?", near);
    return Problem("template.unknown", fmt::format("the dataset has no column {}", Quoted(name)), hint,
                   std::string(name));
  }

  // The longest column that stands here as it is, before one of `ends`, blanks between them.
  bool TakeExactName(TemplateTerm& term, std::string_view ends) {
    const std::string_view rest = text_.substr(at_, end_ == 0 ? std::string_view::npos : end_ - at_);
    const std::string* longest = nullptr;
    std::size_t behind_longest = 0;
    for (const std::string& column : columns_) {
      if (column.empty() || !rest.starts_with(column)) continue;
      std::size_t behind = column.size();
      while (behind < rest.size() && IsBlankByte(rest[behind])) ++behind;
      if (behind >= rest.size() || ends.find(rest[behind]) == std::string_view::npos) continue;
      if (rest[behind] == '}' && !rest.substr(behind).starts_with(kCloseBraces)) continue;
      if (longest != nullptr && column.size() <= longest->size()) continue;
      longest = &column;
      behind_longest = behind;
    }
    if (longest == nullptr) return false;
    term.path.name = term.written = *longest;
    at_ += behind_longest;
    return true;
  }

  // The braces that close it, those in quotes aside.
  bool FindEnd() {
    char quote = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != 0) {
        if (c == '\\') ++i;
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (text_.substr(i).starts_with(kCloseBraces)) {
        end_ = i;
        return true;
      }
    }
    return false;
  }

  bool AtTermEnd() {
    SkipBlanks();
    return at_ == end_ || text_[at_] == '|';
  }

  // False: at_ stands where it cannot be read.
  bool ReadTerm(TemplateTerm& term) {
    const std::string_view inside = text_.substr(0, end_);
    if (at_ >= end_) return false;
    const std::size_t from = at_;
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      std::optional<std::string> literal = ReadQuotedText(inside, at_);
      if (!literal) return false;
      term.literal = Value(*std::move(literal));
    } else if (c == '-' || IsAsciiDigit(c)) {
      while (at_ < end_ && (IsAsciiDigit(text_[at_]) || text_[at_] == '.' || (at_ == from && c == '-')))
        ++at_;
      const std::optional<double> number = PlainNumber(text_.substr(from, at_ - from));
      if (!number) {
        at_ = from;
        return false;
      }
      term.literal = Value(*number);
    } else {
      std::optional<RowPath> path = ReadRowPath(inside, at_);
      if (!path) return false;
      term.path = *std::move(path);
    }
    term.written = text_.substr(from, at_ - from);
    return true;
  }

  std::optional<TemplateProblem> ReadFilter(FilterCall& filter) {
    ++at_;  // the bar
    SkipBlanks();
    const std::size_t from = at_;
    while (at_ < end_ && (IsAsciiAlphanumeric(text_[at_]) || text_[at_] == '_')) ++at_;
    const std::string_view name = text_.substr(from, at_ - from);
    if (name.empty()) return Syntax();
    SkipBlanks();
    if (at_ < end_ && text_[at_] == '(') {
      if (std::optional<TemplateProblem> problem = ReadArguments(filter)) return problem;
    }
    if (!AtTermEnd()) return Syntax();
    filter.row = FindFilter(name);
    if (filter.row == nullptr) return UnknownFilter(name);
    const std::size_t count = filter.arguments.size();
    if (count < filter.row->least_arguments || count > filter.row->most_arguments) {
      return Problem("template.filter-args",
                     fmt::format("the filter {} takes {} arguments, found {}", name,
                                 filter.row->least_arguments == filter.row->most_arguments
                                     ? std::to_string(filter.row->least_arguments)
                                     : "at most " + std::to_string(filter.row->most_arguments),
                                 count),
                     "docs/datasets.md lists the filters", std::string(name));
    }
    return std::nullopt;
  }

  TemplateProblem UnknownFilter(std::string_view name) const {
    std::vector<std::string> names;
    for (const FilterRow& row : FilterTable()) names.emplace_back(row.name);
    const std::string_view near = NearName(name, names);
    return Problem("template.filter", fmt::format("there is no filter {}", Quoted(name)),
                   near.empty() ? ListedFilters() : fmt::format("did you mean {}?", near), std::string(name));
  }

  std::optional<TemplateProblem> ReadArguments(FilterCall& filter) {
    ++at_;
    SkipBlanks();
    if (at_ < end_ && text_[at_] == ')') {
      ++at_;
      return std::nullopt;
    }
    for (;;) {
      SkipBlanks();
      TemplateTerm& argument = filter.arguments.emplace_back();
      if (!TakeExactName(argument, ",)") && !ReadTerm(argument)) return Syntax();
      SkipBlanks();
      if (at_ >= end_ || (text_[at_] != ',' && text_[at_] != ')')) return Syntax();
      if (text_[at_++] == ')') return std::nullopt;
    }
  }

  bool IsKnown(const TemplateTerm& term) const {
    if (!term.literal.is_undefined()) return true;
    const std::string& name = term.path.name;
    return std::find(columns_.begin(), columns_.end(), name) != columns_.end() ||
           std::find(std::begin(kBuiltInNames), std::end(kBuiltInNames), name) != std::end(kBuiltInNames);
  }

  std::optional<TemplateProblem> UnknownName(const TemplateExpression& expression) const {
    const TemplateTerm* unknown = IsKnown(expression.head) ? nullptr : &expression.head;
    for (const FilterCall& filter : expression.filters) {
      for (const TemplateTerm& argument : filter.arguments) {
        if (unknown == nullptr && !IsKnown(argument)) unknown = &argument;
      }
    }
    if (unknown == nullptr) return std::nullopt;
    return Unknown(unknown->path.name, NearName(unknown->path.name, columns_));
  }

  std::string_view text_;
  std::span<const std::string> columns_;
  std::size_t open_;
  std::size_t start_;  // behind the braces
  std::size_t at_;
  std::size_t end_ = 0;  // of what the braces contain; 0: not known
};

Templated<Value> TermValue(const TemplateTerm& term, const TemplateExpression& expression,
                           const TemplateScope& scope) {
  if (!term.literal.is_undefined()) return term.literal;
  if (scope.row.Find(term.path.name) == nullptr) {
    if (term.path.name == "_row") return Value(static_cast<double>(scope.row_number));
    if (term.path.name == "_id") return Value(scope.row_id);
    if (term.path.name == "shots" && scope.shots) return Value(*scope.shots);
  }
  const std::optional<const Value*> found = FindAt(scope.row, term.path);
  if (found) return **found;
  return TemplateProblem{
      .code = "template.path",
      .message = fmt::format("{} leads into a value of another kind", Quoted(term.written)),
      .hint = "a.b is a member of a mapping, a[0] an item of a list",
      .name = term.path.name,
      .expression = expression.written};
}

}  // namespace

Templated<TemplateExpression> ReadExpression(std::string_view text, std::size_t& at,
                                             std::span<const std::string> columns) {
  return ExpressionReader(text, at, columns).Read(at);
}

Templated<Value> Evaluate(const TemplateExpression& expression, const TemplateScope& scope) {
  Templated<Value> value = TermValue(expression.head, expression, scope);
  const Span place = std::holds_alternative<Value>(value) ? std::get<Value>(value).span : Span();
  for (const FilterCall& filter : expression.filters) {
    if (std::holds_alternative<TemplateProblem>(value)) return value;
    Value& current = std::get<Value>(value);
    // What is not there stays so, up to `default`.
    if (current.is_null() && !filter.row->takes_null) continue;
    std::vector<Value> arguments;
    for (const TemplateTerm& argument : filter.arguments) {
      Templated<Value> each = TermValue(argument, expression, scope);
      if (std::holds_alternative<TemplateProblem>(each)) return each;
      arguments.push_back(std::get<Value>(std::move(each)));
    }
    const FilterOutcome outcome = filter.row->apply(current, arguments, scope.sources);
    if (outcome == FilterOutcome::kDone) continue;
    const bool is_kind = outcome == FilterOutcome::kKind;
    return TemplateProblem{
        .code = is_kind ? "template.filter-kind" : "template.filter-none",
        .message = is_kind ? fmt::format("the filter {} takes {}, found {}", filter.row->name, filter.row->of,
                                         KindName(current))
                           : fmt::format("the filter {} finds nothing in {}", filter.row->name,
                                         Quoted(expression.head.written)),
        .hint = is_kind ? "docs/datasets.md says what each filter takes" : "check the row, or the mark",
        .name = std::string(filter.row->name),
        .expression = expression.written};
  }
  // What filters make of a cell is told of where the cell stands; numbers have no digits there.
  if (Value* made = std::get_if<Value>(&value); made != nullptr && made->is_string()) made->span = place;
  return value;
}

}  // namespace assay
