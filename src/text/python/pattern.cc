// A recursive-descent reader of Python's pattern grammar that writes PCRE2 as it reads.
#include "text/python/pattern.h"

#include <fmt/core.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "text/python/char_class.h"

namespace assay {

namespace {

constexpr std::size_t kNestingMax = 200;         // PCRE2 compiles 250 levels of parentheses
constexpr std::uint64_t kPcreCountMax = 65'535;  // of one quantifier
constexpr std::uint64_t kPythonCountMax = 4'294'967'295;
constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();
constexpr char32_t kEnd = 0x110000;  // no code point

struct Token {
  char32_t c = kEnd;
  bool is_escaped = false;  // a backslash stood before it

  bool Is(char32_t plain) const { return !is_escaped && c == plain; }
};

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

unsigned FlagOf(Token token) {
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

bool IsPatternDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool IsOctal(char32_t c) { return c >= '0' && c <= '7'; }
bool IsAsciiLetter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsBlank(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int HexValue(char32_t c) {
  if (IsPatternDigit(c)) return static_cast<int>(c - '0');
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

bool IsIdentifier(std::u32string_view name) {
  const auto has = [](char32_t c, UProperty property) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), property) != 0;
  };
  if (name.empty() || !(name[0] == '_' || has(name[0], UCHAR_XID_START))) return false;
  return std::all_of(name.begin(), name.end(), [&](char32_t c) { return has(c, UCHAR_XID_CONTINUE); });
}

// One item of a class: a code point or a category.
struct ClassItem {
  std::optional<PythonCategory> category;
  char32_t c = 0;
};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  Result<std::string> Run() {
    ASSAY_CHECK_OK(Tokenize());
    ASSAY_TRY([[maybe_unused]] const Width width, Alternatives(0));
    if ((global_flags_ & kAscii) != 0 && (global_flags_ & kUnicode) != 0) {
      return Refuse("the flags a and u exclude each other");
    }
    if (!AtEnd()) return Refuse("a ) without its (");
    if (highest_condition_ >= group_widths_.size()) {
      return Refuse(fmt::format("there is no group {}", highest_condition_));
    }
    return std::move(out_);
  }

 private:
  // What the item before a quantifier is.
  enum class Item { kNone, kPosition, kRepeated, kOther };

  // The items of one alternative, of which the last one may still be repeated.
  struct Sequence {
    Width before_last;
    Item last = Item::kNone;
    std::size_t last_start = 0;   // in out_
    std::size_t last_groups = 0;  // how many groups there were before it
    Width last_width;

    Width width() const { return Plus(before_last, last_width); }
  };

  struct Count {
    std::uint64_t least = 0;
    std::uint64_t most = kUnbounded;
  };

  Status Tokenize() {
    for (std::size_t at = 0; at < pattern_.size();) {
      Token token;
      DecodedCodePoint decoded = DecodeUtf8(pattern_, at);
      at += decoded.size_bytes;
      if (decoded.code_point == '\\') {
        if (at == pattern_.size()) return Refuse("it ends in a single backslash");
        decoded = DecodeUtf8(pattern_, at);
        at += decoded.size_bytes;
        token.is_escaped = true;
      }
      token.c = decoded.code_point;
      tokens_.push_back(token);
    }
    return Ok();
  }

  Error Refuse(std::string_view reason) const {
    std::size_t position = 0;
    for (std::size_t i = 0; i < at_ && i < tokens_.size(); ++i) position += tokens_[i].is_escaped ? 2 : 1;
    return {.code = ErrorCode::kInvalidInput,
            .message = fmt::format("this is not a Python regular expression: {} (at character {})", reason,
                                   position)};
  }

  bool AtEnd() const { return at_ >= tokens_.size(); }
  Token Peek() const { return AtEnd() ? Token{} : tokens_[at_]; }
  Token Take() { return AtEnd() ? Token{} : tokens_[at_++]; }
  bool Accept(char32_t plain) {
    if (!Peek().Is(plain)) return false;
    ++at_;
    return true;
  }

