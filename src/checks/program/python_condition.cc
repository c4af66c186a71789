// A tokenizer, recursive-descent parser and evaluator for the small part of Python that conditions use.
#include "checks/program/python_condition.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/limits.h"
#include "text/python/text.h"

namespace assay {

struct PythonCondition::Expression {
  enum class Kind { kLiteral, kName, kIndex, kLength, kMethod, kComparison, kNot, kAnd, kOr };
  Kind kind = Kind::kLiteral;
  Value literal = {};
  std::string name = {};  // of a variable or a method
  std::vector<Expression> parts = {};
  std::vector<std::string> operators = {};  // of a comparison: between the parts
};

namespace {

using Expression = PythonCondition::Expression;
using Kind = Expression::Kind;

bool IsNameStart(char c) { return IsAsciiLetter(c) || c == '_'; }

struct Token {
  enum class Kind { kEnd, kName, kNumber, kText, kSign };
  Kind kind = Kind::kEnd;
  std::string text;
};

// Nothing if the text holds anything beyond what is understood.
std::optional<std::vector<Token>> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == ' ' || c == '\t') {
      at = end;
      continue;
    }
    Token token;
    if (IsNameStart(c)) {
      while (end < text.size() && (IsNameStart(text[end]) || IsAsciiDigit(text[end]))) ++end;
      token = {Token::Kind::kName, std::string(text.substr(at, end - at))};
      if (end < text.size() && (text[end] == '\'' || text[end] == '"')) return std::nullopt;  // r"..."
    } else if (IsAsciiDigit(c)) {
      while (end < text.size() && IsAsciiDigit(text[end])) ++end;
      if (c == '0' && end > at + 1) return std::nullopt;
      if (end + 1 < text.size() && text[end] == '.' && IsAsciiDigit(text[end + 1])) {
        ++end;
        while (end < text.size() && IsAsciiDigit(text[end])) ++end;
      }
      if (end < text.size() && (IsNameStart(text[end]) || text[end] == '.')) return std::nullopt;
      token = {Token::Kind::kNumber, std::string(text.substr(at, end - at))};
    } else if (c == '\'' || c == '"') {
      end = text.find(c, at + 1);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view content = text.substr(at + 1, end - at - 1);
      if (content.find_first_of("\\\n\r") != std::string_view::npos) return std::nullopt;
      ++end;
      if (end < text.size() && (text[end] == '\'' || text[end] == '"'))
        return std::nullopt;  // '' 'x', """x"""
      token = {Token::Kind::kText, std::string(content)};
    } else {
      const std::string_view two = text.substr(at, 2);
      if (two == "==" || two == "!=" || two == "<=" || two == ">=") ++end;
      if (end == at + 1 && std::string_view("<>()[].,-").find(c) == std::string_view::npos)
        return std::nullopt;
      token = {Token::Kind::kSign, std::string(text.substr(at, end - at))};
    }
    tokens.push_back(std::move(token));
    at = end;
  }
  tokens.emplace_back();
  return tokens;
}

