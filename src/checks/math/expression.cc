// Reads an expression by recursive descent into a list of parts, and evaluates them in their order.
#include "checks/math/expression.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <string>

#include "base/text/ascii.h"

namespace assay {

enum class MathExpression::Kind : unsigned char {
  kNumber,
  kName,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kNegate,
  kFactorial,
  kAbsolute,
  kRoot,      // left: the degree, right: what it is taken of
  kBinomial,  // left over right
  kLog,       // left: the base, right: what it is taken of
  kSin,
  kCos,
  kTan,
  kCot,
  kSec,
  kCsc,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kLn,
  kExp,
};

namespace {

using Complex = std::complex<double>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Error Unreadable() { return {ErrorCode::kInvalidInput, "this is no expression that can be read"}; }

bool IsFinite(Complex value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); }

bool IsNear(Complex a, Complex b) {
  constexpr double kRounding = 1e-9;
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

Complex Power(Complex base, Complex exponent) {
  if (exponent == Complex(0)) return base == Complex(0) ? Complex(kNaN) : Complex(1);
  if (base == Complex(0)) return exponent.real() > 0 ? Complex(0) : Complex(kNaN);
  const double whole = exponent.real();
  constexpr double kExactMost = 64;
  if (exponent.imag() != 0 || std::abs(whole) > kExactMost || whole != std::floor(whole))
    return std::pow(base, exponent);
  Complex product = 1;
  for (double left = std::abs(whole); left > 0; --left) product *= base;
  return whole < 0 ? Complex(1) / product : product;
}

Complex Factorial(Complex of) {
  constexpr double kMost = 170;
  if (of.imag() != 0 || of.real() < 0 || of.real() > kMost) return kNaN;
  return std::round(of.real()) == of.real() ? std::round(std::tgamma(of.real() + 1))
                                            : std::tgamma(of.real() + 1);
}

Complex Binomial(Complex n, Complex k) {
  if (n.imag() != 0 || k.imag() != 0 || k.real() < 0 || k.real() != std::floor(k.real()) || k.real() > 1e4)
    return kNaN;
  double product = 1;
  for (double i = 1; i <= k.real(); ++i) product *= (n.real() - k.real() + i) / i;
  return product;
}

// A real root of a real number where there is one: the cube root of -8 is -2.
Complex Root(Complex degree, Complex of) {
  const bool is_odd = degree.imag() == 0 && std::fmod(degree.real(), 2) == 1;
  if (is_odd && of.imag() == 0 && of.real() < 0) return -std::pow(-of.real(), 1 / degree.real());
  if (degree == Complex(2)) return std::sqrt(of);
  return of == Complex(0) ? Complex(0) : std::pow(of, Complex(1) / degree);
}

}  // namespace

class MathReader {
 public:
  using Kind = MathExpression::Kind;
  explicit MathReader(std::string_view text) : text_(text) {}

  Result<MathExpression> Read() {
    if (text_.size() > limits::kMathBytesMax) return TooLarge();
    const std::size_t whole = Sum();
    SkipBlanks();
    if (is_over_limit_) return TooLarge();
    if (has_failed_ || at_ < text_.size() || whole + 1 != made_.nodes_.size()) return Unreadable();
    return std::move(made_);
  }

 private:
  static Error TooLarge() {
    return {ErrorCode::kLimit, "the expression is longer, or nested deeper, than is read"};
  }

  std::size_t Fail() {
    has_failed_ = true;
    return 0;
  }

  std::size_t Make(Kind kind, std::size_t left = 0, std::size_t right = 0) {
    return Keep({.kind = kind, .left = left, .right = right});
  }
  std::size_t Number(Complex value) { return Keep({.kind = Kind::kNumber, .value = value}); }
  std::size_t Keep(MathExpression::Node node) {
    if (made_.nodes_.size() >= limits::kMathStepsMax) {
      is_over_limit_ = true;
      return Fail();
    }
    made_.nodes_.push_back(node);
    return made_.nodes_.size() - 1;
  }

