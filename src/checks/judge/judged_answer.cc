// Finds classes in an answer by the letters that a reader sees, in either direction, with a typing error too.
//
// A judge that quotes an answer may tidy it, translate it, begin anywhere and stop anywhere. So no text of
// its reply tells a quotation from a verdict of its own: wherever the answer gives the class, only the code
// does.
#include "checks/judge/judged_answer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/judge/fence.h"
#include "text/letters/seen_letters.h"
#include "text/thoughts.h"

namespace assay {
namespace {

constexpr std::string_view kSeenPrefix = "CLASS_";
// Of markup between a word and the class: "<classification><b style=...>".
constexpr std::size_t kMarkupLetters = 24;
constexpr std::size_t kNameLettersMax = 14;  // of a class, and one more
constexpr std::uint32_t kEveryClass = 0x3ff;
constexpr unsigned kCodePointMax = 0x10ffff;

// Markup that was escaped is read as what it stands for.
std::string WithoutNamedEntities(std::string_view text) {
  struct Entity {
    std::string_view written;
    char stands_for;
  };
  constexpr Entity kEntities[] = {{"&amp;", '&'},  {"&lt;", '<'},     {"&gt;", '>'},
                                  {"&quot;", '"'}, {"&lowbar;", '_'}, {"&shy;", ' '}};
  std::string read(text);
  for (const Entity& entity : kEntities) {
    std::string next;
    std::size_t from = 0;
    for (std::size_t at = read.find(entity.written); at != std::string::npos;
         at = read.find(entity.written, from)) {
      next.append(read, from, at - from);
      next += entity.stands_for;
      from = at + entity.written.size();
    }
    if (from > 0) read = next.append(read, from);
  }
  return read;
}

// How many bytes at the start of `rest` stand for another character ("\\u0045", "%45"), and which; 0: none.
// Two digits stand for ASCII.
std::size_t EscapedAt(std::string_view rest, char32_t& stands_for) {
  if (std::string_view("\\%=U").find(rest[0]) == std::string_view::npos) return 0;
  struct Escape {
    std::string_view begin;
    std::size_t digits;
    int base = 16;
    std::string_view end = {};
  };
  constexpr Escape kEscapes[] = {
      {"\\u", 4},           {"\\x", 2},           {"%", 2},     {"=", 2},  {"\\U", 8},
      {"\\u{", 2, 16, "}"}, {"\\x{", 2, 16, "}"}, {"\\", 3, 8}, {"\\", 2}, {"U+", 4}};
  for (const auto& [begin, digits, base, end] : kEscapes) {
    const std::size_t size = begin.size() + digits;
    if (!rest.starts_with(begin) || !rest.substr(std::min(size, rest.size())).starts_with(end)) continue;
    unsigned code = 0;
    const char* first = rest.data() + begin.size();
    const char* last = first + std::min(digits, rest.size() - begin.size());
    const auto [read, error] = std::from_chars(first, last, code, base);
    if (error != std::errc() || read != first + digits || code < ' ' || code > kCodePointMax) continue;
    if (code >= 0x7f && digits < 4) continue;
    stands_for = code;
    return size + end.size();
  }
  return 0;
}

// A text with escapes of JSON, addresses, mails and programs resolved. What stands for white space is no
// letter.
std::string WithoutEscapes(std::string_view text) {
  constexpr std::string_view kBlanks = "nrtfb";
  std::string read;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    char32_t next = 0;
    const std::size_t size = EscapedAt(rest, next);
    if (size > 0) {
      AppendUtf8(next, read);
      at += size;
    } else if (rest[0] == '\\' && rest.size() > 1 && kBlanks.find(rest[1]) != std::string_view::npos) {
      read += ' ';
      at += 2;
    } else {
      read += rest[0];
      ++at;
    }
  }
  return read;
}

// A text with escapes resolved, and escapes of escapes.
std::string ThroughEscapes(std::string_view text) {
  constexpr int kDepth = 3;
  std::string read(text);
  for (int i = 0; i < kDepth; ++i) {
    std::string next = WithoutEscapes(WithoutNamedEntities(read));
    if (next == read) break;
    read = std::move(next);
  }
  return read;
}

// Finds the ends of a word that may have one typing error: a letter more, a letter less, another letter, or
// two the wrong way round. Bit i of a row says that its first i letters have been found.
class NearWord {
 public:
  explicit NearWord(std::string_view word) : whole_(1u << word.size()) {
    for (std::size_t i = 0; i < word.size(); ++i) places_[PlaceOf(word[i])] |= 2u << i;
  }
  // Takes the next letter of a text; whether the word ends there.
  bool EndsAt(char letter) {
    const std::uint32_t here = places_[PlaceOf(letter)];
    const std::uint32_t exact = ((exact_ << 1) & here) | 1u;
    const std::uint32_t swapped = (before_ << 2) & (here << 1) & last_;
    near_ = ((near_ << 1) & here) | exact_ | (exact_ << 1) | exact | (exact << 1) | swapped;
    before_ = std::exchange(exact_, exact);
    last_ = here;
    return (near_ & whole_) != 0;
  }

 private:
  static std::size_t PlaceOf(char letter) { return static_cast<std::size_t>(letter - 'A'); }