// Recursive descent; every function gives nothing for what is not understood.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  std::optional<Expression> Run() {
    std::optional<Expression> root = Or(0);
    if (!root || Peek().kind != Token::Kind::kEnd) return std::nullopt;
    return root;
  }

 private:
  using Level = std::optional<Expression> (Parser::*)(std::size_t depth);

  const Token& Peek() const { return tokens_[at_]; }
  bool IsNext(Token::Kind kind, std::string_view text) const {
    return Peek().kind == kind && Peek().text == text;
  }
  bool Accept(Token::Kind kind, std::string_view text) {
    if (!IsNext(kind, text)) return false;
    ++at_;
    return true;
  }
  bool AcceptSign(std::string_view text) { return Accept(Token::Kind::kSign, text); }
  bool AcceptWord(std::string_view text) { return Accept(Token::Kind::kName, text); }

  std::optional<Expression> Joined(Kind kind, std::string_view word, Level level, std::size_t depth) {
    Expression joined{.kind = kind};
    do {
      std::optional<Expression> part = (this->*level)(depth);
      if (!part) return std::nullopt;
      joined.parts.push_back(std::move(*part));
    } while (AcceptWord(word));
    return joined.parts.size() == 1 ? std::move(joined.parts[0]) : std::move(joined);
  }

  std::optional<Expression> Or(std::size_t depth) {
    if (depth > limits::kExpressionDepthMax) return std::nullopt;
    return Joined(Kind::kOr, "or", &Parser::And, depth + 1);
  }
  std::optional<Expression> And(std::size_t depth) { return Joined(Kind::kAnd, "and", &Parser::Not, depth); }

  std::optional<Expression> Not(std::size_t depth) {
    bool is_negated = false;
    bool has_not = false;
    while (AcceptWord("not")) {
      is_negated = !is_negated;
      has_not = true;
    }
    std::optional<Expression> inner = Comparison(depth);
    if (!inner || !has_not) return inner;
    Expression negated{.kind = Kind::kNot};
    negated.parts.push_back(std::move(*inner));
    if (is_negated) return negated;
    Expression twice{.kind = Kind::kNot};
    twice.parts.push_back(std::move(negated));
    return twice;
  }

  std::string Operator() {
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (AcceptSign(sign)) return std::string(sign);
    }
    if (AcceptWord("in")) return "in";
    if (IsNext(Token::Kind::kName, "not") && tokens_[at_ + 1].text == "in") {
      at_ += 2;
      return "not in";
    }
    return {};
  }

  std::optional<Expression> Comparison(std::size_t depth) {
    std::optional<Expression> first = Postfix(depth);
    if (!first) return std::nullopt;
    Expression comparison{.kind = Kind::kComparison};
    comparison.parts.push_back(std::move(*first));
    for (std::string sign = Operator(); !sign.empty(); sign = Operator()) {
      std::optional<Expression> next = Postfix(depth);
      if (!next) return std::nullopt;
      comparison.operators.push_back(std::move(sign));
      comparison.parts.push_back(std::move(*next));
    }
    return comparison.operators.empty() ? std::move(comparison.parts[0]) : std::move(comparison);
  }

  std::optional<Expression> Postfix(std::size_t depth) {
    std::optional<Expression> base = Atom(depth);
    while (base) {
      if (AcceptSign("[")) {
        std::optional<Expression> index = Or(depth + 1);
        if (!index || !AcceptSign("]")) return std::nullopt;
        base = With(Kind::kIndex, {}, std::move(*base), std::move(*index));
      } else if (AcceptSign(".")) {
        const std::string method = Peek().text;
        ++at_;
        if (method != "startswith" && method != "endswith" && method != "count") return std::nullopt;
        if (!AcceptSign("(")) return std::nullopt;
        std::optional<Expression> argument = Or(depth + 1);
        if (!argument || !AcceptSign(")")) return std::nullopt;
        base = With(Kind::kMethod, method, std::move(*base), std::move(*argument));
      } else {
        return base;
      }
    }
    return std::nullopt;
  }

  static Expression With(Kind kind, std::string name, Expression base, Expression argument) {
    Expression joined{.kind = kind, .literal = {}, .name = std::move(name)};
    joined.parts.push_back(std::move(base));
    joined.parts.push_back(std::move(argument));
    return joined;
  }

  std::optional<Expression> Atom(std::size_t depth) {
    if (AcceptSign("(")) {
      std::optional<Expression> inner = Or(depth + 1);
      if (!inner || !AcceptSign(")")) return std::nullopt;
      return inner;
    }
    const bool is_negative = AcceptSign("-");
    const Token token = Peek();
    if (token.kind == Token::Kind::kEnd) return std::nullopt;
    ++at_;
    if (token.kind == Token::Kind::kNumber) {
      return Number(token.text, is_negative);
    }
    if (is_negative || token.kind == Token::Kind::kSign) return std::nullopt;
    if (token.kind == Token::Kind::kText) return Expression{.kind = Kind::kLiteral, .literal = token.text};
    return Name(token.text, depth);
  }

  static std::optional<Expression> Number(std::string_view text, bool is_negative) {
    const char* end = text.data() + text.size();
    if (text.find('.') != std::string_view::npos) {
      double number = 0;
      const auto parsed = std::from_chars(text.data(), end, number);
      if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
      return Expression{.kind = Kind::kLiteral, .literal = is_negative ? -number : number};
    }
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return Expression{.kind = Kind::kLiteral, .literal = is_negative ? -number : number};
  }

  std::optional<Expression> Name(const std::string& name, std::size_t depth) {
    if (name == "True" || name == "False")
      return Expression{.kind = Kind::kLiteral, .literal = name == "True"};
    if (name == "None") return Expression{.kind = Kind::kLiteral, .literal = Null{}};
    for (const std::string_view word :
         {"and", "or", "in", "is", "if", "else", "for", "lambda", "await", "not"}) {
      if (name == word) return std::nullopt;
    }
    if (name == "len" && AcceptSign("(")) {
      std::optional<Expression> argument = Or(depth + 1);
      if (!argument || !AcceptSign(")")) return std::nullopt;
      Expression length{.kind = Kind::kLength};
      length.parts.push_back(std::move(*argument));
      return length;
    }
    // A function or a module of Python's.
    if (IsNext(Token::Kind::kSign, "(")) return std::nullopt;
    return Expression{.kind = Kind::kName, .literal = {}, .name = name};
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

// ---- evaluation
// -------------------------------------------------------------------------------------------------

Error RaisedBy(std::string message) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message)};
}