  char Next() {
    SkipBlanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  std::string_view Rest() const { return text_.substr(at_); }
  bool Take(std::string_view token) {
    SkipBlanks();
    if (!Rest().starts_with(token)) return false;
    // "\in" is no part of "\infty".
    const bool is_command = token.size() > 1 && token[0] == '\\' && IsAsciiLetter(token.back());
    if (is_command && at_ + token.size() < text_.size() && IsAsciiLetter(text_[at_ + token.size()]))
      return false;
    at_ += token.size();
    return true;
  }
  bool TakeOneOf(std::initializer_list<std::string_view> tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [this](std::string_view token) { return Take(token); });
  }

  std::size_t Sum() {
    if (has_failed_) return 0;
    if (++depth_ > limits::kMathDepthMax) {
      is_over_limit_ = true;
      return Fail();
    }
    std::size_t sum = Product();
    while (!has_failed_) {
      if (TakeOneOf({"+"})) {
        const std::size_t right = Product();
        sum = Make(Kind::kAdd, sum, right);
      } else if (TakeOneOf({"-", "−"})) {
        const std::size_t right = Product();
        sum = Make(Kind::kSubtract, sum, right);
      } else {
        break;
      }
    }
    --depth_;
    return sum;
  }

  std::size_t Product() {
    std::size_t product = Signed();
    while (!has_failed_) {
      if (TakeOneOf({"\\cdot", "\\times", "*", "×", "·", "⋅"})) {
        const std::size_t right = Signed();
        product = Make(Kind::kMultiply, product, right);
      } else if (TakeOneOf({"\\div", "/", "÷"})) {
        const std::size_t right = Signed();
        product = Make(Kind::kDivide, product, right);
      } else if (BeginsFactor()) {
        const std::size_t right = Powered();
        product = Make(Kind::kMultiply, product, right);
      } else {
        break;
      }
    }
    return product;
  }

  std::size_t Signed() {
    bool is_negative = false;
    for (;;) {
      if (TakeOneOf({"-", "−"})) {
        is_negative = !is_negative;
      } else if (!Take("+")) {
        break;
      }
    }
    const std::size_t value = Powered();
    return is_negative ? Make(Kind::kNegate, value) : value;
  }

  std::size_t Powered() {
    std::size_t base = Postfixed();
    if (has_failed_ || !(Take("**") || Take("^"))) return base;
    const std::size_t exponent = Exponent();
    return Make(Kind::kPower, base, exponent);
  }

  // "{10}", or in plain notation "(1/3)" and "-2"; in LaTeX one letter or digit.
  std::size_t Exponent() {
    if (++depth_ > limits::kMathDepthMax) {
      is_over_limit_ = true;
      return Fail();
    }
    const bool is_negative = TakeOneOf({"-", "−"});
    std::size_t exponent = Powered();
    if (is_negative) exponent = Make(Kind::kNegate, exponent);
    --depth_;
    return exponent;
  }

  std::size_t Postfixed() {
    std::size_t value = Atom();
    while (!has_failed_ && Take("!")) value = Make(Kind::kFactorial, value);
    return value;
  }

  bool BeginsFactor() {
    const char c = Next();
    if (c == '|') return !in_bars_;
    if (IsAsciiAlphanumeric(c) || c == '(' || c == '{' || c == '[' || c == '.') return true;
    if (Rest().starts_with("π")) return true;
    if (c != '\\') return false;
    for (const std::string_view end :
         {"\\}", "\\right", "\\rfloor", "\\cup", "\\pm", "\\le", "\\ge", "\\in"}) {
      if (Rest().starts_with(end) && !Rest().starts_with("\\infty")) return false;
    }
    return true;
  }

  // Reads an argument of a command: a group in braces, or one digit or letter.
  std::size_t Argument() {
    if (Take("{")) return Closed("}");
    const char c = Next();
    if (IsAsciiDigit(c)) {
      ++at_;
      return Number(c - '0');
    }
    return Atom();
  }

  std::size_t Closed(std::string_view end) {
    const bool was_in_bars = in_bars_;
    in_bars_ = end == "|";
    const std::size_t inside = Sum();
    in_bars_ = was_in_bars;
    return has_failed_ || !Take(end) ? Fail() : inside;
  }

