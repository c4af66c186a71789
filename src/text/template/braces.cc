// Takes a text apart into letters and expressions, and puts it together for a row.
#include "text/template/braces.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/template/expression.h"
#include "text/template/limits.h"
#include "text/template/members.h"
#include "text/template/written.h"

namespace assay {

namespace {

struct BracesPiece {
  std::string letters;  // before the expression
  std::optional<TemplateExpression> expression;
};

TemplateProblem NoBracesText(const TemplateExpression& expression, const Value& value) {
  const std::string& name = expression.head.written;
  if (value.is_nullish()) {
    return {.code = "template.null",
            .message = fmt::format("{} is empty in this row", Quoted(name)),
            .hint = fmt::format("fill the cell, or write {{{{{} | default(\"…\")}}}}", name),
            .name = name,
            .expression = expression.written};
  }
  return {.code = "template.kind",
          .message = fmt::format("{} is {}, not a text", Quoted(name), KindName(value)),
          .hint = value.is_list() ? fmt::format("join it: {{{{{} | join(\", \")}}}}", name)
                                  : fmt::format("name a member, or write {{{{{} | json}}}}", name),
          .name = name,
          .expression = expression.written};
}

std::optional<TemplateProblem> ProblemOfTerm(const TemplateTerm& term, const MemberNames& members) {
  return term.literal.is_undefined() ? members.ProblemOf(term.path) : std::nullopt;
}

class BracesTemplate final : public CompiledTemplate {
 public:
  explicit BracesTemplate(std::vector<BracesPiece> pieces) : pieces_(std::move(pieces)) {}

  bool IsPlain() const override {
    return std::none_of(pieces_.begin(), pieces_.end(),
                        [](const BracesPiece& piece) { return piece.expression.has_value(); });
  }

  bool Names(std::string_view name) const override {
    const auto is_it = [name](const TemplateTerm& term) {
      return term.literal.is_undefined() && term.path.name == name;
    };
    for (const BracesPiece& piece : pieces_) {
      if (!piece.expression) continue;
      if (is_it(piece.expression->head)) return true;
      for (const FilterCall& filter : piece.expression->filters) {
        if (std::any_of(filter.arguments.begin(), filter.arguments.end(), is_it)) return true;
      }
    }
    return false;
  }

  std::optional<TemplateProblem> UnknownMember(const MemberNames& members) const override {
    for (const BracesPiece& piece : pieces_) {
      if (!piece.expression) continue;
      std::optional<TemplateProblem> problem = ProblemOfTerm(piece.expression->head, members);
      for (const FilterCall& filter : piece.expression->filters) {
        for (const TemplateTerm& argument : filter.arguments) {
          if (!problem) problem = ProblemOfTerm(argument, members);
        }
      }
      if (!problem) continue;
      problem->expression = piece.expression->written;
      return problem;
    }
    return std::nullopt;
  }

  Templated<std::string> Text(const TemplateScope& scope) const override {
    std::string out;
    for (const BracesPiece& piece : pieces_) {
      out += piece.letters;
      if (!piece.expression) continue;
      Templated<Value> value = Evaluate(*piece.expression, scope);
      if (auto* problem = std::get_if<TemplateProblem>(&value)) return std::move(*problem);
      const std::optional<std::string> text = WrittenText(std::get<Value>(value), scope.sources);
      if (!text) return NoBracesText(*piece.expression, std::get<Value>(value));
      out += *text;
      if (out.size() > limits::kTemplateResultBytesMax) {
        return TemplateProblem{.code = "template.limit",
                               .message = fmt::format("expected a text of at most {} bytes, found more",
                                                      limits::kTemplateResultBytesMax),
                               .hint = "shorten the cells of this row",
                               .expression = piece.expression->written};
      }
    }
    return out;
  }

  Templated<Value> Filled(const TemplateScope& scope) const override {
    const bool is_alone =
        pieces_.size() == 1 && pieces_.front().letters.empty() && pieces_.front().expression;
    if (is_alone) return Evaluate(*pieces_.front().expression, scope);
    Templated<std::string> text = Text(scope);
    if (auto* problem = std::get_if<TemplateProblem>(&text)) return std::move(*problem);
    return Value(std::get<std::string>(std::move(text)));
  }

 private:
  std::vector<BracesPiece> pieces_;  // only the last one may lack an expression
};

class BracesLanguage final : public TemplateEngine {
 public:
  Templated<std::unique_ptr<const CompiledTemplate>> Compile(
      std::string_view text, std::span<const std::string> columns) const override {
    std::vector<BracesPiece> pieces;
    std::size_t at = 0;
    for (std::size_t open = 0; (open = text.find("{{", at)) != std::string_view::npos;) {
      BracesPiece piece{std::string(text.substr(at, open - at)), std::nullopt};
      Templated<TemplateExpression> expression = ReadExpression(text, open, columns);
      if (auto* problem = std::get_if<TemplateProblem>(&expression)) return std::move(*problem);
      piece.expression = std::get<TemplateExpression>(std::move(expression));
      pieces.push_back(std::move(piece));
      at = open;
    }
    if (at < text.size()) pieces.push_back({std::string(text.substr(at)), std::nullopt});
    return std::make_unique<const BracesTemplate>(std::move(pieces));
  }
};

}  // namespace

const TemplateEngine& BracesEngine() {
  static const BracesLanguage engine;
  return engine;
}

}  // namespace assay