Error UnknownName(std::string_view name) {
  return {.code = ErrorCode::kUnsupported, .message = fmt::format("there is no {} here", name)};
}

bool IsNumber(const Value& value) { return value.is_number() || value.is_bool(); }

bool Equal(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return PythonFloat(a) == PythonFloat(b);
  return SameValue(a, b);
}

std::int64_t Occurrences(std::string_view text, std::string_view part) {
  if (part.empty()) return static_cast<std::int64_t>(CountCodePoints(text)) + 1;
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

Result<bool> IsIn(const Value& item, const Value& container) {
  if (container.is_string()) {
    if (!item.is_string()) return RaisedBy("only a text can be in a text");
    return container.AsString().find(item.AsString()) != std::string::npos;
  }
  const std::optional<List> items = PythonItems(container);
  if (!items) return RaisedBy(fmt::format("nothing can be in {}", KindName(container)));
  return std::any_of(items->begin(), items->end(), [&](const Value& other) { return Equal(item, other); });
}

template <class T>
bool Ordered(const T& a, const T& b, std::string_view sign) {
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  return a >= b;
}

Result<bool> Compare(const Value& a, const Value& b, std::string_view sign) {
  if (sign == "==") return Equal(a, b);
  if (sign == "!=") return !Equal(a, b);
  if (sign == "in") return IsIn(a, b);
  if (sign == "not in") {
    ASSAY_TRY(const bool is_in, IsIn(a, b));
    return !is_in;
  }
  if (IsNumber(a) && IsNumber(b)) return Ordered(*PythonFloat(a), *PythonFloat(b), sign);
  if (a.is_string() && b.is_string())
    return Ordered(a.AsString(), b.AsString(), sign);  // UTF-8 keeps the order
  return RaisedBy(fmt::format("{} and {} have no order", KindName(a), KindName(b)));
}

Result<Value> Index(const Value& base, const Value& index) {
  if (base.is_map()) {
    const Value* found = index.is_string() ? base.Find(index.AsString()) : nullptr;
    return found != nullptr ? Result<Value>(*found) : RaisedBy("there is no such key");
  }
  const std::optional<List> items = PythonItems(base);
  if (!items) return RaisedBy(fmt::format("{} has no items", KindName(base)));
  if (!IsNumber(index) || index.kind() == ValueKind::kDouble)
    return RaisedBy("an index must be a whole number");
  const auto size = static_cast<double>(items->size());
  const double position = *PythonFloat(index);
  if (position >= size || position < -size) return RaisedBy("an index is out of range");
  return (*items)[static_cast<std::size_t>(position < 0 ? position + size : position)];
}

Result<Value> Method(const Expression& expression, const Value& base, const Value& argument) {
  if (expression.name == "count" && base.is_list()) {
    const auto& items = base.AsList();
    return Value(static_cast<std::int64_t>(
        std::count_if(items.begin(), items.end(), [&](const Value& item) { return Equal(item, argument); })));
  }
  if (!base.is_string() || !argument.is_string()) {
    return RaisedBy(
        fmt::format("{} needs texts, found {} and {}", expression.name, KindName(base), KindName(argument)));
  }
  const std::string& text = base.AsString();
  const std::string& part = argument.AsString();
  if (expression.name == "startswith") return Value(text.starts_with(part));
  if (expression.name == "endswith") return Value(text.ends_with(part));
  return Value(Occurrences(text, part));
}

Result<Value> Evaluated(const Expression& expression, const Map& names);

Result<Value> Comparison(const Expression& expression, const Map& names) {
  ASSAY_TRY(Value left, Evaluated(expression.parts[0], names));
  for (std::size_t i = 0; i < expression.operators.size(); ++i) {
    ASSAY_TRY(Value right, Evaluated(expression.parts[i + 1], names));
    ASSAY_TRY(const bool holds, Compare(left, right, expression.operators[i]));
    if (!holds) return Value(false);
    left = std::move(right);
  }
  return Value(true);
}

Result<Value> Length(const Value& value) {
  if (value.is_string()) return Value(static_cast<std::int64_t>(CountCodePoints(value.AsString())));
  const std::optional<List> items = PythonItems(value);
  if (!items) return RaisedBy(fmt::format("{} has no length", KindName(value)));
  return Value(static_cast<std::int64_t>(items->size()));
}

// The first part that decides, or the last one.
Result<Value> Deciding(const Expression& expression, const Map& names, bool decides) {
  Value value;
  for (const Expression& part : expression.parts) {
    ASSAY_TRY(value, Evaluated(part, names));
    if (PythonTruth(value) == decides) break;
  }
  return value;
}

Result<Value> Evaluated(const Expression& expression, const Map& names) {
  switch (expression.kind) {
    case Kind::kLiteral:
      return expression.literal;
    case Kind::kName: {
      const Value* found = names.Find(expression.name);
      return found != nullptr ? Result<Value>(*found) : UnknownName(expression.name);
    }
    case Kind::kComparison:
      return Comparison(expression, names);
    case Kind::kAnd:
      return Deciding(expression, names, false);
    case Kind::kOr:
      return Deciding(expression, names, true);
    default:
      break;
  }
  ASSAY_TRY(const Value first, Evaluated(expression.parts[0], names));
  if (expression.kind == Kind::kNot) return Value(!PythonTruth(first));
  if (expression.kind == Kind::kLength) return Length(first);
  ASSAY_TRY(const Value second, Evaluated(expression.parts[1], names));
  return expression.kind == Kind::kIndex ? Index(first, second) : Method(expression, first, second);
}

}  // namespace

PythonCondition::PythonCondition(std::string_view text) : text_(text) {
  std::optional<std::vector<Token>> tokens = Tokenize(text);
  if (!tokens) return;
  std::optional<Expression> root = Parser(std::move(*tokens)).Run();
  if (root) root_ = std::make_shared<const Expression>(std::move(*root));
}

Result<bool> PythonCondition::Evaluate(const Map& names) const {
  Result<Value> value = Evaluated(*root_, names);
  if (value) return PythonTruth(*value);
  return Error{value.error().code,
               fmt::format("the condition {} fails: {}", Quoted(text_), value.error().message)};
}

Error PythonCondition::BlamedOn(Error error) const {
  const bool is_of_text = error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kTimeout;
  if (is_of_text && text_.find("response") != std::string::npos) error.code = ErrorCode::kLimit;
  return error;
}

}  // namespace assay