  std::array<std::uint32_t, 26> places_{};  // of each letter in the word
  std::uint32_t whole_;
  std::uint32_t exact_ = 1;   // without an error
  std::uint32_t before_ = 0;  // the same, one letter earlier
  std::uint32_t near_ = 3;    // with at most one
  std::uint32_t last_ = 0;    // places of the letter before
};

bool HoldsNear(std::string_view letters, const std::string& word) {
  NearWord near(word);
  return std::any_of(letters.begin(), letters.end(), [&near](char letter) { return near.EndsAt(letter); });
}

// A word of a verdict, and where the class stands that it gives.
struct ClassSign {
  std::string_view word;
  std::string_view prefix;  // of the class's name
  std::size_t before;       // letters of the prefix before the end of the word
  std::size_t behind;
};
constexpr ClassSign kSigns[] = {
    {"classification", "", 0, kMarkupLetters + kNameLettersMax},
    {"reflection", "", 0, kMarkupLetters + kNameLettersMax},  // "</reflection><verdict>exact"
    {"class", "class", 6, kNameLettersMax},
};

// Parts of the letters in which a class may stand, none of which overlap.
std::vector<std::string_view> PartsNear(std::string_view letters, const ClassSign& sign) {
  NearWord word(SeenLetters(sign.word));
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (std::size_t at = 0; at < letters.size(); ++at) {
    if (!word.EndsAt(letters[at])) continue;
    const std::size_t from = at + 1 - std::min(sign.before, at + 1);
    if (from > end) {
      if (end > begin) parts.push_back(letters.substr(begin, end - begin));
      begin = from;
    }
    end = at + 1 + sign.behind;
  }
  if (end > begin) parts.push_back(letters.substr(begin, end - begin));
  return parts;
}

// Bit i: the letters give JudgeScale()[i].
std::uint32_t ClassesIn(std::string_view letters) {
  std::uint32_t given = 0;
  for (const ClassSign& sign : kSigns) {
    const std::vector<std::string_view> parts = PartsNear(letters, sign);
    if (parts.empty()) continue;
    std::uint32_t bit = 1;
    for (const JudgeClass& each : JudgeScale()) {
      const std::string word = SeenLetters(sign.prefix) + SeenLetters(each.name.substr(kSeenPrefix.size()));
      const auto holds = [&word](std::string_view part) { return HoldsNear(part, word); };
      if ((given & bit) == 0 && std::any_of(parts.begin(), parts.end(), holds)) given |= bit;
      bit <<= 1;
    }
  }
  return given;
}

// Whether a tag, a member or a label has the name of a part of a reply: "<classification", "'Reflection':".
// Whatever stands there a judge may tidy or complete to any class: "10", "CLASS_EX<br>ACT", "CLASS_E".
bool HoldsReplyParts(std::string_view letters_by_marks) {
  constexpr std::size_t kBesideMax = 8;  // of an attribute, "my-", "a/"
  const std::string words[] = {SeenLetters("classification"), SeenLetters("reflection")};
  for (std::size_t at = 0; at < letters_by_marks.size();) {
    const std::size_t end = std::min(letters_by_marks.find('\n', at), letters_by_marks.size());
    const std::string_view part = letters_by_marks.substr(at, end - at);
    at = end + 1;
    for (const std::string& word : words)
      if (part.size() <= word.size() + kBesideMax && HoldsNear(part, word)) return true;
  }
  return false;
}

// Whether a tag begins before `lower[at]`: "</", "<seed:", "[/".
bool IsInTag(std::string_view lower, std::size_t at) {
  constexpr std::string_view kOpenings[] = {"<", "[", "◁"};
  constexpr std::string_view kNameMarks = ":|_-";
  std::string_view before = lower.substr(0, at);
  while (!before.empty() &&
         (IsAsciiAlphanumeric(before.back()) || kNameMarks.find(before.back()) != std::string::npos))
    before.remove_suffix(1);
  if (before.ends_with('/')) before.remove_suffix(1);
  return std::any_of(std::begin(kOpenings), std::end(kOpenings),
                     [before](std::string_view opening) { return before.ends_with(opening); });
}

// Tags of thoughts, which a judge cannot quote without ending its own: also those of services that split
// thoughts off by tags that no table here holds.
bool HoldsThoughtTags(std::string_view lower) {
  constexpr std::string_view kWords[] = {"think", "thought", "reason"};
  for (const std::string_view word : kWords) {
    for (std::size_t at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1))
      if (IsInTag(lower, at)) return true;
  }
  const std::span<const ThoughtTags> thoughts = ThoughtTagTable();
  return std::any_of(thoughts.begin(), thoughts.end(), [lower](const ThoughtTags& tags) {
    return lower.find(tags.close) != std::string_view::npos;
  });
}

}  // namespace

JudgedAnswer::JudgedAnswer(std::string_view material) {
  const std::string read = ThroughEscapes(material);
  std::string parts = SeenLettersByMarks(read);
  std::string letters = parts;
  std::erase(letters, '\n');
  given_ = ClassesIn(letters);
  bool holds_parts = HoldsReplyParts(parts) || read.find(kSeenPrefix) != std::string::npos;
  for (std::string* each : {&parts, &letters})
    std::reverse(each->begin(), each->end());  // from right to left
  given_ |= ClassesIn(letters);
  holds_parts = holds_parts || HoldsReplyParts(parts);
  if (holds_parts) given_ = kEveryClass;
  const std::string lower = AsciiLower(material);
  if (HoldsVerdicts() || HoldsThoughtTags(lower))
    code_ = Fence({"the code of a verdict", material, lower}).code();
}

bool JudgedAnswer::Gives(const JudgeClass& is) const {
  return ((given_ >> (&is - JudgeScale().data())) & 1u) != 0;
}

}  // namespace assay