  PythonCase LetterCase() const {
    if ((flags_ & kIgnoreCase) == 0) return PythonCase::kExact;
    return (flags_ & kAscii) != 0 ? PythonCase::kAscii : PythonCase::kUnicode;
  }
  PythonAlphabet Alphabet() const {
    return (flags_ & kAscii) != 0 ? PythonAlphabet::kAscii : PythonAlphabet::kUnicode;
  }

  // Everything up to `terminator`, which is taken.
  Result<std::u32string> Until(char32_t terminator, std::string_view what) {
    std::u32string text;
    while (!AtEnd()) {
      const Token token = Take();
      if (token.Is(terminator)) {
        if (text.empty()) return Refuse(fmt::format("expected {}, found none", what));
        return text;
      }
      if (token.is_escaped) text += U'\\';
      text += token.c;
    }
    return Refuse(fmt::format("{} has no end", what));
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
    while (Accept('|')) {
      out_ += '|';
      ASSAY_TRY(const Width other, Items(depth, false));
      width = {std::min(width.least, other.least), std::max(width.most, other.most)};
    }
    return width;
  }

  // `is_first`: flags for the whole pattern may stand here.
  Result<Width> Items(std::size_t depth, bool is_first) {
    Sequence sequence;
    while (!AtEnd() && !Peek().Is('|') && !Peek().Is(')')) {
      if ((flags_ & kVerbose) != 0 && SkipVerbose()) continue;
      if (IsQuantifier(Peek())) {
        ASSAY_CHECK_OK(Quantify(sequence));
        continue;
      }
      const bool may_be_global = is_first && sequence.last == Item::kNone;
      Sequence next{.before_last = sequence.width(),
                    .last = Item::kOther,
                    .last_start = out_.size(),
                    .last_groups = group_widths_.size(),
                    .last_width = {}};
      ASSAY_TRY(const std::optional<Width> width, OneItem(depth, may_be_global, next.last));
      if (!width) continue;
      next.last_width = *width;
      sequence = next;
    }
    return sequence.width();
  }