  std::size_t Atom() {
    if (has_failed_) return 0;
    const char c = Next();
    if (IsAsciiDigit(c) || c == '.') return PlainNumber();
    if (Take("(")) return Closed(")");
    if (Take("{")) return Closed("}");
    if (Take("[")) return Closed("]");
    if (Take("|")) {
      const std::size_t inside = Closed("|");
      return Make(Kind::kAbsolute, inside);
    }
    if (Take("π")) return Number(std::numbers::pi);
    return c == '\\' ? Command() : Word();
  }

  // Digits and decimals; a fraction right behind a whole number makes it a mixed number.
  std::size_t PlainNumber() {
    const std::size_t start = at_;
    while (at_ < text_.size() && IsAsciiDigit(text_[at_])) ++at_;
    const bool is_whole = at_ >= text_.size() || text_[at_] != '.';
    if (!is_whole) {
      ++at_;
      while (at_ < text_.size() && IsAsciiDigit(text_[at_])) ++at_;
    }
    const std::string digits(text_.substr(start, at_ - start));
    if (digits == ".") return Fail();
    const std::size_t number = Number(std::strtod(digits.c_str(), nullptr));
    SkipBlanks();
    const bool is_mixed =
        is_whole && (BeginsFraction("\\frac") || BeginsFraction("\\dfrac") || BeginsFraction("\\tfrac"));
    if (!is_mixed) return number;
    const std::size_t fraction = Command();
    return Make(Kind::kAdd, number, fraction);
  }

  // A fraction of two whole numbers.
  bool BeginsFraction(std::string_view command) const {
    std::string_view rest = Rest();
    if (!rest.starts_with(command)) return false;
    rest.remove_prefix(command.size());
    for (int part = 0; part < 2; ++part) {
      const bool is_braced = rest.starts_with('{');
      const std::size_t end = is_braced ? rest.find('}') : 1;
      if (end == std::string_view::npos || rest.empty()) return false;
      const std::string_view digits = rest.substr(is_braced ? 1 : 0, is_braced ? end - 1 : 1);
      if (digits.empty() || !std::all_of(digits.begin(), digits.end(), IsAsciiDigit<char>)) return false;
      rest.remove_prefix(is_braced ? end + 1 : 1);
    }
    return true;
  }

