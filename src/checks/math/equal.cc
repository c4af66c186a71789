// Takes away what does not count, splits both sides at their marks, and compares expressions by their values.
#include "checks/math/equal.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/text/ascii.h"
#include "checks/math/expression.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr std::size_t kWorkMax = 20'000;  // pieces of kWorkPiece bytes that are looked at
constexpr std::size_t kWorkPiece = 16;
constexpr std::size_t kPartsDeepMax = 16;

using Parts = std::vector<std::string>;

// The place behind the brace that closes one which was opened before `at`; npos if none does.
std::size_t BehindBrace(std::string_view text, std::size_t at) {
  for (std::size_t depth = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '{') {
      ++depth;
    } else if (text[at] == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

std::string_view Unboxed(std::string_view text) {
  constexpr std::string_view kBox = "\\boxed{";
  const std::size_t at = text.rfind(kBox);
  if (at == std::string_view::npos) return text;
  const std::size_t from = at + kBox.size();
  const std::size_t behind = BehindBrace(text, from);
  return behind == std::string_view::npos ? text : text.substr(from, behind - 1 - from);
}

struct Replaced {
  std::string_view from;
  std::string_view to;
};
// The first that fits counts.
constexpr Replaced kReplaced[] = {
    {"\\$", ""},         {"$", ""},           {"\\left", ""},    {"\\right", ""},
    {"\\!", ""},         {"\\,", " "},        {"\\;", " "},      {"\\:", " "},
    {"\\ ", " "},        {"~", " "},          {"\\quad", " "},   {"\\displaystyle", ""},
    {"^{\\circ}", ""},   {"^\\circ", ""},     {"°", ""},         {"\\%", ""},
    {"%", ""},           {"{,}", ","},        {"\\leq", "\\le"}, {"\\geq", "\\ge"},
    {"≤", "\\le "},      {"≥", "\\ge "},      {"∞", "\\infty"},  {"∪", "\\cup"},
    {"±", "\\pm"},       {"\\lt", "<"},       {"\\gt", ">"},     {"−", "-"},
    {"\\lbrace", "\\{"}, {"\\rbrace", "\\}"}, {"\\cdot", "*"},
};
constexpr std::string_view kTextCommands[] = {"\\text{", "\\textbf{", "\\mbox{", "\\mathrm{", "\\textit{"};

// The content of a text's command: "or" and "and" stay, units go, words alone stay.
std::string KeptWords(std::string_view words, const std::string& before) {
  const std::string_view bare = JsTrim(words);
  if (bare == "or" || bare == "and") return " " + std::string(bare) + " ";
  return JsTrim(before).empty() ? std::string(words) : std::string(" ");
}

std::string WithoutTrimmings(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto* command = std::find_if(std::begin(kTextCommands), std::end(kTextCommands),
                                       [rest](std::string_view each) { return rest.starts_with(each); });
    if (command != std::end(kTextCommands)) {
      const std::size_t from = at + command->size();
      const std::size_t behind = BehindBrace(text, from);
      if (behind != std::string_view::npos) {
        out += KeptWords(text.substr(from, behind - 1 - from), out);
        at = behind;
        continue;
      }
    }
    const auto* row = std::find_if(std::begin(kReplaced), std::end(kReplaced), [rest](const Replaced& each) {
      const bool is_word = each.from.size() > 2 && each.from[0] == '\\';
      return rest.starts_with(each.from) &&
             !(is_word && rest.size() > each.from.size() && IsAsciiLetter(rest[each.from.size()]));
    });
    if (row != std::end(kReplaced)) {
      out += row->to;
      at += row->from.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

// "1,234" without its comma: three digits behind it, and no more.
std::string WithoutGroups(const std::string& text) {
  constexpr std::size_t kGroup = 3;
  std::string out;
  std::size_t digits = 0;  // in a row, before this place
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t behind = at + 1;
    while (behind < text.size() && behind < at + 2 + kGroup && IsAsciiDigit(text[behind])) ++behind;
    const bool parts_groups = text[at] == ',' && digits >= 1 && digits <= kGroup && behind - at - 1 == kGroup;
    if (!parts_groups) out += text[at];
    digits = IsAsciiDigit(text[at]) ? digits + 1 : 0;
  }
  return out;
}

std::string Cleaned(std::string_view text) {
  std::string clean = WithoutGroups(WithoutTrimmings(JsTrim(Unboxed(text))));
  std::string_view bare = JsTrim(clean);
  while (bare.ends_with('.')) bare = JsTrim(bare.substr(0, bare.size() - 1));
  return std::string(bare);
}

std::string Compact(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') out += c;
  }
  return out;
}

// Parts at marks that stand outside of all brackets; `mark_at` says how many bytes part there, 0: none.
template <class MarkAt>
Parts SplitOutside(std::string_view text, const MarkAt& mark_at) {
  Parts parts;
  std::size_t start = 0;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = depth == 0 ? mark_at(text.substr(at)) : 0;
    if (mark > 0) {
      parts.emplace_back(JsTrim(text.substr(start, at - start)));
      at += mark;
      start = at;
      continue;
    }
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    ++at;
  }
  parts.emplace_back(JsTrim(text.substr(start)));
  return parts;
}

std::size_t UnionMark(std::string_view rest) { return rest.starts_with("\\cup") ? 4 : 0; }
std::size_t CommaMark(std::string_view rest) { return rest.front() == ',' || rest.front() == ';' ? 1 : 0; }
std::size_t ListMark(std::string_view rest) {
  if (rest.starts_with(" and ")) return 5;
  if (rest.starts_with(" or ")) return 4;
  return CommaMark(rest);
}
std::size_t EqualsMark(std::string_view rest) { return rest.front() == '=' ? 1 : 0; }
std::size_t RelationMark(std::string_view rest) {
  if (rest.front() == '<' || rest.front() == '>') return 1;
  const bool is_command = rest.starts_with("\\le") || rest.starts_with("\\ge") || rest.starts_with("\\ne");
  return is_command && (rest.size() == 3 || !IsAsciiLetter(rest[3])) ? 3 : 0;
}

std::string Swapped(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t start = 0;
  for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from, start)) {
    out.append(text.substr(start, at - start)).append(to);
    start = at + from.size();
  }
  return out.append(text.substr(start));
}

