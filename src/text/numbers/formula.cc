// Reads formulas by descent, bounded in depth and length, and works them out on a stack.
#include "text/numbers/formula.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"

namespace assay {

namespace {

struct FormulaFunction {
  std::string_view name;
  std::size_t arguments;
  double (*of)(double a, double b);  // b: meaningless of one argument
};
constexpr FormulaFunction kFunctions[] = {
    {"abs", 1, [](double a, double) { return std::abs(a); }},
    {"ceil", 1, [](double a, double) { return std::ceil(a); }},
    {"exp", 1, [](double a, double) { return std::exp(a); }},
    {"floor", 1, [](double a, double) { return std::floor(a); }},
    {"log", 1, [](double a, double) { return std::log(a); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"pow", 2, [](double a, double b) { return std::pow(a, b); }},
    {"round", 1, [](double a, double) { return std::round(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
};

}  // namespace

class FormulaReader {
 public:
  FormulaReader(std::string_view text, std::span<const std::string> names) : text_(text), names_(names) {}

  Result<Formula> Read() {
    constexpr std::size_t kBytesMax = 4u << 10;
    if (text_.size() > kBytesMax) return Bad("a formula of at most 4 KiB");
    ASSAY_CHECK_OK(Sum(0));
    if (Next() != '\0') return Bad("an operator");
    return std::move(formula_);
  }

 private:
  using Kind = Formula::Step::Kind;
  static constexpr int kDepthMax = 64;

  Error Bad(std::string_view expected) const {
    const std::string found = at_ < text_.size() ? Quoted(text_.substr(at_, 20)) : std::string("the end");
    return Error{ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, found)};
  }

  char Next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void Add(Kind kind) { formula_.steps_.push_back({.kind = kind}); }

  Status Sum(int depth) {
    ASSAY_CHECK_OK(Product(depth));
    for (char mark = Next(); mark == '+' || mark == '-'; mark = Next()) {
      ++at_;
      ASSAY_CHECK_OK(Product(depth));
      Add(mark == '+' ? Kind::kAdd : Kind::kSubtract);
    }
    return Ok();
  }

  Status Product(int depth) {
    ASSAY_CHECK_OK(Signed(depth));
    for (char mark = Next(); mark == '*' || mark == '/'; mark = Next()) {
      ++at_;
      ASSAY_CHECK_OK(Signed(depth));
      Add(mark == '*' ? Kind::kMultiply : Kind::kDivide);
    }
    return Ok();
  }

  // A minus binds less than a power does: -2^2 is -4.
  Status Signed(int depth) {
    if (depth > kDepthMax) return Bad("fewer brackets");
    if (Next() != '-') return Power(depth);
    ++at_;
    ASSAY_CHECK_OK(Signed(depth + 1));
    Add(Kind::kNegate);
    return Ok();
  }

  Status Power(int depth) {
    ASSAY_CHECK_OK(Factor(depth));
    if (Next() != '^') return Ok();
    ++at_;
    ASSAY_CHECK_OK(Signed(depth + 1));
    Add(Kind::kPower);
    return Ok();
  }

  // False if no function is called here.
  Result<bool> Call(int depth) {
    for (std::size_t i = 0; i < std::size(kFunctions); ++i) {
      const FormulaFunction& function = kFunctions[i];
      const std::string_view rest = text_.substr(at_);
      if (!rest.starts_with(function.name) || rest.size() == function.name.size() ||
          rest[function.name.size()] != '(')
        continue;
      at_ += function.name.size() + 1;
      for (std::size_t argument = 0; argument < function.arguments; ++argument) {
        if (argument > 0 && Next() != ',') return Bad("a comma");
        if (argument > 0) ++at_;
        ASSAY_CHECK_OK(Sum(depth + 1));
      }
      if (Next() != ')') return Bad("a closing bracket");
      ++at_;
      formula_.steps_.push_back({.kind = Kind::kCall, .name = i});
      return true;
    }
    return false;
  }

  Status Factor(int depth) {
    if (depth > kDepthMax) return Bad("fewer brackets");
    const char mark = Next();
    ASSAY_TRY(const bool is_call, Call(depth));
    if (is_call) return Ok();
    if (mark == '(') {
      ++at_;
      ASSAY_CHECK_OK(Sum(depth + 1));
      if (Next() != ')') return Bad("a closing bracket");
      ++at_;
      return Ok();
    }
    return IsAsciiDigit(mark) || mark == '.' ? Number() : Name();
  }

  Status Number() {
    double number = 0;
    const char* const end = text_.data() + text_.size();
    const auto [behind, error] = std::from_chars(text_.data() + at_, end, number);
    if (error != std::errc()) return Bad("a number");
    at_ = static_cast<std::size_t>(behind - text_.data());
    formula_.steps_.push_back({.kind = Kind::kNumber, .number = number});
    return Ok();
  }

  // Names may have marks of operators in them: the longest one that stands here counts.
  Status Name() {
    std::size_t best = names_.size();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const bool is_here = !names_[i].empty() && text_.substr(at_).starts_with(names_[i]);
      if (is_here && (best == names_.size() || names_[i].size() > names_[best].size())) best = i;
    }
    const std::size_t end = best == names_.size() ? at_ : at_ + names_[best].size();
    const bool goes_on = end < text_.size() && (IsAsciiAlphanumeric(text_[end]) || text_[end] == '_');
    if (best == names_.size() || goes_on) return Bad("a number or a name");
    at_ = end;
    formula_.steps_.push_back({.kind = Kind::kName, .name = best});
    return Ok();
  }

  std::string_view text_;
  std::span<const std::string> names_;
  std::size_t at_ = 0;
  Formula formula_;
};

Result<Formula> Formula::Read(std::string_view text, std::span<const std::string> names) {
  return FormulaReader(text, names).Read();
}

double Formula::Of(std::span<const double> values) const {
  std::vector<double> stack;
  const auto combine = [&stack](const auto& with) {
    const double right = stack.back();
    stack.pop_back();
    stack.back() = with(stack.back(), right);
  };
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::kNumber:
        stack.push_back(step.number);
        break;
      case Step::Kind::kName:
        stack.push_back(values[step.name]);
        break;
      case Step::Kind::kAdd:
        combine([](double a, double b) { return a + b; });
        break;
      case Step::Kind::kSubtract:
        combine([](double a, double b) { return a - b; });
        break;
      case Step::Kind::kMultiply:
        combine([](double a, double b) { return a * b; });
        break;
      case Step::Kind::kDivide:
        combine([](double a, double b) { return a / b; });
        break;
      case Step::Kind::kPower:
        combine([](double a, double b) { return std::pow(a, b); });
        break;
      case Step::Kind::kNegate:
        stack.back() = -stack.back();
        break;
      case Step::Kind::kCall:
        if (kFunctions[step.name].arguments == 2) {
          combine(kFunctions[step.name].of);
        } else {
          stack.back() = kFunctions[step.name].of(stack.back(), 0);
        }
        break;
    }
  }
  return stack.back();
}

}  // namespace assay
