// Finds classes in an answer by the letters that a reader sees, in either direction, with a typing error too.
//
// A judge that quotes an answer may tidy it, translate it, begin anywhere and stop anywhere. So no text of
// its reply tells a quotation from a verdict of its own: wherever the answer gives the class, only the code
// does.
#include "checks/judge/judged_answer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/edit_distance.h"
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

// The places of each letter in a word of capitals: bit i + 1 stands for the word's letter i.
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

// Finds the ends of a word that may have a few typing errors: a letter more, a letter less, another letter,
// or two the wrong way round. Bit i of a row says that its first i letters have been found.
class NearWord {
 public:
  static constexpr std::size_t kErrorsMax = 3;

  explicit NearWord(std::string_view word, std::size_t errors = 1)
      : places_(word), whole_(1u << word.size()), errors_(errors) {
    for (std::size_t i = 0; i <= errors_; ++i) found_[i] = (2u << i) - 1;
  }
  // Takes the next letter of a text; whether the word ends there.
  bool EndsAt(char letter) {
    const std::uint32_t here = places_.Of(letter);
    Rows next = {};
    next[0] = ((found_[0] << 1) & here) | 1u;
    for (std::size_t i = 1; i <= errors_; ++i) {
      const std::uint32_t swapped = (before_[i - 1] << 2) & (here << 1) & last_;
      next[i] = ((found_[i] << 1) & here) | found_[i - 1] | (found_[i - 1] << 1) | next[i - 1] |
                (next[i - 1] << 1) | swapped;
    }
    before_ = std::exchange(found_, next);
    last_ = here;
    return (found_[errors_] & whole_) != 0;
  }

 private:
  using Rows = std::array<std::uint32_t, kErrorsMax + 1>;

  LetterPlaces places_;
  std::uint32_t whole_;
  std::size_t errors_;
  Rows found_ = {};         // row i: with at most i errors
  Rows before_ = {};        // the same, one letter earlier
  std::uint32_t last_ = 0;  // places of the letter before
};

bool HoldsNear(std::string_view letters, const std::string& word, std::size_t errors = 1) {
  NearWord near(word, errors);
  return std::any_of(letters.begin(), letters.end(), [&near](char letter) { return near.EndsAt(letter); });
}

// A word of a verdict, and where the class stands that it gives.
struct ClassSign {
  std::string_view word;
  std::string_view prefix;  // of the class's name
  std::size_t before;       // letters of the prefix before the end of the word
  std::size_t behind;
  std::size_t errors;  // of typing, in the word
};
constexpr ClassSign kSigns[] = {
    {"classification", "", 0, kMarkupLetters + kNameLettersMax, 2},
    {"reflection", "", 0, kMarkupLetters + kNameLettersMax, 1},  // "</reflection><verdict>exact"
    {"class", "class", 6, kNameLettersMax, 1},
};

// Parts of the letters in which a class may stand, none of which overlap.
std::vector<std::string_view> PartsNear(std::string_view letters, const ClassSign& sign) {
  NearWord word(SeenLetters(sign.word), sign.errors);
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

// Whether it is a name of which most letters were left out: "clssfctn", "rflctn".
bool IsShortened(std::string_view part, std::string_view name, std::size_t shortest) {
  if (part.size() < shortest || part.front() != name.front()) return false;
  for (const char letter : name)
    if (!part.empty() && part.front() == letter) part.remove_prefix(1);
  return part.empty();
}

// With how many typing errors a name between marks is known: alone, beside the other name, of a class.
constexpr std::size_t kErrorsAlone = 1;
constexpr std::size_t kErrorsInPair = 3;
constexpr std::size_t kErrorsInClass = 2;

std::u32string Wide(std::string_view ascii) { return {ascii.begin(), ascii.end()}; }

// Bit i: the part is the name of JudgeScale()[i], with its prefix, however misspelled.
std::uint32_t MarkedClasses(std::string_view part) {
  constexpr std::size_t kShortest = 9;
  constexpr std::size_t kLongest = 19;
  if (part.size() < kShortest - kErrorsInClass || part.size() > kLongest) return 0;
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const JudgeClass& each : JudgeScale()) names.push_back(SeenLetters(each.name));
    return names;
  }();
  std::uint32_t given = 0;
  std::uint32_t bit = 1;
  for (const std::string& name : kNames) {
    if (HoldsNear(part, name, kErrorsInClass) && EditDistance(Wide(part), Wide(name)) <= kErrorsInClass)
      given |= bit;
    bit <<= 1;
  }
  return given;
}