// The items of a list; "3 \pm 1" are two.
Parts ItemsOfList(std::string_view text) {
  Parts items;
  for (std::string& part : SplitOutside(text, ListMark)) {
    if (part.empty()) continue;
    if (part.find("\\pm") == std::string::npos) {
      items.push_back(std::move(part));
    } else {
      items.push_back(Swapped(part, "\\pm", "+"));
      items.push_back(Swapped(part, "\\pm", "-"));
    }
  }
  return items;
}

// What is between the braces \{ and \}; nothing if the text is no such set.
std::optional<std::string_view> SetContent(std::string_view text) {
  if (!text.starts_with("\\{") || !text.ends_with("\\}") || text.size() < 4) return {};
  return text.substr(2, text.size() - 4);
}

struct Tuple {
  char open = 0;
  char close = 0;
  Parts parts;
};
std::optional<Tuple> TupleOf(std::string_view text) {
  if (text.size() < 2 || (text.front() != '(' && text.front() != '[')) return {};
  if (text.back() != ')' && text.back() != ']') return {};
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') ++depth;
    if (text[at] == ')' || text[at] == ']' || text[at] == '}') {
      if (depth == 0) return {};
      --depth;
    }
    if (depth == 0 && at + 1 < text.size()) return {};
  }
  Tuple tuple{text.front(), text.back(), SplitOutside(text.substr(1, text.size() - 2), CommaMark)};
  if (tuple.parts.size() < 2) return {};
  return tuple;
}

struct Matrix {
  std::string kind;  // "": brackets of any kind around a matrix
  std::vector<Parts> rows;
};
std::optional<Matrix> MatrixOf(std::string_view text) {
  constexpr std::string_view kBegin = "\\begin{";
  constexpr std::string_view kEnd = "\\end{";
  constexpr std::array<std::string_view, 3> kAlike = {"pmatrix", "bmatrix", "matrix"};
  if (!text.starts_with(kBegin)) return {};
  const std::size_t name_end = text.find('}');
  const std::size_t end = text.rfind(kEnd);
  if (name_end == std::string_view::npos || end == std::string_view::npos || end <= name_end) return {};
  const std::string_view name = text.substr(kBegin.size(), name_end - kBegin.size());
  if (text.substr(end + kEnd.size()) != std::string(name) + "}") return {};
  const bool is_alike = std::find(kAlike.begin(), kAlike.end(), name) != kAlike.end();
  Matrix matrix{is_alike ? std::string() : std::string(name), {}};
  const auto row_mark = [](std::string_view rest) -> std::size_t { return rest.starts_with("\\\\") ? 2 : 0; };
  const auto cell_mark = [](std::string_view rest) -> std::size_t { return rest.front() == '&' ? 1 : 0; };
  for (const std::string& row : SplitOutside(text.substr(name_end + 1, end - name_end - 1), row_mark)) {
    if (!row.empty()) matrix.rows.push_back(SplitOutside(row, cell_mark));
  }
  return matrix;
}