  bool SkipVerbose() {
    const Token token = Peek();
    if (token.is_escaped) return false;
    if (IsBlank(token.c)) {
      ++at_;
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
    const std::size_t here = at_;
    std::u32string least;
    std::u32string most;
    while (!Peek().is_escaped && IsPatternDigit(Peek().c)) least += Take().c;
    if (Accept(',')) {
      while (!Peek().is_escaped && IsPatternDigit(Peek().c)) most += Take().c;
    } else {
      most = least;
    }
    if (at_ == here || !Accept('}')) {
      at_ = here;
      return std::optional<Count>();
    }
    Count count;
    ASSAY_TRY(count.least, CountOf(least, 0));
    ASSAY_TRY(count.most, CountOf(most, kUnbounded));
    if (count.most < count.least) return Refuse("a repetition's upper bound lies below its lower one");
    return std::optional<Count>(count);
  }

  Result<std::uint64_t> CountOf(std::u32string_view digits, std::uint64_t otherwise) const {
    if (digits.empty()) return otherwise;
    std::uint64_t count = 0;
    for (const char32_t digit : digits) count = Plus(Times(count, 10), digit - '0');
    if (count >= kPythonCountMax) return Refuse("a repetition's number is too large");
    return count;
  }

  Status Quantify(Sequence& sequence) {
    const Token token = Take();
    Count count;
    if (token.c == '{') {
      ASSAY_TRY(const std::optional<Count> braces, Braces());
      if (!braces) {
        sequence = {.before_last = sequence.width(),
                    .last = Item::kOther,
                    .last_start = out_.size(),
                    .last_groups = group_widths_.size(),
                    .last_width = *One()};
        out_ += PcreLiteral('{', PythonCase::kExact);
        return Ok();
      }
      count = *braces;
    } else {
      count = {.least = token.c == '+' ? 1u : 0u, .most = token.c == '?' ? 1u : kUnbounded};
    }
    if (sequence.last == Item::kNone || sequence.last == Item::kPosition) {
      return Refuse("there is nothing that could be repeated");
    }
    if (sequence.last == Item::kRepeated) return Refuse("a repetition is repeated; put it into a group");
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
    if (count.least > kPcreCountMax) {
      if (sequence.last_groups != group_widths_.size()) {
        return Error{ErrorCode::kLimit,
                     fmt::format("the regular expression repeats a group {} times; at most {} work",
                                 count.least, kPcreCountMax)};
      }
      out_.resize(sequence.last_start);
      out_ +=
          fmt::format("(?:(?:{0}{{{1}}}){{{2}}}{0}{3}{4})", item, kPcreCountMax, count.least / kPcreCountMax,
                      Braced({count.least % kPcreCountMax,
                              count.most == count.least ? count.least % kPcreCountMax : kUnbounded}),
                      manner);
    } else {
      out_ += Braced(count);
      out_ += manner;
    }
    if (count.least != count.most) out_ += "(?C1)";
    sequence.last_width = {Times(sequence.last_width.least, count.least),
                           Times(sequence.last_width.most, count.most)};
    sequence.last = Item::kRepeated;
    return Ok();
  }

  static std::string Braced(Count count) {
    if (count.least == 0 && count.most == 1) return "?";
    if (count.least == count.most) return fmt::format("{{{}}}", count.least);
    if (count.most > kPcreCountMax) return fmt::format("{{{},}}", count.least);
    return fmt::format("{{{},{}}}", count.least, count.most);
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
    if (IsPatternDigit(letter)) return OctalOrGroup(letter);
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
    if (!Peek().is_escaped && IsPatternDigit(Peek().c)) {
      const char32_t second = Take().c;
      group = group * 10 + (second - '0');
      if (IsOctal(first) && IsOctal(second) && !Peek().is_escaped && IsOctal(Peek().c)) {
        const char32_t c = Octal((first - '0') * 8 + (second - '0'), 1);
        if (c > 0377) return Refuse("an octal escape above \\377");
        return Literal(c);
      }
    }
    if (group >= group_widths_.size()) return Refuse(fmt::format("there is no group {} before it", group));
    return Reference(group);
  }

  Result<std::optional<Width>> Reference(std::size_t group) {
    if (!group_widths_[group]) return Refuse("a group refers to itself");
    ASSAY_CHECK_OK(AllowInLookbehind(group));
    const std::string reference = fmt::format("\\g{{{}}}", group);
    out_ += (flags_ & kIgnoreCase) != 0 ? "(?i:" + reference + ")" : reference;
    return std::optional<Width>(*group_widths_[group]);
  }

  Status AllowInLookbehind(std::size_t group) const {
    if (!lookbehind_groups_) return Ok();
    if (group >= group_widths_.size() || !group_widths_[group])
      return Refuse("a look-behind refers to an open group");
    if (group >= *lookbehind_groups_) return Refuse("a look-behind refers to a group of its own");
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
    if (IsAsciiLetter(letter) || IsPatternDigit(letter)) {
      return Refuse(fmt::format("there is no escape \\{}", static_cast<char>(letter)));
    }
    return letter;
  }

  Result<char32_t> Hex(int digits) {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i) {
      const int digit = Peek().is_escaped ? -1 : HexValue(Peek().c);
      if (digit < 0) return Refuse(fmt::format("an escape needs {} hexadecimal digits here", digits));
      value = value * 16 + static_cast<char32_t>(digit);
      Take();
    }
    if (value >= kEnd) return Refuse("an escape beyond the last code point");
    return value;
  }

  Result<char32_t> Named() {
    if (!Accept('{')) return Refuse("expected a name in braces behind \\N");
    ASSAY_TRY(const std::u32string wide, Until('}', "the name of a character"));
    std::string name;
    for (const char32_t c : wide) AppendUtf8(c, name);
    for (const UCharNameChoice choice : {U_UNICODE_CHAR_NAME, U_CHAR_NAME_ALIAS}) {
      UErrorCode status = U_ZERO_ERROR;
      const UChar32 c = u_charFromName(choice, name.c_str(), &status);
      if (U_SUCCESS(status) && c >= 0) return static_cast<char32_t>(c);
    }
    return Refuse("there is no character named " + Quoted(name));
  }

  // ---- classes
  // --------------------------------------------------------------------------------------------------