// What the parts between marks give: tags, members, labels.
struct MarkedParts {
  bool hold_reply = false;  // a name of a part of a reply: "<classification", "'Reflection':"
  std::uint32_t given = 0;  // bit i: "<verdict>CLAS_EXCT</verdict>" gives JudgeScale()[i]
};

// A judge may tidy or complete the content of such a part to any class: "10", "CLASS_EX<br>ACT", "CLASS_E".
// One of the names alone may be an ordinary word ("clarification", "selection"); both in one text rarely are.
MarkedParts PartsByMarks(std::string_view letters_by_marks) {
  constexpr std::size_t kBesideMax = 8;  // of an attribute, "my-", "a/"
  struct Name {
    std::string letters;
    std::size_t shortest;  // of its letters, left out as one does in a hurry
    bool is_near = false;
  };
  Name names[] = {{SeenLetters("classification"), 8}, {SeenLetters("reflection"), 6}};
  MarkedParts held;
  std::string_view before;
  for (std::size_t at = 0; at < letters_by_marks.size() && !held.hold_reply;) {
    const std::size_t end = std::min(letters_by_marks.find('\n', at), letters_by_marks.size());
    const std::string_view part = letters_by_marks.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    bool is_near_one = false;  // a part is near one name only
    for (std::size_t i = 0; i < std::size(names); ++i) {
      Name& name = names[i];
      if (is_near_one || part.size() > name.letters.size() + kBesideMax) continue;
      held.hold_reply |= HoldsNear(part, name.letters, kErrorsAlone);
      is_near_one =
          HoldsNear(part, name.letters, kErrorsInPair) || IsShortened(part, name.letters, name.shortest);
      name.is_near |= is_near_one;
      held.hold_reply |= is_near_one && names[1 - i].is_near;
    }
    held.hold_reply |= IsCutName(before, part);
    held.given |= MarkedClasses(part);
    before = part;
  }
  held.hold_reply |= IsCutName(before, "");
  return held;
}