  std::string_view TakeWord() {
    const std::size_t start = at_;
    while (at_ < text_.size() && IsAsciiLetter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  static std::optional<Kind> FunctionOf(std::string_view word) {
    static constexpr std::pair<std::string_view, Kind> kFunctions[] = {
        {"arcsin", Kind::kAsin}, {"arccos", Kind::kAcos}, {"arctan", Kind::kAtan}, {"asin", Kind::kAsin},
        {"acos", Kind::kAcos},   {"atan", Kind::kAtan},   {"sinh", Kind::kSinh},   {"cosh", Kind::kCosh},
        {"tanh", Kind::kTanh},   {"sin", Kind::kSin},     {"cos", Kind::kCos},     {"tan", Kind::kTan},
        {"cot", Kind::kCot},     {"sec", Kind::kSec},     {"csc", Kind::kCsc},     {"exp", Kind::kExp},
        {"ln", Kind::kLn},       {"log", Kind::kLog},     {"sqrt", Kind::kRoot}};
    for (const auto& [name, kind] : kFunctions) {
      if (name == word) return kind;
    }
    return {};
  }

  std::size_t Command() {
    ++at_;
    const std::string_view word = TakeWord();
    if (word == "frac" || word == "dfrac" || word == "tfrac" || word == "cfrac") {
      const std::size_t above = Argument();
      const std::size_t below = Argument();
      return Make(Kind::kDivide, above, below);
    }
    if (word == "binom" || word == "dbinom" || word == "tbinom") {
      const std::size_t above = Argument();
      const std::size_t below = Argument();
      return Make(Kind::kBinomial, above, below);
    }
    if (word == "pi") return Number(std::numbers::pi);
    if (const std::optional<Kind> function = FunctionOf(word)) return Function(*function);
    if (word == "operatorname" || word == "mathrm" || word == "text") {
      if (!Take("{")) return Fail();
      const std::string_view name = TakeWord();
      if (!Take("}")) return Fail();
      const std::optional<Kind> function = FunctionOf(name);
      return function ? Function(*function) : name == "e" ? Number(std::numbers::e) : Fail();
    }
    static constexpr std::string_view kGreek[] = {
        "alpha", "beta",     "gamma", "delta",  "epsilon", "varepsilon", "zeta", "eta",
        "theta", "vartheta", "iota",  "kappa",  "lambda",  "mu",         "nu",   "xi",
        "rho",   "sigma",    "tau",   "phi",    "varphi",  "chi",        "psi",  "omega",
        "Gamma", "Delta",    "Theta", "Lambda", "Phi",     "Psi",        "Omega"};
    const bool is_greek = std::find(std::begin(kGreek), std::end(kGreek), word) != std::end(kGreek);
    return is_greek ? Name(word) : Fail();
  }

  // Behind the name of a function: a power ("\sin^2 x"), a base ("\log_2"), and what it is taken of: in
  // brackets, or the product that follows without a sign.
  std::size_t Function(Kind kind) {
    std::size_t power = 0;
    bool has_power = false;
    std::size_t base = 0;
    bool has_base = false;
    if (kind == Kind::kRoot && Take("[")) {
      base = Closed("]");
      has_base = true;
    }
    if (kind == Kind::kLog && Take("_")) {
      base = Argument();
      has_base = true;
    }
    if (kind != Kind::kRoot && Take("^")) {
      power = Argument();
      has_power = true;
    }
    if (kind == Kind::kRoot && !has_base) base = Number(2);
    if (kind == Kind::kLog && !has_base) base = Number(10);
    const std::size_t of = kind == Kind::kRoot ? Argument() : Operand();
    const bool is_binary = kind == Kind::kRoot || kind == Kind::kLog;
    const std::size_t value = is_binary ? Make(kind, base, of) : Make(kind, of);
    return has_power ? Make(Kind::kPower, value, power) : value;
  }

  std::size_t Operand() {
    if (Next() == '(' || Next() == '{' || Next() == '[' || Next() == '|') return Atom();
    if (++depth_ > limits::kMathDepthMax) {
      is_over_limit_ = true;
      return Fail();
    }
    std::size_t operand = Signed();
    while (!has_failed_ && BeginsFactor() && !BeginsFunction() && Next() != '(') {
      const std::size_t right = Powered();
      operand = Make(Kind::kMultiply, operand, right);
    }
    --depth_;
    return operand;
  }

  bool BeginsFunction() {
    SkipBlanks();
    std::string_view rest = Rest();
    if (rest.starts_with('\\')) rest.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest.size() && IsAsciiLetter(rest[end])) ++end;
    return FunctionOf(rest.substr(0, end)).has_value();
  }

  // Letters without a backslash: a function's name, or the names that they are one by one.
  std::size_t Word() {
    SkipBlanks();
    std::size_t end = at_;
    while (end < text_.size() && IsAsciiLetter(text_[end])) ++end;
    if (end == at_) return Fail();
    std::string_view run = text_.substr(at_, end - at_);
    if (const std::optional<Kind> function = FunctionOf(run)) {
      at_ = end;
      return Function(*function);
    }
    if (run == "pi") {
      at_ = end;
      return Number(std::numbers::pi);
    }
    // Words of a language are no products of names.
    constexpr std::size_t kNamesMost = 3;
    if (run.size() > kNamesMost) return Fail();
    ++at_;
    if (run[0] == 'e') return Number(std::numbers::e);
    if (run[0] == 'i') return Number(Complex(0, 1));
    return Name(run.substr(0, 1));
  }

  // A name with its index: "x_1", "x_{12}".
  std::size_t Name(std::string_view name) {
    std::string full(name);
    if (Take("_")) {
      const bool is_braced = Take("{");
      const std::size_t start = at_;
      while (at_ < text_.size() && IsAsciiAlphanumeric(text_[at_]) && (is_braced || at_ == start)) ++at_;
      full += '_' + std::string(text_.substr(start, at_ - start));
      if (at_ == start || (is_braced && !Take("}"))) return Fail();
    }
    std::size_t hash = 14'695'981'039'346'656'037u;
    for (const char c : full) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211u;
    return Keep({.kind = Kind::kName, .name = hash});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool in_bars_ = false;
  bool has_failed_ = false;
  bool is_over_limit_ = false;
  MathExpression made_;
};

Result<MathExpression> MathExpression::Read(std::string_view text) { return MathReader(text).Read(); }

Complex MathExpression::ValueOf(const Node& node, const std::vector<Complex>& values,
                                std::size_t point) const {
  const Complex a = values[node.left];
  const Complex b = values[node.right];
  switch (node.kind) {
    case Kind::kNumber:
      return node.value;
    case Kind::kName: {
      // Between 0.3 and 2.3, another one at each point and for each name.
      const std::size_t mixed = (node.name ^ (point * 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
      return 0.3 + 2.0 * static_cast<double>(mixed >> 11) / 9007199254740992.0;
    }
    case Kind::kAdd:
      return a + b;
    case Kind::kSubtract:
      return a - b;
    case Kind::kMultiply:
      return a * b;
    case Kind::kDivide:
      return b == Complex(0) ? Complex(kNaN) : a / b;
    case Kind::kPower:
      return Power(a, b);
    case Kind::kNegate:
      return -a;
    case Kind::kFactorial:
      return Factorial(a);
    case Kind::kAbsolute:
      return std::abs(a);
    case Kind::kRoot:
      return Root(a, b);
    case Kind::kBinomial:
      return Binomial(a, b);
    case Kind::kLog:
      return std::log(b) / std::log(a);
    case Kind::kSin:
      return std::sin(a);
    case Kind::kCos:
      return std::cos(a);
    case Kind::kTan:
      return std::tan(a);
    case Kind::kCot:
      return Complex(1) / std::tan(a);
    case Kind::kSec:
      return Complex(1) / std::cos(a);
    case Kind::kCsc:
      return Complex(1) / std::sin(a);
    case Kind::kAsin:
      return std::asin(a);
    case Kind::kAcos:
      return std::acos(a);
    case Kind::kAtan:
      return std::atan(a);
    case Kind::kSinh:
      return std::sinh(a);
    case Kind::kCosh:
      return std::cosh(a);
    case Kind::kTanh:
      return std::tanh(a);
    case Kind::kLn:
      return std::log(a);
    case Kind::kExp:
      return std::exp(a);
  }
  return kNaN;
}

Complex MathExpression::At(std::size_t point) const {
  std::vector<Complex> values;
  values.reserve(nodes_.size() + 1);
  values.emplace_back(0);  // what a part without parts looks at
  values.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) values[i] = ValueOf(nodes_[i], values, point);
  return values.back();
}

bool SameExpressions(const MathExpression& a, const MathExpression& b) {
  constexpr std::size_t kLeast = 3;
  std::size_t finite = 0;
  for (std::size_t point = 0; point < MathExpression::kPoints; ++point) {
    const Complex of_a = a.At(point);
    const Complex of_b = b.At(point);
    if (!IsFinite(of_a) || !IsFinite(of_b)) continue;
    if (!IsNear(of_a, of_b)) return false;
    ++finite;
  }
  return finite >= kLeast;
}

bool ProportionalExpressions(const MathExpression& a, const MathExpression& b) {
  constexpr std::size_t kLeast = 3;
  std::size_t finite = 0;
  std::optional<Complex> ratio;
  for (std::size_t point = 0; point < MathExpression::kPoints; ++point) {
    const Complex of_a = a.At(point);
    const Complex of_b = b.At(point);
    if (!IsFinite(of_a) || !IsFinite(of_b)) continue;
    if (of_a == Complex(0) || of_b == Complex(0)) {
      if (of_a != of_b) return false;
      ++finite;
      continue;
    }
    if (ratio && !IsNear(of_a / of_b, *ratio)) return false;
    if (!ratio) ratio = of_a / of_b;
    ++finite;
  }
  return finite >= kLeast && ratio.has_value();
}

}  // namespace assay