  Result<std::optional<Width>> Class() {
    PythonCharClass set;
    if (Accept('^')) set.Negate();
    for (bool is_empty = true; is_empty || !Peek().Is(']'); is_empty = false) {
      if (AtEnd()) return Refuse("a [ without its ]");
      ASSAY_TRY(const ClassItem first, OneClassItem());
      if (Peek().Is('-') && at_ + 1 < tokens_.size() && !tokens_[at_ + 1].Is(']')) {
        Take();
        ASSAY_TRY(const ClassItem last, OneClassItem());
        if (first.category || last.category) return Refuse("a range from or to several characters");
        if (last.c < first.c) return Refuse("a range that runs backwards");
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
      const char32_t c = Octal(token.c - '0', 2);
      if (c > 0377) return Refuse("an octal escape above \\377");
      return ClassItem{.category = {}, .c = c};
    }
    ASSAY_TRY(const char32_t c, CodePoint(token.c));
    return ClassItem{.category = {}, .c = c};
  }

  // ---- groups
  // ---------------------------------------------------------------------------------------------------

  Result<std::optional<Width>> Group(std::size_t depth, bool may_be_global) {
    if (!Accept('?')) return Capture(depth, {});
    const Token token = Take();
    if (token.is_escaped || token.c == kEnd) return Refuse("a (? that nothing known follows");
    switch (token.c) {
      case 'P':
        return NamedGroup(depth);
      case ':':
        return Enclosed("(?:", depth);
      case '>':
        return Enclosed("(?>", depth);
      case '#':
        return Comment();
      case '=':
      case '!':
        return Lookaround(token.c == '=' ? "(?=" : "(?!", depth);
      case '<':
        return Lookbehind(depth);
      case '(':
        return Conditional(depth);
      default:
        break;
    }
    if (FlagOf(token) == 0 && token.c != '-') return Refuse("a (? that nothing known follows");
    return Flags(token, depth, may_be_global);
  }

  // What stands up to the closing parenthesis, between `opening` and ")".
  Result<std::optional<Width>> Enclosed(std::string_view opening, std::size_t depth) {
    out_ += opening;
    ASSAY_TRY(const Width width, Alternatives(depth + 1));
    if (!Accept(')')) return Refuse("a ( without its )");
    out_ += ')';
    return std::optional<Width>(width);
  }

  Result<std::optional<Width>> Capture(std::size_t depth, const std::u32string& name) {
    const std::size_t group = group_widths_.size();
    group_widths_.emplace_back();
    if (!name.empty() && !group_names_.emplace(name, group).second)
      return Refuse("two groups have the same name");
    ASSAY_TRY(const std::optional<Width> width, Enclosed("(", depth));
    group_widths_[group] = width;
    return width;
  }

  Result<std::optional<Width>> NamedGroup(std::size_t depth) {
    if (Accept('<')) {
      ASSAY_TRY(const std::u32string name, Until('>', "the name of a group"));
      if (!IsIdentifier(name)) return Refuse("a group's name must be a Python identifier");
      return Capture(depth, name);
    }
    if (!Accept('=')) return Refuse("expected < or = behind (?P");
    ASSAY_TRY(const std::u32string name, Until(')', "the name of a group"));
    ASSAY_TRY(const std::size_t group, GroupNamed(name));
    return Reference(group);
  }

  Result<std::size_t> GroupNamed(const std::u32string& name) const {
    const auto found = group_names_.find(name);
    if (found == group_names_.end()) return Refuse("there is no group of that name before it");
    return found->second;
  }

  Result<std::optional<Width>> Comment() {
    while (!AtEnd()) {
      if (Take().Is(')')) return std::optional<Width>();
    }
    return Refuse("a comment without its )");
  }

  Result<std::optional<Width>> Lookaround(std::string_view opening, std::size_t depth) {
    ASSAY_CHECK_OK(Enclosed(opening, depth));
    return Nothing();
  }

  Result<std::optional<Width>> Lookbehind(std::size_t depth) {
    const Token token = Take();
    if (!token.Is('=') && !token.Is('!'))
      return Refuse("expected = or ! behind (?<; names are written (?P<name>");
    const std::optional<std::size_t> outer = lookbehind_groups_;
    if (!outer) lookbehind_groups_ = group_widths_.size();
    ASSAY_TRY(const std::optional<Width> width, Enclosed(token.c == '=' ? "(?<=" : "(?<!", depth));
    lookbehind_groups_ = outer;
    if (width->least != width->most) return Refuse("a look-behind must have one width");
    return Nothing();
  }

  Result<std::optional<Width>> Conditional(std::size_t depth) {
    ASSAY_TRY(const std::u32string name, Until(')', "the group of a condition"));
    std::size_t group = 0;
    if (IsIdentifier(name)) {
      ASSAY_TRY(group, GroupNamed(name));
    } else {
      if (!std::all_of(name.begin(), name.end(), IsPatternDigit))
        return Refuse("a condition must name a group");
      for (const char32_t digit : name)
        group = std::min<std::size_t>(group * 10 + (digit - '0'), kPcreCountMax);
      if (group == 0) return Refuse("a condition cannot name group 0");
      highest_condition_ = std::max(highest_condition_, group);
    }
    ASSAY_CHECK_OK(AllowInLookbehind(group));
    ASSAY_CHECK_OK(CheckDepth(depth + 1));
    out_ += fmt::format("(?({})", group);
    ASSAY_TRY(Width width, Items(depth + 1, false));
    Width otherwise;
    if (Accept('|')) {
      out_ += '|';
      ASSAY_TRY(otherwise, Items(depth + 1, false));
    }
    width = {std::min(width.least, otherwise.least), std::max(width.most, otherwise.most)};
    if (!Accept(')')) return Refuse("a condition has at most two branches and ends in )");
    out_ += ')';
    return std::optional<Width>(width);
  }

  // (?i) for the whole pattern, (?i:...) for a group.
  Result<std::optional<Width>> Flags(Token token, std::size_t depth, bool may_be_global) {
    unsigned on = 0;
    unsigned off = 0;
    for (; FlagOf(token) != 0; token = Take()) {
      const unsigned flag = FlagOf(token);
      if (flag == kLocale) return Refuse("the flag L is for bytes only");
      on |= flag;
      if ((flag & kTypeFlags) != 0 && (on & kTypeFlags) != flag)
        return Refuse("the flags a and u exclude each other");
    }
    if (token.Is(')')) {
      if (!may_be_global) return Refuse("flags for the whole pattern stand elsewhere than at its start");
      global_flags_ |= on;
      flags_ |= on;
      return std::optional<Width>();
    }
    if (token.Is('-')) {
      token = Take();
      if (FlagOf(token) == 0) return Refuse("expected a flag behind -");
      for (; FlagOf(token) != 0; token = Take()) off |= FlagOf(token);
      if ((off & kTypeFlags) != 0) return Refuse("the flags a, u and L cannot be turned off");
    }
    if (!token.Is(':')) return Refuse("an unknown flag, or flags without : or )");
    if ((on & off) != 0) return Refuse("a flag is turned on and off");
    const unsigned outer = flags_;
    if ((on & kTypeFlags) != 0) flags_ &= ~kTypeFlags;
    flags_ = (flags_ | on) & ~off;
    ASSAY_TRY(const std::optional<Width> width, Enclosed("(?:", depth));
    flags_ = outer;
    return width;
  }

  std::string_view pattern_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::string out_;
  unsigned flags_ = 0;
  unsigned global_flags_ = 0;
  std::vector<std::optional<Width>> group_widths_ = {std::nullopt};  // [0] is the pattern; nothing while open
  std::map<std::u32string, std::size_t> group_names_;
  std::optional<std::size_t> lookbehind_groups_;  // how many groups stood before the outermost look-behind
  std::size_t highest_condition_ = 0;
};

}  // namespace

Result<std::string> TranslatePythonPattern(std::string_view pattern) {
  if (pattern.size() > limits::kRegexBytesMax) {
    return Error{ErrorCode::kLimit, fmt::format("the regular expression is longer than {} bytes; shorten it",
                                                limits::kRegexBytesMax)};
  }
  return Translator(pattern).Run();
}

}  // namespace assay