// The classes that a text names in whole words, with or without blanks and signs between the letters.
std::uint32_t ClassesSeen(std::string_view seen) {
  std::string letters = LettersByMarks(seen);
  const MarkedParts parts = PartsByMarks(letters);
  if (parts.hold_reply) return kEveryClass;
  std::erase(letters, '\n');
  return parts.given | ClassesIn(letters);
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

// Whether a tag begins before `seen[at]`: "</", "<seed:", "[/".
bool IsInTag(std::string_view seen, std::size_t at) {
  constexpr std::string_view kOpenings[] = {"<", "[", "⊲", "⟨"};
  constexpr std::string_view kNameMarks = ":|_-";
  std::string_view before = seen.substr(0, at);
  while (!before.empty() &&
         (IsAsciiAlphanumeric(before.back()) || kNameMarks.find(before.back()) != std::string::npos))
    before.remove_suffix(1);
  while (before.ends_with('/') || before.ends_with(' ') || before.ends_with('\\')) before.remove_suffix(1);
  return std::any_of(std::begin(kOpenings), std::end(kOpenings),
                     [before](std::string_view opening) { return before.ends_with(opening); });
}

// Tags of thoughts, which a judge cannot quote without ending its own: also those of services that split
// thoughts off by tags that no table here holds.
bool HoldsThoughtTags(std::string_view seen) {
  static const std::string kWords[] = {SeenText("think"), SeenText("thought"), SeenText("reason")};
  for (const std::string& word : kWords) {
    for (std::size_t at = seen.find(word); at != std::string_view::npos; at = seen.find(word, at + 1))
      if (IsInTag(seen, at)) return true;
  }
  static const std::vector<std::string> kCloses = [] {
    std::vector<std::string> closes;
    for (const ThoughtTags& tags : ThoughtTagTable()) closes.push_back(SeenText(tags.close));
    return closes;
  }();
  return std::any_of(kCloses.begin(), kCloses.end(),
                     [seen](const std::string& close) { return seen.find(close) != std::string_view::npos; });
}

// A seen text without elements, comments and signs within its words: "</thi<wbr>nk>", "<t*h*ink>".
std::string WithWholeWords(std::string_view seen) {
  constexpr std::string_view kKept = "<>[]/|:_ \n";
  constexpr std::size_t kTagMax = 64;
  std::string whole;
  for (std::size_t at = 0; at < seen.size();) {
    const char c = seen[at];
    const std::size_t end = c == '<' ? seen.find_first_of("<>", at + 1) : std::string_view::npos;
    const bool is_tag = end != std::string_view::npos && seen[end] == '>' && end - at < kTagMax;
    if (is_tag && at > 0 && IsAsciiLetter(seen[at - 1]) && end + 1 < seen.size() &&
        IsAsciiLetter(seen[end + 1])) {
      at = end + 1;
      continue;
    }
    if (IsAsciiAlphanumeric(c) || kKept.find(c) != std::string_view::npos) whole += c;
    ++at;
  }
  return whole;
}

// The classes that a text gives whose escapes have been read in one way.
std::uint32_t ClassesRead(const std::string& read) {
  std::string seen = SeenText(read);
  const std::string short_tags = WithShortTags(read);
  std::string seen_short = short_tags.size() == read.size() ? std::string() : SeenText(short_tags);
  std::uint32_t given = read.find(kSeenPrefix) == std::string::npos ? 0 : kEveryClass;
  given |= ClassesInPieces(WithLettersOfSigns(seen), kPartsApartMax);
  for (int direction = 0; direction < 2 && given != kEveryClass; ++direction) {
    given |= ClassesSeen(seen) | ClassesInPieces(seen, kPartsApartMax) |
             ClassesInPieces(seen_short, kShortTagsApartMax);
    for (std::string* each : {&seen, &seen_short})
      std::reverse(each->begin(), each->end());  // from right to left
  }
  return given;
}

bool ShowsThoughtTags(std::string_view material, std::string_view read) {
  const std::string seen = SeenText(read);
  return HoldsThoughtTags(SeenText(material)) || HoldsThoughtTags(seen) ||
         HoldsThoughtTags(WithLettersOfSigns(WithWholeWords(seen)));
}

}  // namespace

JudgedAnswer::JudgedAnswer(std::string_view material)
    : code_(Fence({"the code of a verdict", material, AsciiLower(material)}).code()) {
  const std::string read = WithoutEscapes(material);
  given_ = ClassesRead(read);
  if (given_ != kEveryClass) {
    const std::string read_otherwise = WithoutEscapes(material, EscapeReading::kEvery);
    if (read_otherwise != read) given_ |= ClassesRead(read_otherwise);
  }
  asks_at_once_ = HoldsVerdicts() || ShowsThoughtTags(material, read);
}

JudgedAnswer JudgedAnswer::WithEveryClass() const {
  JudgedAnswer every = *this;
  every.given_ = kEveryClass;
  return every;
}

bool JudgedAnswer::Gives(const JudgeClass& is) const {
  return ((given_ >> (&is - JudgeScale().data())) & 1u) != 0;
}

}  // namespace assay