// A name alone, or a function of one: what a result is called.
bool IsLabel(std::string_view text) {
  const std::string compact = Compact(text);
  std::string_view rest = compact;
  if (rest.starts_with('\\')) rest.remove_prefix(1);
  const auto letters = static_cast<std::size_t>(
      std::find_if_not(rest.begin(), rest.end(), IsAsciiLetter<char>) - rest.begin());
  if (letters == 0 || (letters > 2 && rest.size() == compact.size())) return false;
  rest.remove_prefix(letters);
  if (rest.starts_with('_')) {
    rest.remove_prefix(1);
    const std::size_t size =
        rest.starts_with('{') ? rest.find('}') + 1 : std::min<std::size_t>(rest.size(), 1);
    rest.remove_prefix(std::min(size, rest.size()));
  }
  if (rest.empty()) return true;
  return rest.size() == 3 && rest[0] == '(' && rest[2] == ')' && IsAsciiLetter(rest[1]);
}

bool IsWords(std::string_view text) {
  return text.size() > 1 &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsAsciiLetter(c) || c == ' '; });
}

// "x \in S" is S.
std::string_view WithoutMember(std::string_view text) {
  constexpr std::string_view kIn = "\\in";
  const std::size_t at = text.find(kIn);
  if (at == std::string_view::npos || at + kIn.size() >= text.size()) return text;
  if (IsAsciiLetter(text[at + kIn.size()]) || !IsLabel(text.substr(0, at))) return text;
  return JsTrim(text.substr(at + kIn.size()));
}

class MathComparison {
 public:
  bool Same(std::string_view a, std::string_view b) {
    if (depth_ >= kPartsDeepMax || !Spend(a.size() + b.size())) return false;
    ++depth_;
    const bool is_same = SameForms(WithoutMember(JsTrim(a)), WithoutMember(JsTrim(b)));
    --depth_;
    return is_same;
  }

 private:
  bool Spend(std::size_t bytes) {
    const std::size_t work = 1 + bytes / kWorkPiece;
    if (work > left_) return false;
    left_ -= work;
    return true;
  }

  bool SameForms(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return a == b;
    if (Compact(a) == Compact(b)) return true;
    if (IsWords(a) && IsWords(b) && AsciiLower(a) == AsciiLower(b)) return true;
    const std::optional<Matrix> matrix_a = MatrixOf(a);
    const std::optional<Matrix> matrix_b = MatrixOf(b);
    if (matrix_a || matrix_b) return matrix_a && matrix_b && SameMatrices(*matrix_a, *matrix_b);
    const Parts unions_a = SplitOutside(a, UnionMark);
    const Parts unions_b = SplitOutside(b, UnionMark);
    if (unions_a.size() > 1 || unions_b.size() > 1) return SameInAnyOrder(unions_a, unions_b);
    const std::optional<Tuple> tuple_a = TupleOf(a);
    const std::optional<Tuple> tuple_b = TupleOf(b);
    if (tuple_a || tuple_b) return tuple_a && tuple_b && SameTuples(*tuple_a, *tuple_b);
    const std::optional<std::string_view> set_a = SetContent(a);
    const std::optional<std::string_view> set_b = SetContent(b);
    const Parts items_a = ItemsOfList(set_a.value_or(a));
    const Parts items_b = ItemsOfList(set_b.value_or(b));
    if (set_a || set_b || items_a.size() > 1 || items_b.size() > 1) return SameInAnyOrder(items_a, items_b);
    return SameRelations(a, b);
  }

