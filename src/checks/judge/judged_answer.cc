// Finds classes in an answer by the letters that a reader sees, in either direction, with a typing error too.
//
// A judge that quotes an answer may tidy it, translate it, begin anywhere and stop anywhere. So no text of
// its reply tells a quotation from a verdict of its own: wherever the answer gives the class, only the code
// does.
#include "checks/judge/judged_answer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/text/ascii.h"
#include "checks/judge/fence.h"
#include "text/letters/escapes.h"
#include "text/letters/seen_letters.h"
#include "text/thoughts.h"

namespace assay {
namespace {

constexpr std::string_view kSeenPrefix = "CLASS_";
// Of markup between a word and the class: "<classification><b style=...>".
constexpr std::size_t kMarkupLetters = 24;
constexpr std::size_t kNameLettersMax = 14;  // of a class, and one more
constexpr std::uint32_t kEveryClass = 0x3ff;
// Between the pieces of a name: at these distances, other texts have hardly any.
constexpr std::size_t kPartsApartMax = 128;
constexpr std::size_t kShortTagsApartMax = 32;  // where long tags and comments have become short

// Where each letter stands in a word of capitals: bit i + 1 for its letter i.
class LetterPlaces {
 public:
  explicit LetterPlaces(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i) places_[IndexOf(word[i])] |= 2u << i;
  }
  std::uint32_t Of(char letter) const { return places_[IndexOf(letter)]; }

 private:
  static std::size_t IndexOf(char letter) { return static_cast<std::size_t>(letter - 'A'); }

  std::array<std::uint32_t, 26> places_{};
};

// Finds the ends of a word that may have one typing error: a letter more, a letter less, another letter, or
// two the wrong way round. Bit i of a row says that its first i letters have been found.
class NearWord {
 public:
  explicit NearWord(std::string_view word) : places_(word), whole_(1u << word.size()) {}
  // Takes the next letter of a text; whether the word ends there.
  bool EndsAt(char letter) {
    const std::uint32_t here = places_.Of(letter);
    const std::uint32_t exact = ((exact_ << 1) & here) | 1u;
    const std::uint32_t swapped = (before_ << 2) & (here << 1) & last_;
    near_ = ((near_ << 1) & here) | exact_ | (exact_ << 1) | exact | (exact << 1) | swapped;
    before_ = std::exchange(exact_, exact);
    last_ = here;
    return (near_ & whole_) != 0;
  }

 private:
  LetterPlaces places_;
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

// Whether a member has a name that was cut, which a schema completes: "clas", "classif". "class" is a usual
// name, and counts where the value begins like a class.
bool IsCutName(std::string_view part, std::string_view next) {
  constexpr std::string_view kUsual = "CLASS";
  constexpr std::size_t kShortest = 4;
  constexpr std::size_t kValueShortest = 2;
  static const std::string kName = SeenLetters("classification");
  if (part.size() < kShortest || !std::string_view(kName).starts_with(part)) return false;
  if (part != kUsual) return true;
  if (next.size() < kValueShortest) return false;
  return std::any_of(JudgeScale().begin(), JudgeScale().end(),
                     [next, usual = kUsual.size()](const JudgeClass& each) {
                       const std::string name = SeenLetters(each.name);
                       return name.starts_with(next) || name.substr(usual).starts_with(next);
                     });
}

// Whether a tag, a member or a label has the name of a part of a reply: "<classification", "'Reflection':".
// Whatever stands there a judge may tidy or complete to any class: "10", "CLASS_EX<br>ACT", "CLASS_E".
bool HoldsReplyParts(std::string_view letters_by_marks) {
  constexpr std::size_t kBesideMax = 8;  // of an attribute, "my-", "a/"
  const std::string words[] = {SeenLetters("classification"), SeenLetters("reflection")};
  std::string_view before;
  for (std::size_t at = 0; at < letters_by_marks.size();) {
    const std::size_t end = std::min(letters_by_marks.find('\n', at), letters_by_marks.size());
    const std::string_view part = letters_by_marks.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    for (const std::string& word : words)
      if (part.size() <= word.size() + kBesideMax && HoldsNear(part, word)) return true;
    if (IsCutName(before, part)) return true;
    before = part;
  }
  return IsCutName(before, "");
}

// The classes that a text gives in whole words; blanks and signs may stand between the letters.
std::uint32_t ClassesSeen(std::string_view seen) {
  std::string letters = LettersByMarks(seen);
  if (HoldsReplyParts(letters)) return kEveryClass;
  std::erase(letters, '\n');
  return ClassesIn(letters);
}

// Finds the end of a word in pieces: "classifi<wbr>cation", "CL$$ASS", "E&zwj;XACT". Between pieces may be
// anything that begins and ends with no letter and is shorter than `apart_max` (by luck, than twice that).
// Bit i of a row says that the first i letters have been found.
class PiecedWord {
 public:
  PiecedWord(std::string_view word, std::size_t apart_max)
      : places_(word), whole_(1u << word.size()), apart_max_(apart_max) {}
  // Takes the next character of a seen text; whether the word ends there.
  bool EndsAt(char c) {
    if (++age_ % apart_max_ == 0) older_ = std::exchange(parted_, 0);
    const bool is_letter = IsAsciiLetter(c);
    if (is_letter) {
      const std::uint32_t here = places_.Of(c);
      pieced_ = ((pieced_ | (is_behind_letter_ ? 0 : parted_ | older_)) << 1) & here;
      unbroken_ = ((unbroken_ | 1u) << 1) & here;
    } else {
      parted_ |= std::exchange(pieced_, 0) | std::exchange(unbroken_, 0);
    }
    is_behind_letter_ = is_letter;
    return (pieced_ & whole_) != 0;
  }

