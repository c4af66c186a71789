// A recursive-descent parser of Python's pattern grammar that writes PCRE2 syntax as it reads.
#include "text/python/pattern.h"

#include <fmt/core.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/limits.h"
#include "text/python/char_class.h"
#include "text/python/large_repeats.h"
#include "text/python/pattern_source.h"
#include "text/python/repr.h"

namespace assay {

namespace {

constexpr std::size_t kNestingMax = 300;  // what a stack of 8 MB holds, under sanitizers too
constexpr std::uint64_t kGroupNumberMax = 65'535;
constexpr std::uint64_t kPythonCountMax = 4'294'967'295;
constexpr std::uint64_t kUnbounded = RepeatCount::kUnbounded;

// How many code points something matches, as Python computes it: bounds saturate at kUnbounded.
struct Width {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

std::uint64_t Plus(std::uint64_t a, std::uint64_t b) { return a > kUnbounded - b ? kUnbounded : a + b; }
std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kUnbounded / a ? kUnbounded : a * b;
}
Width Plus(Width a, Width b) { return {Plus(a.least, b.least), Plus(a.most, b.most)}; }

// The letters of inline flags.
enum Flag : unsigned {
  kIgnoreCase = 1,
  kLocale = 2,
  kMultiline = 4,
  kDotAll = 8,
  kVerbose = 16,
  kAscii = 32,
  kUnicode = 64,
};
constexpr unsigned kTypeFlags = kLocale | kAscii | kUnicode;

unsigned FlagOf(PythonPatternToken token) {
  if (token.is_escaped) return 0;
  switch (token.c) {
    case 'i':
      return kIgnoreCase;
    case 'L':
      return kLocale;
    case 'm':
      return kMultiline;
    case 's':
      return kDotAll;
    case 'x':
      return kVerbose;
    case 'a':
      return kAscii;
    case 'u':
      return kUnicode;
    default:
      return 0;
  }
}

bool IsOctal(char32_t c) { return c >= '0' && c <= '7'; }
bool IsBlank(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int HexValue(char32_t c) {
  if (IsAsciiDigit(c)) return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<int>(c - 'A') + 10;
  return -1;
}

std::optional<PythonCategory> CategoryOf(char32_t letter) {
  switch (letter) {
    case 'd':
      return PythonCategory::kDigit;
    case 'D':
      return PythonCategory::kNotDigit;
    case 's':
      return PythonCategory::kSpace;
    case 'S':
      return PythonCategory::kNotSpace;
    case 'w':
      return PythonCategory::kWord;
    case 'W':
      return PythonCategory::kNotWord;
    default:
      return std::nullopt;
  }
}

// \n and its kin; nothing for other letters.
std::optional<char32_t> ControlOf(char32_t letter) {
  switch (letter) {
    case 'a':
      return U'\a';
    case 'f':
      return U'\f';
    case 'n':
      return U'\n';
    case 'r':
      return U'\r';
    case 't':
      return U'\t';
    case 'v':
      return U'\v';
    case '\\':
      return U'\\';
    default:
      return std::nullopt;
  }
}

// One item of a class: a code point or a category.
struct ClassItem {
  std::optional<PythonCategory> category;
  char32_t c = 0;
};

class Translator : private PythonPatternSource {
 public:
  Translator(std::string_view pattern, std::size_t copied_bytes_max)
      : PythonPatternSource(pattern), repeats_(copied_bytes_max) {}

  Result<std::string> Run() {
    ASSAY_TRY([[maybe_unused]] const Width width, Alternatives(0));
    if (EndsInBackslash()) return Refuse({});
    if ((global_flags_ & kAscii) != 0 && (global_flags_ & kUnicode) != 0) {
      return NotAPattern("ASCII and UNICODE flags are incompatible");
    }
    if (!AtEnd()) return Refuse("unbalanced parenthesis");
    for (const auto& [group, position] : conditions_) {
      if (group >= group_widths_.size()) {
        return RefuseAt(fmt::format("invalid group reference {}", group), position);
      }
    }
    // Found out by Python's compiler, after its parser is done.
    if (has_loose_lookbehind_) return NotAPattern("look-behind requires fixed-width pattern");
    // What stands anywhere behind some place stands behind the start: one look is enough.
    const bool looks_ahead_alone = has_far_look_ && !has_other_;
    return (looks_ahead_alone ? "\\A" : "") + out_ + repeats_.Definitions();
  }

 private:
  // What the item before a quantifier is.
  enum class Item { kNone, kPosition, kRepeated, kOther };

  // The items of one alternative, of which the last one may still be repeated.
  struct Sequence {
    Width before_last;
    Item last = Item::kNone;
    std::size_t last_start = 0;       // in out_
    std::size_t last_groups = 0;      // how many groups there were before it
    std::size_t last_references = 0;  // and references to groups
    Width last_width;

    Width width() const { return Plus(before_last, last_width); }
  };

  using Count = RepeatCount;

  PythonCase LetterCase() const {
    if ((flags_ & kIgnoreCase) == 0) return PythonCase::kExact;
    return (flags_ & kAscii) != 0 ? PythonCase::kAscii : PythonCase::kUnicode;
  }
  PythonAlphabet Alphabet() const {
    return (flags_ & kAscii) != 0 ? PythonAlphabet::kAscii : PythonAlphabet::kUnicode;
  }

  // ---- alternatives and sequences
  // -------------------------------------------------------------------------------

  static Status CheckDepth(std::size_t depth) {
    if (depth <= kNestingMax) return Ok();
    return Error{ErrorCode::kLimit,
                 fmt::format("the regular expression nests more than {} groups", kNestingMax)};
  }

  Result<Width> Alternatives(std::size_t depth) {
    ASSAY_CHECK_OK(CheckDepth(depth));
    ASSAY_TRY(Width width, Items(depth, depth == 0));
    bool has_branches = false;
    while (Accept('|')) {
      has_branches = true;
      out_ += '|';
      ASSAY_TRY(const Width other, Items(depth, false));
      width = {std::min(width.least, other.least), std::max(width.most, other.most)};
    }
    had_branches_ = has_branches;
    has_other_ = has_other_ || (depth == 0 && has_branches);
    return width;
  }

  // `is_first`: flags for the whole pattern may stand here.
  Result<Width> Items(std::size_t depth, bool is_first) {
    Sequence sequence;
    while (!AtEnd() && !Peek().Is('|') && !Peek().Is(')')) {
      if ((flags_ & kVerbose) != 0 && SkipVerbose()) continue;
      if (IsQuantifier(Peek())) {
        ASSAY_CHECK_OK(Quantify(sequence));
        has_other_ = has_other_ || depth == 0;
        continue;
      }
      const bool may_be_global = is_first && sequence.last == Item::kNone;
      Sequence next{.before_last = sequence.width(),
                    .last = Item::kOther,
                    .last_start = out_.size(),
                    .last_groups = group_widths_.size(),
                    .last_references = references_.size(),
                    .last_width = {}};
      ASSAY_TRY(const std::optional<Width> width, OneItem(depth, may_be_global, next.last));
      const bool is_far_look = std::exchange(is_far_look_, false);
      if (!width) continue;
      if (depth == 0) (is_far_look ? has_far_look_ : has_other_) = true;
      next.last_width = *width;
      sequence = next;
    }
    return sequence.width();
  }

  bool SkipVerbose() {
    const Token token = Peek();
    if (token.is_escaped) return false;
    if (IsBlank(token.c)) {
      Take();
      return true;
    }
    if (token.c != '#') return false;
    while (!AtEnd() && !Take().Is('\n')) {
    }
    return true;
  }

  // Nothing for what leaves no item behind: comments and flags.
  Result<std::optional<Width>> OneItem(std::size_t depth, bool may_be_global, Item& item) {
    const Token token = Take();
    if (token.is_escaped) return Escape(token.c, item);
    switch (token.c) {
      case '[':
        return Class();
      case '.':
        out_ += (flags_ & kDotAll) != 0 ? "." : "\\N";
        return One();
      case '^':
        item = Item::kPosition;
        out_ += (flags_ & kMultiline) != 0 ? "^" : "\\A";
        return Nothing();
      case '$':
        item = Item::kPosition;
        out_ += (flags_ & kMultiline) != 0 ? "$" : "\\Z";
        return Nothing();
      case '(':
        return Group(depth, may_be_global);
      default:
        return Literal(token.c);
    }
  }

  static std::optional<Width> One() { return Width{1, 1}; }
  static std::optional<Width> Nothing() { return Width{0, 0}; }
  std::optional<Width> Literal(char32_t c) {
    out_ += PcreLiteral(c, LetterCase());
    return One();
  }

  // ---- quantifiers
  // ----------------------------------------------------------------------------------------------

  static bool IsQuantifier(Token token) {
    return token.Is('*') || token.Is('+') || token.Is('?') || token.Is('{');
  }

  // {n}, {n,}, {,m}, {n,m}; nothing if the brace is a literal one, which is then taken alone.
  Result<std::optional<Count>> Braces() {
    const std::size_t here = index();
    std::u32string least;
    std::u32string most;
    while (!Peek().is_escaped && IsAsciiDigit(Peek().c)) least += Take().c;
    if (Accept(',')) {
      while (!Peek().is_escaped && IsAsciiDigit(Peek().c)) most += Take().c;
    } else {
      most = least;
    }
    if (index() == here || !Accept('}')) {
      GoBack(here);
      return std::optional<Count>();
    }
    Count count;
    ASSAY_TRY(count.least, CountOf(least, 0));
    ASSAY_TRY(count.most, CountOf(most, kUnbounded));
    if (count.most < count.least) {
      return Refuse("min repeat greater than max repeat", Position() - StartOf(here));
    }
    return std::optional<Count>(count);
  }

  static Result<std::uint64_t> CountOf(std::u32string_view digits, std::uint64_t otherwise) {
    if (digits.empty()) return otherwise;
    std::uint64_t count = 0;
    for (const char32_t digit : digits) count = Plus(Times(count, 10), digit - '0');
    if (count >= kPythonCountMax) return NotAPattern("the repetition number is too large");
    return count;
  }

  Status Quantify(Sequence& sequence) {
    const std::size_t here = Position();
    const Token token = Take();
    Count count;
    if (token.c == '{') {
      ASSAY_TRY(const std::optional<Count> braces, Braces());
      if (!braces) {
        sequence = {.before_last = sequence.width(),
                    .last = Item::kOther,
                    .last_start = out_.size(),
                    .last_groups = group_widths_.size(),
                    .last_references = references_.size(),
                    .last_width = *One()};
        out_ += PcreLiteral('{', PythonCase::kExact);
        return Ok();
      }
      count = *braces;
    } else {
      count = {.least = token.c == '+' ? 1u : 0u, .most = token.c == '?' ? 1u : kUnbounded};
    }
    if (sequence.last == Item::kNone || sequence.last == Item::kPosition) {
      return Refuse("nothing to repeat", Position() - here);
    }
    if (sequence.last == Item::kRepeated) return Refuse("multiple repeat", Position() - here);
    std::string_view manner;
    if (Accept('?')) {
      manner = "?";
    } else if (Accept('+')) {
      manner = "+";
    }
    return Repeat(count, manner, sequence);
  }

  Status Repeat(Count count, std::string_view manner, Sequence& sequence) {
    const std::string item = out_.substr(sequence.last_start);
    if (repeats_.AreNeeded(item, count)) {
      const bool has_groups = sequence.last_groups != group_widths_.size();
      const bool refers_to_itself =
          std::any_of(references_.begin() + static_cast<std::ptrdiff_t>(sequence.last_references),
                      references_.end(), [&](std::size_t group) { return group >= sequence.last_groups; });
      if (refers_to_itself) {
        return Error{ErrorCode::kLimit,
                     fmt::format("the regular expression repeats a group that refers to itself {} times; "
                                 "write it with fewer",
                                 count.least)};
      }
      out_.resize(sequence.last_start);
      out_ += repeats_.Write(item, count, manner, has_groups);
    } else {
      out_ += Braced(count);
      out_ += manner;
    }
    sequence.last_width = {Times(sequence.last_width.least, count.least),
                           Times(sequence.last_width.most, count.most)};
    sequence.last = Item::kRepeated;
    return Ok();
  }

  // ---- escapes
  // --------------------------------------------------------------------------------------------------

  // \A, \b, \d, \x41, \1 and their kin, outside of classes.
  Result<std::optional<Width>> Escape(char32_t letter, Item& item) {
    if (const auto category = CategoryOf(letter)) {
      PythonCharClass set;
      set.Add(*category, Alphabet());
      out_ += set.Pcre(LetterCase());
      return One();
    }
    if (const std::string position = PositionOf(letter); !position.empty()) {
      item = Item::kPosition;
      out_ += position;
      return Nothing();
    }
    if (const auto control = ControlOf(letter)) return Literal(*control);
    if (letter == '0') return Literal(Octal(0, 2));
    if (IsAsciiDigit(letter)) return OctalOrGroup(letter);
    ASSAY_TRY(const char32_t c, CodePoint(letter));
    return Literal(c);
  }

  // Spelled out by Python's idea of a word; \B matches nowhere in an empty text.
  std::string PositionOf(char32_t letter) const {
    if (letter == 'A') return "\\A";
    if (letter == 'Z') return "\\z";
    if (letter != 'b' && letter != 'B') return {};
    PythonCharClass set;
    set.Add(PythonCategory::kWord, Alphabet());
    const std::string word = set.Pcre(PythonCase::kExact);
    if (letter == 'b') return fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", word);
    return fmt::format("(?:(?!\\A\\z)(?:(?<={0})(?={0})|(?<!{0})(?!{0})))", word);
  }

  // Up to `digits_max` more octal digits behind `value`.
  char32_t Octal(char32_t value, int digits_max) {
    for (int i = 0; i < digits_max && !Peek().is_escaped && IsOctal(Peek().c); ++i)
      value = value * 8 + (Take().c - '0');
    return value;
  }

  Result<std::optional<Width>> OctalOrGroup(char32_t first) {
    std::size_t group = first - '0';
    if (!Peek().is_escaped && IsAsciiDigit(Peek().c)) {
      const char32_t second = Take().c;
      group = group * 10 + (second - '0');
      if (IsOctal(first) && IsOctal(second) && !Peek().is_escaped && IsOctal(Peek().c)) {
        ASSAY_TRY(const char32_t c, SmallOctal((first - '0') * 8 + (second - '0'), 1));
        return Literal(c);
      }
    }
    const std::size_t digits = group > 9 ? 2 : 1;
    if (group >= group_widths_.size())
      return Refuse(fmt::format("invalid group reference {}", group), digits);
    return Reference(group, digits + 1);
  }

  // Up to `digits_max` more octal digits behind `value`, which stand behind a backslash and so far one digit.
  Result<char32_t> SmallOctal(char32_t value, int digits_max) {
    const std::size_t start = EscapeStart();
    const char32_t c = Octal(value, digits_max);
    if (c <= 0377) return c;
    return Refuse(fmt::format("octal escape value {} outside of range 0-0o377", Written(start)),
                  Position() - StartOf(start));
  }

  // `back`: how many code points of the pattern name the group.
  Result<std::optional<Width>> Reference(std::size_t group, std::size_t back) {
    if (!group_widths_[group]) return Refuse("cannot refer to an open group", back);
    ASSAY_CHECK_OK(AllowInLookbehind(group));
    references_.push_back(group);
    const std::string reference = fmt::format("\\g{{{}}}", group);
    out_ += (flags_ & kIgnoreCase) != 0 ? "(?i:" + reference + ")" : reference;
    return std::optional<Width>(*group_widths_[group]);
  }

  Status AllowInLookbehind(std::size_t group) const {
    if (!lookbehind_groups_) return Ok();
    if (group >= group_widths_.size() || !group_widths_[group])
      return Refuse("cannot refer to an open group");
    if (group >= *lookbehind_groups_)
      return Refuse("cannot refer to group defined in the same lookbehind subpattern");
    return Ok();
  }

  // What \x41, \u0041, \U00000041, \N{NAME} and an escaped character that is no letter stand for.
  Result<char32_t> CodePoint(char32_t letter) {
    switch (letter) {
      case 'x':
        return Hex(2);
      case 'u':
        return Hex(4);
      case 'U':
        return Hex(8);
      case 'N':
        return Named();
      default:
        break;
    }
    if (IsAsciiLetter(letter) || IsAsciiDigit(letter)) {
      return Refuse(fmt::format("bad escape \\{}", static_cast<char>(letter)), 2);
    }
    return letter;
  }

  Result<char32_t> Hex(int digits) {
    const std::size_t start = index() - 1;
    char32_t value = 0;
    for (int i = 0; i < digits; ++i) {
      const int digit = Peek().is_escaped ? -1 : HexValue(Peek().c);
      if (digit < 0) {
        return Refuse(fmt::format("incomplete escape {}", Written(start)), Position() - StartOf(start));
      }
      value = value * 16 + static_cast<char32_t>(digit);
      Take();
    }
    if (value < PythonPatternToken::kEnd) return value;
    return Refuse(fmt::format("bad escape {}", Written(start)), Position() - StartOf(start));
  }

  Result<char32_t> Named() {
    if (!Accept('{')) return Refuse("missing {");
    ASSAY_TRY(const std::u32string wide, Until('}', "character name"));
    const std::string name = Utf8Of(wide);
    for (const UCharNameChoice choice : {U_UNICODE_CHAR_NAME, U_CHAR_NAME_ALIAS}) {
      UErrorCode status = U_ZERO_ERROR;
      const UChar32 c = u_charFromName(choice, name.c_str(), &status);
      if (U_SUCCESS(status) && c >= 0) return static_cast<char32_t>(c);
    }
    constexpr std::size_t kAround = 4;  // \N{}
    return Refuse("undefined character name " + PythonReprText(name), wide.size() + kAround);
  }

  // ---- classes
  // --------------------------------------------------------------------------------------------------

  Result<std::optional<Width>> Class() {
    const std::size_t here = StartOf(index() - 1);
    PythonCharClass set;
    if (Accept('^')) set.Negate();
    for (bool is_empty = true; is_empty || !Peek().Is(']'); is_empty = false) {
      if (AtEnd()) return Refuse("unterminated character set", Position() - here);
      const std::size_t first_at = index();
      ASSAY_TRY(const ClassItem first, OneClassItem());
      if (Peek().Is('-') && index() + 1 >= token_count()) {
        Take();
        return Refuse("unterminated character set", Position() - here);
      }
      if (Peek().Is('-') && !TokenAt(index() + 1).Is(']')) {
        Take();
        const std::size_t last_at = index();
        ASSAY_TRY(const ClassItem last, OneClassItem());
        if (first.category || last.category || last.c < first.c)
          return BadRange(TokenAt(first_at), TokenAt(last_at));
        set.AddRange(first.c, last.c);
      } else if (first.category) {
        set.Add(*first.category, Alphabet());
      } else {
        set.Add(first.c);
      }
    }
    Take();
    out_ += set.Pcre(LetterCase());
    return One();
  }

  Result<ClassItem> OneClassItem() {
    const Token token = Take();
    if (!token.is_escaped) return ClassItem{.category = {}, .c = token.c};
    if (token.c == 'b') return ClassItem{.category = {}, .c = U'\b'};
    if (const auto control = ControlOf(token.c)) return ClassItem{.category = {}, .c = *control};
    if (const auto category = CategoryOf(token.c)) return ClassItem{.category = category};
    if (IsOctal(token.c)) {
      ASSAY_TRY(const char32_t c, SmallOctal(token.c - '0', 2));
      return ClassItem{.category = {}, .c = c};
    }
    ASSAY_TRY(const char32_t c, CodePoint(token.c));
    return ClassItem{.category = {}, .c = c};
  }

  // ---- groups
  // ---------------------------------------------------------------------------------------------------

  Result<std::optional<Width>> Group(std::size_t depth, bool may_be_global) {
    const std::size_t start = StartOf(index() - 1);  // of the parenthesis
    if (!Accept('?')) return Capture(depth, {}, start);
    if (AtEnd()) return Refuse("unexpected end of pattern");
    const Token token = Take();
    if (token.is_escaped) return UnknownExtension("", token);
    switch (token.c) {
      case 'P':
        return NamedGroup(depth, start);
      case ':':
        return Enclosed("(?:", depth, start);
      case '>':
        return Enclosed("(?>", depth, start);
      case '#':
        return Comment(start);
      case '=':
      case '!':
        return Lookaround(token.c == '=' ? "(?=" : "(?!", depth, start);
      case '<':
        return Lookbehind(depth, start);
      case '(':
        return Conditional(depth, start);
      default:
        break;
    }
    if (FlagOf(token) == 0 && token.c != '-') return UnknownExtension("", token);
    return Flags(token, depth, may_be_global, start);
  }

  // What stands up to the closing parenthesis, between `opening` and ")".
  Result<std::optional<Width>> Enclosed(std::string_view opening, std::size_t depth, std::size_t start) {
    out_ += opening;
    ASSAY_TRY(const Width width, Alternatives(depth + 1));
    if (!Accept(')')) return Refuse("missing ), unterminated subpattern", Position() - start);
    out_ += ')';
    return std::optional<Width>(width);
  }

  Result<std::optional<Width>> Capture(std::size_t depth, const std::u32string& name, std::size_t start) {
    const std::size_t group = group_widths_.size();
    group_widths_.emplace_back();
    if (!name.empty()) {
      const auto [known, is_new] = group_names_.emplace(name, group);
      if (!is_new) {
        return Refuse(fmt::format("redefinition of group name {} as group {}; was group {}",
                                  PythonReprOf(name), group, known->second),
                      name.size() + 1);
      }
    }
    ASSAY_TRY(const std::optional<Width> width, Enclosed("(", depth, start));
    group_widths_[group] = width;
    return width;
  }

  Result<std::optional<Width>> NamedGroup(std::size_t depth, std::size_t start) {
    if (Accept('<')) {
      ASSAY_TRY(const std::u32string name, Until('>', "group name"));
      ASSAY_CHECK_OK(CheckGroupName(name));
      return Capture(depth, name, start);
    }
    if (!Accept('=')) {
      if (AtEnd()) return Refuse("unexpected end of pattern");
      return UnknownExtension("P", Take());
    }
    ASSAY_TRY(const std::u32string name, Until(')', "group name"));
    ASSAY_CHECK_OK(CheckGroupName(name));
    ASSAY_TRY(const std::size_t group, GroupNamed(name));
    return Reference(group, name.size() + 1);
  }

  Result<std::size_t> GroupNamed(const std::u32string& name) const {
    const auto found = group_names_.find(name);
    if (found == group_names_.end())
      return Refuse(fmt::format("unknown group name {}", PythonReprOf(name)), name.size() + 1);
    return found->second;
  }

  Result<std::optional<Width>> Comment(std::size_t start) {
    while (!AtEnd()) {
      if (Take().Is(')')) return std::optional<Width>();
    }
    return Refuse("missing ), unterminated comment", Position() - start);
  }

  Result<std::optional<Width>> Lookaround(std::string_view opening, std::size_t depth, std::size_t start) {
    const std::size_t begin = out_.size();
    ASSAY_CHECK_OK(Enclosed(opening, depth, start));
    constexpr std::string_view kFar = "(?=.{0,}";  // (?=.* as it is written here
    const std::string_view written = std::string_view(out_).substr(begin);
    is_far_look_ = written.starts_with(kFar) && !had_branches_ && written[kFar.size()] != '+';
    return Nothing();
  }

  Result<std::optional<Width>> Lookbehind(std::size_t depth, std::size_t start) {
    if (AtEnd()) return Refuse("unexpected end of pattern");
    const Token token = Take();
    if (!token.Is('=') && !token.Is('!')) return UnknownExtension("<", token);
    const std::optional<std::size_t> outer = lookbehind_groups_;
    if (!outer) lookbehind_groups_ = group_widths_.size();
    ASSAY_TRY(const std::optional<Width> width, Enclosed(token.c == '=' ? "(?<=" : "(?<!", depth, start));
    lookbehind_groups_ = outer;
    if (width->least != width->most) has_loose_lookbehind_ = true;
    return Nothing();
  }

  Result<std::optional<Width>> Conditional(std::size_t depth, std::size_t start) {
    ASSAY_TRY(const std::u32string name, Until(')', "group name"));
    std::size_t group = 0;
    if (IsPythonIdentifier(name)) {
      ASSAY_TRY(group, GroupNamed(name));
    } else {
      if (!std::all_of(name.begin(), name.end(), IsAsciiDigit<char>)) return CheckGroupName(name).error();
      for (const char32_t digit : name)
        group = std::min<std::size_t>(group * 10 + (digit - '0'), kGroupNumberMax);
      if (group == 0) return Refuse("bad group number", name.size() + 1);
      conditions_.emplace_back(group, Position() - name.size() - 1);
    }
    ASSAY_CHECK_OK(AllowInLookbehind(group));
    ASSAY_CHECK_OK(CheckDepth(depth + 1));
    references_.push_back(group);
    out_ += fmt::format("(?({})", group);
    ASSAY_TRY(Width width, Items(depth + 1, false));
    Width otherwise;
    if (Accept('|')) {
      out_ += '|';
      ASSAY_TRY(otherwise, Items(depth + 1, false));
    }
    width = {std::min(width.least, otherwise.least), std::max(width.most, otherwise.most)};
    if (Peek().Is('|')) return Refuse("conditional backref with more than two branches");
    if (!Accept(')')) return Refuse("missing ), unterminated subpattern", Position() - start);
    out_ += ')';
    return std::optional<Width>(width);
  }

  // (?i) for the whole pattern, (?i:...) for a group; `token` is the first letter, or the minus sign.
  Result<std::optional<Width>> Flags(Token token, std::size_t depth, bool may_be_global, std::size_t start) {
    unsigned on = 0;
    unsigned off = 0;
    if (!token.Is('-')) {
      ASSAY_TRY(on, FlagsTurnedOn(token));
    }
    if (token.Is(')')) {
      if (!may_be_global)
        return Refuse("global flags not at the start of the expression", Position() - start);
      global_flags_ |= on;
      flags_ |= on;
      return std::optional<Width>();
    }
    if (token.Is('-')) {
      ASSAY_TRY(off, FlagsTurnedOff());
    }
    if ((on & off) != 0) return Refuse("bad inline flags: flag turned on and off", 1);
    const unsigned outer = flags_;
    if ((on & kTypeFlags) != 0) flags_ &= ~kTypeFlags;
    flags_ = (flags_ | on) & ~off;
    ASSAY_TRY(const std::optional<Width> width, Enclosed("(?:", depth, start));
    flags_ = outer;
    return width;
  }

  // The letters from `token` on; `token` is then the ), - or : that ends them.
  Result<unsigned> FlagsTurnedOn(Token& token) {
    unsigned on = 0;
    while (true) {
      const unsigned flag = FlagOf(token);
      if (flag == kLocale) return Refuse("bad inline flags: cannot use 'L' flag with a str pattern");
      on |= flag;
      if ((flag & kTypeFlags) != 0 && (on & kTypeFlags) != flag)
        return Refuse("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
      if (AtEnd()) return Refuse("missing -, : or )");
      token = Take();
      if (token.Is(')') || token.Is('-') || token.Is(':')) return on;
      if (FlagOf(token) == 0) return NoFlag(token, "missing -, : or )");
    }
  }

  // The letters behind a minus sign, up to the colon, which is taken.
  Result<unsigned> FlagsTurnedOff() {
    unsigned off = 0;
    if (AtEnd()) return Refuse("missing flag");
    Token token = Take();
    if (FlagOf(token) == 0) return NoFlag(token, "missing flag");
    while (true) {
      const unsigned flag = FlagOf(token);
      if ((flag & kTypeFlags) != 0) return Refuse("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
      off |= flag;
      if (AtEnd()) return Refuse("missing :");
      token = Take();
      if (token.Is(':')) return off;
      if (FlagOf(token) == 0) return NoFlag(token, "missing :");
    }
  }

  Error NoFlag(Token token, std::string_view missing) const {
    const bool is_letter = !token.is_escaped && u_isalpha(static_cast<UChar32>(token.c)) != 0;
    return Refuse(is_letter ? "unknown flag" : missing, token.size());
  }

  std::string out_;
  unsigned flags_ = 0;
  unsigned global_flags_ = 0;
  std::vector<std::optional<Width>> group_widths_ = {std::nullopt};  // [0] is the pattern; nothing while open
  std::map<std::u32string, std::size_t> group_names_;
  // Whether the pattern is nothing but looks ahead over anything, (?s)(?=.*a)(?=.*b).
  bool is_far_look_ = false;             // the item that was read last
  bool has_far_look_ = false;            // at the top
  bool has_other_ = false;               // likewise
  bool had_branches_ = false;            // the group that was read last
  std::vector<std::size_t> references_;  // groups that were referred to
  LargeRepeats repeats_;
  std::optional<std::size_t> lookbehind_groups_;  // how many groups stood before the outermost look-behind
  std::vector<std::pair<std::size_t, std::size_t>> conditions_;  // groups that are named by number, and where
  bool has_loose_lookbehind_ = false;  // one that may match more or fewer characters
};

}  // namespace

Result<std::string> TranslatePythonPattern(std::string_view pattern, std::size_t copied_bytes_max) {
  if (pattern.size() > limits::kRegexBytesMax) {
    return Error{ErrorCode::kLimit, fmt::format("the regular expression is longer than {} bytes; shorten it",
                                                limits::kRegexBytesMax)};
  }
  return Translator(pattern, copied_bytes_max).Run();
}

}  // namespace assay