  bool SameInOrder(const Parts& a, const Parts& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [this](const std::string& x, const std::string& y) { return Same(x, y); });
  }

  bool SameInAnyOrder(const Parts& a, const Parts& b) {
    if (a.size() != b.size()) return false;
    std::vector<char> is_taken(b.size(), 0);
    for (const std::string& item : a) {
      std::size_t at = 0;
      while (at < b.size() && (is_taken[at] != 0 || !Same(item, b[at]))) ++at;
      if (at == b.size()) return false;
      is_taken[at] = 1;
    }
    return true;
  }

  bool SameMatrices(const Matrix& a, const Matrix& b) {
    return a.kind == b.kind && a.rows.size() == b.rows.size() &&
           std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(),
                      [this](const Parts& x, const Parts& y) { return SameInOrder(x, y); });
  }

  bool SameTuples(const Tuple& a, const Tuple& b) {
    return a.open == b.open && a.close == b.close && SameInOrder(a.parts, b.parts);
  }

  bool SameRelations(std::string_view a, std::string_view b) {
    const Parts chain_a = SplitOutside(a, RelationMark);
    const Parts chain_b = SplitOutside(b, RelationMark);
    if (chain_a.size() > 1 || chain_b.size() > 1) return SameChains(a, b, chain_a, chain_b);
    const Parts sides_a = SplitOutside(a, EqualsMark);
    const Parts sides_b = SplitOutside(b, EqualsMark);
    if (sides_a.size() == 2 && sides_b.size() == 2) return SameEquations(sides_a, sides_b);
    if (sides_a.size() == 2 && sides_b.size() == 1) return IsLabel(sides_a[0]) && Same(sides_a[1], b);
    if (sides_a.size() == 1 && sides_b.size() == 2) return IsLabel(sides_b[0]) && Same(a, sides_b[1]);
    return sides_a.size() == 1 && sides_b.size() == 1 && SameValues(a, b);
  }

  // The signs of a chain of relations, each as one letter.
  static std::string SignsOf(std::string_view text) {
    std::string signs;
    SplitOutside(text, [&signs](std::string_view rest) {
      const std::size_t size = RelationMark(rest);
      if (size == 1) signs += rest[0];
      if (size == 3) signs += rest[1] == 'l' ? 'l' : rest[1] == 'g' ? 'g' : 'n';
      return size;
    });
    return signs;
  }
  static std::string Turned(std::string signs) {
    std::reverse(signs.begin(), signs.end());
    for (char& sign : signs)
      sign = sign == '<' ? '>' : sign == '>' ? '<' : sign == 'l' ? 'g' : sign == 'g' ? 'l' : sign;
    return signs;
  }

  bool SameChains(std::string_view a, std::string_view b, const Parts& sides_a, Parts sides_b) {
    const std::string signs_a = SignsOf(a);
    const std::string signs_b = SignsOf(b);
    if (signs_a == signs_b && SameInOrder(sides_a, sides_b)) return true;
    std::reverse(sides_b.begin(), sides_b.end());
    return signs_a == Turned(signs_b) && SameInOrder(sides_a, sides_b);
  }

  bool SameEquations(const Parts& a, const Parts& b) {
    if (SameInOrder(a, b)) return true;
    const auto difference = [](const Parts& sides) {
      return MathExpression::Read("(" + sides[0] + ")-(" + sides[1] + ")");
    };
    const Result<MathExpression> of_a = difference(a);
    const Result<MathExpression> of_b = difference(b);
    return of_a && of_b && ProportionalExpressions(*of_a, *of_b);
  }

  bool SameValues(std::string_view a, std::string_view b) {
    const Result<MathExpression> of_a = MathExpression::Read(a);
    const Result<MathExpression> of_b = MathExpression::Read(b);
    return of_a && of_b && SameExpressions(*of_a, *of_b);
  }

  std::size_t left_ = kWorkMax;
  std::size_t depth_ = 0;
};

}  // namespace

bool SameMathematics(std::string_view answer, std::string_view wanted) {
  answer = JsTrim(Unboxed(answer));
  wanted = JsTrim(Unboxed(wanted));
  if (answer.size() > limits::kMathBytesMax || wanted.size() > limits::kMathBytesMax) return answer == wanted;
  return MathComparison().Same(Cleaned(answer), Cleaned(wanted));
}

}  // namespace assay