 private:
  LetterPlaces places_;
  std::uint32_t whole_;
  std::size_t apart_max_;
  std::size_t age_ = 0;
  std::uint32_t unbroken_ = 0;  // right before, in one piece
  std::uint32_t pieced_ = 0;    // right before, in several
  std::uint32_t parted_ = 0;    // further before
  std::uint32_t older_ = 0;
  bool is_behind_letter_ = false;
};

bool HoldsPieced(std::string_view seen, std::string_view word, std::size_t apart_max) {
  PiecedWord pieced(word, apart_max);
  return std::any_of(seen.begin(), seen.end(), [&pieced](char c) { return pieced.EndsAt(c); });
}

std::string WithLettersOfSigns(std::string seen) {
  for (char& c : seen) {
    if (const char letter = LetterOfSign(c); letter != '\0') c = letter;
  }
  return seen;
}

// What a text gives in pieces: a judge that tidies leaves out whatever is within a word.
std::uint32_t ClassesInPieces(std::string_view seen, std::size_t parts_apart_max) {
  // "class" and "exact" stand near each other in other texts, too
  constexpr std::size_t kClassesApartMax = 16;
  for (const std::string_view part : {"classification", "reflection"})
    if (HoldsPieced(seen, SeenLetters(part), parts_apart_max)) return kEveryClass;
  std::uint32_t given = 0;
  std::uint32_t bit = 1;
  for (const JudgeClass& each : JudgeScale()) {
    if (HoldsPieced(seen, SeenLetters(each.name), kClassesApartMax)) given |= bit;
    bit <<= 1;
  }
  return given;
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
  const std::string read = WithoutEscapes(material);
  std::string seen = SeenText(read);
  const std::string short_tags = WithShortTags(read);
  std::string seen_short = short_tags.size() == read.size() ? std::string() : SeenText(short_tags);
  given_ = read.find(kSeenPrefix) == std::string::npos ? 0 : kEveryClass;
  given_ |= ClassesInPieces(WithLettersOfSigns(seen), kPartsApartMax);
  for (int direction = 0; direction < 2 && given_ != kEveryClass; ++direction) {
    given_ |= ClassesSeen(seen) | ClassesInPieces(seen, kPartsApartMax) |
              ClassesInPieces(seen_short, kShortTagsApartMax);
    for (std::string* each : {&seen, &seen_short})
      std::reverse(each->begin(), each->end());  // from right to left
  }
  const std::string lower = AsciiLower(material);
  if (HoldsVerdicts() || HoldsThoughtTags(lower))
    code_ = Fence({"the code of a verdict", material, lower}).code();
}

bool JudgedAnswer::Gives(const JudgeClass& is) const {
  return ((given_ >> (&is - JudgeScale().data())) & 1u) != 0;
}

}  // namespace assay
