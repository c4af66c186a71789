// Finds classes in an answer by the letters that a reader sees, in either direction, with a typing error too.
//
// A judge that quotes an answer may tidy it, translate it, begin anywhere and stop anywhere. So no text of
// its reply tells a quotation from a verdict of its own: if the answer gives a class, only the code does.
#include "checks/judge/reading/judged_answer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/edit_distance.h"
#include "checks/judge/fence.h"
#include "checks/judge/reading/near_words.h"
#include "text/letters/escapes.h"
#include "text/letters/seen_letters.h"
#include "text/thoughts.h"

namespace assay {
namespace {

// Of markup between a word and the class: "<classification><b style=...>".
constexpr std::size_t kMarkupLetters = 24;
constexpr std::size_t kNameLettersMax = 14;  // of a class, and one more
// Between the pieces of a name: at these distances, other texts have hardly any.
constexpr std::size_t kPartsApartMax = 128;
constexpr std::size_t kShortMarkupApartMax = 32;  // where tags, comments and brackets have become short

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
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const std::size_t at : EndsNear(letters, SeenLetters(sign.word), sign.errors)) {
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

bool HoldClass(std::string_view letters) {
  return std::any_of(std::begin(kSigns), std::end(kSigns), [letters](const ClassSign& sign) {
    const std::vector<std::string_view> parts = PartsNear(letters, sign);
    const std::string prefix = SeenLetters(sign.prefix);
    return !parts.empty() &&
           std::any_of(JudgeScale().begin(), JudgeScale().end(), [&](const JudgeClass& each) {
             const std::string word = prefix + SeenLetters(each.name.substr(kClassPrefix.size()));
             return std::any_of(parts.begin(), parts.end(),
                                [&word](std::string_view part) { return HoldsNear(part, word); });
           });
  });
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

// The name of a part of a reply, and how short it may have become.
struct PartName {
  std::string letters;
  std::string stem;             // "classif" of "classify"
  std::size_t shortest;         // of its letters, left out as one does in a hurry
  std::size_t shortest_alike;   // the same, wherever the other name is
  std::size_t shortest_in_tag;  // of a tag beside a tag of the other name
  bool is_alike = false;        // found before
  std::size_t short_at = 0;     // the last part that is short for it; 0: none
};
std::array<PartName, 2> PartNames() {
  return {{{SeenLetters("classification"), SeenLetters("classif"), 6, 8, 3},
           {SeenLetters("reflection"), SeenLetters("refle"), 5, 6, 3}}};
}

// With how many typing errors a name between marks is known: alone, beside the other name, of a class.
constexpr std::size_t kErrorsAlone = 1;
constexpr std::size_t kErrorsInPair = 3;
constexpr std::size_t kErrorsInClass = 2;

std::u32string Wide(std::string_view ascii) { return {ascii.begin(), ascii.end()}; }

// Whether the part is the name of a class with its prefix, however misspelled: "<grade>CLAS_EXCT</grade>".
bool IsMarkedClass(std::string_view part) {
  constexpr std::size_t kShortest = 9;
  constexpr std::size_t kLongest = 19;
  if (part.size() < kShortest - kErrorsInClass || part.size() > kLongest) return false;
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const JudgeClass& each : JudgeScale()) names.push_back(SeenLetters(each.name));
    return names;
  }();
  return std::any_of(kNames.begin(), kNames.end(), [part](const std::string& name) {
    return HoldsNear(part, name, kErrorsInClass) && EditDistance(Wide(part), Wide(name)) <= kErrorsInClass;
  });
}

// Whether a part between marks (a tag, a member, a label) gives a class, or is named as a part of a reply is:
// "<classification", "'Reflection':".
// A judge may tidy or complete the content of such a part to any class: "10", "CLASS_EX<br>ACT", "CLASS_E".
// One of the names alone may be an ordinary word ("clarification", "selection"); both in one text rarely are.
bool PartsHoldVerdict(std::string_view letters_by_marks) {
  constexpr std::size_t kBesideMax = 8;  // of an attribute, "my-", "a/"
  constexpr std::size_t kShortApartMax = 4;
  std::array<PartName, 2> names = PartNames();
  bool holds = false;
  std::string_view before;
  std::size_t number = 0;
  for (std::size_t at = 0; at < letters_by_marks.size() && !holds;) {
    const std::size_t end = std::min(letters_by_marks.find('\n', at), letters_by_marks.size());
    const std::string_view part = letters_by_marks.substr(at, end - at);
    at = end + 1;
    if (part.empty()) continue;
    ++number;
    for (std::size_t i = 0; i < names.size(); ++i) {
      PartName& name = names[i];
      const PartName& other = names[1 - i];
      if (part.size() > name.letters.size() + kBesideMax) continue;
      holds |= HoldsNear(part, name.letters, kErrorsAlone);
      const bool is_alike = HoldsNear(part, name.letters, kErrorsInPair) ||
                            IsShortened(part, name.letters, name.shortest_alike);
      const bool is_short =
          part.size() <= name.letters.size() &&
          (is_alike || part.starts_with(name.stem) || IsShortened(part, name.letters, name.shortest));
      if (!is_alike && !is_short) continue;
      const bool is_behind_other = other.short_at != 0 && number - other.short_at <= kShortApartMax;
      holds |= (is_alike && other.is_alike) || (is_short && is_behind_other);
      name.is_alike |= is_alike;
      if (is_short) name.short_at = number;
      break;  // a part is near one name only
    }
    holds |= IsCutName(before, part) || IsMarkedClass(part);
    before = part;
  }
  return holds || IsCutName(before, "");
}

// What stands before a class in a verdict of another form: "Verdict: EXACT", "<grade>exact</grade>".
constexpr std::string_view kVerdictLabels[] = {"verdict", "grade",      "class",      "score",     "rating",
                                               "result",  "judgement",  "judgment",   "label",     "decision",
                                               "mark",    "evaluation", "assessment", "conclusion"};
// Elements that say nothing about their content.
constexpr std::string_view kPlainElements[] = {
    "a",    "b",    "i",     "p",      "s",     "u",      "h1",      "h2",     "h3",
    "h4",   "h5",   "li",    "td",     "th",    "dd",     "dt",      "br",     "em",
    "ul",   "ol",   "hr",    "tt",     "kbd",   "div",    "sub",     "sup",    "span",
    "font", "code", "small", "strong", "title", "option", "caption", "button", "summary"};

std::vector<std::string> SeenWords(std::span<const std::string_view> words) {
  std::vector<std::string> seen;
  for (const std::string_view each : words) seen.push_back(SeenText(each));
  return seen;
}
const std::vector<std::string>& SeenLabels() {
  static const std::vector<std::string> kSeen = SeenWords(kVerdictLabels);
  return kSeen;
}
const std::vector<std::string>& SeenElements() {
  static const std::vector<std::string> kSeen = SeenWords(kPlainElements);
  return kSeen;
}

constexpr std::size_t kNoErrors = 99;

// Whether the text is the name of a class without its prefix; with a typing error, if the name has so many
// letters.
bool IsBareClass(std::string_view letters, std::size_t errors_from) {
  constexpr std::size_t kShortest = 4;
  constexpr std::size_t kLongest = 15;
  if (letters.size() < kShortest || letters.size() > kLongest) return false;
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const JudgeClass& each : JudgeScale())
      names.push_back(SeenLetters(each.name.substr(kClassPrefix.size())));
    return names;
  }();
  return std::any_of(kNames.begin(), kNames.end(), [letters, errors_from](const std::string& name) {
    return letters == name || (name.size() >= errors_from && HoldsNear(letters, name) &&
                               EditDistance(Wide(letters), Wide(name)) <= 1);
  });
}

// What stands behind a mark up to the next one, as letters: "EXACT" of ` **EXACT**"`; "" if it has more than
// a class.
std::string LettersBehind(std::string_view seen, std::size_t at) {
  constexpr std::string_view kBefore = " *_`\"'([{~\x1f";
  constexpr std::string_view kEnds = "<>|,.;:[](){}\"'`\n\r!";
  constexpr std::size_t kLongest = 48;
  while (at < seen.size() && kBefore.find(seen[at]) != std::string_view::npos) ++at;
  const std::string_view rest = seen.substr(at, kLongest);
  const std::size_t end = rest.find_first_of(kEnds);
  if (end == std::string_view::npos && rest.size() == kLongest) return {};
  std::string letters = LettersByMarks(rest.substr(0, end));
  std::erase(letters, '\n');
  return letters;
}

// The name of the tag that ends with the ">" or "]" at `at`; "" if it is none, or a closing one.
std::string_view TagBefore(std::string_view seen, std::size_t at) {
  constexpr std::size_t kTagMax = 256;
  const std::size_t from = at > kTagMax ? at - kTagMax : 0;
  const std::size_t open = seen.substr(from, at - from).find_last_of(seen[at] == '>' ? "<>" : "[]");
  if (open == std::string_view::npos || seen[from + open] == seen[at]) return {};
  const std::size_t begin = from + open + 1;
  std::size_t end = begin;
  while (end < at && (IsAsciiAlphanumeric(seen[end]) || seen[end] == '_' || seen[end] == '-')) ++end;
  return seen.substr(begin, end - begin);
}

bool IsOneOf(std::string_view word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether a class is in capitals soon after a word for a verdict: "my verdict is EXACT".
bool HoldsClassInCapitals(std::string_view capitals, std::string_view read) {
  constexpr std::size_t kApartMax = 24;
  for (std::size_t at = 0; at < capitals.size();) {
    std::size_t end = at;
    while (end < capitals.size() && (IsAsciiAlphanumeric(capitals[end]) || capitals[end] == '_')) ++end;
    std::string word(capitals.substr(at, end - at));
    std::erase(word, '_');
    if (IsBareClass(word, kNoErrors)) {
      const std::size_t from = at - std::min(at, kApartMax);
      const std::string before = SeenText(read.substr(from, at - from));
      const std::size_t line = before.find_last_of("\n\r") + 1;
      const auto is_before = [&before, line](const std::string& label) {
        return before.find(label, line) != std::string::npos;
      };
      const std::vector<std::string>& labels = SeenLabels();
      if (std::any_of(labels.begin(), labels.end(), is_before)) return true;
    }
    at = std::max(end, at + 1);
  }
  return false;
}

// Whether a class stands behind a word for a verdict, with only marks or "is" between: "Verdict - exact".
bool HoldsClassBehindLabel(std::string_view seen) {
  constexpr std::size_t kMarksMax = 12;
  static const std::string kIs = SeenText("is ");
  for (const std::string& label : SeenLabels()) {
    for (std::size_t at = seen.find(label); at != std::string_view::npos; at = seen.find(label, at + 1)) {
      std::size_t end = at + label.size();
      if (end < seen.size() && IsAsciiAlphanumeric(seen[end])) continue;
      const auto skip_marks = [seen, &end] {
        const std::size_t most = std::min(seen.size(), end + kMarksMax);
        while (end < most && !IsAsciiAlphanumeric(seen[end])) ++end;
      };
      skip_marks();
      if (seen.substr(end).starts_with(kIs)) end += kIs.size();
      skip_marks();
      if (IsBareClass(LettersBehind(seen, end), 0)) return true;
    }
  }
  return false;
}

// Whether a class stands behind the name of a part of a reply or a word for a verdict of which only some
// letters are left: "C: exact", "cls = exact".
bool HoldsClassBehindShortLabel(std::string_view seen) {
  constexpr std::size_t kMarksMax = 4;
  constexpr std::size_t kCallMax = 24;
  static const std::vector<std::string> kNames = {SeenLetters("classification"), SeenLetters("verdict"),
                                                  SeenLetters("grade")};
  for (std::size_t at = seen.find_first_of(":="); at != std::string_view::npos;
       at = seen.find_first_of(":=", at + 1)) {
    std::size_t end = at;
    while (end > 0 && at - end < kMarksMax && !IsAsciiAlphanumeric(seen[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && end - begin < kNameLettersMax && IsAsciiAlphanumeric(seen[begin - 1])) --begin;
    const std::string_view label = seen.substr(begin, end - begin);
    const auto is_label = [label](const std::string& name) { return IsShortened(label, name, 1); };
    if (label.empty() || std::none_of(kNames.begin(), kNames.end(), is_label)) continue;
    const std::string_view near = seen.substr(at, kCallMax);  // "c = partial(f)"
    const bool is_call = seen[at] == '=' && near.find('(') < near.find_first_of(" \n", kMarksMax);
    if (!is_call && IsBareClass(LettersBehind(seen, at + 1), 0)) return true;
  }
  return false;
}

// Whether a sign points to a class in capitals: "- EXACT", "→ EXACT".
bool HoldsClassBehindPointer(std::string_view capitals, std::size_t errors_from) {
  constexpr std::string_view kPointers[] = {"- ", "* ", "+ ", "# ", "• ", "– ", "—", "− ", "→", "⇒", "➔",
                                            "➜",  "➡",  "⟶",  "⟹",  "▶",  "►",  "»", "✓",  "✔", "✅"};
  constexpr std::size_t kLongest = 64;
  return std::any_of(std::begin(kPointers), std::end(kPointers), [&](std::string_view pointer) {
    for (std::size_t at = capitals.find(pointer); at != std::string_view::npos;
         at = capitals.find(pointer, at + 1)) {
      const std::string_view behind = capitals.substr(at + pointer.size(), kLongest);
      const bool goes_on = behind.substr(0, behind.find_first_of(".,;:|<>()[]\n")).find('?') !=
                           std::string_view::npos;  // in small letters: "- MAJOR changes"
      if (!goes_on && IsBareClass(LettersBehind(behind, 0), errors_from)) return true;
    }
    return false;
  });
}

// Whether a class stands behind a label or in an element as a verdict does. In capitals, any label and any
// element will do.
bool HoldsClassInShape(std::string_view read, std::string_view seen) {
  constexpr std::size_t kErrorsFrom = 8;  // "LIGHT" is no "SLIGHT"
  constexpr std::string_view kWideColon = "：";
  std::string capitals(read);
  for (std::size_t at = 0; (at = capitals.find(kWideColon, at)) != std::string::npos;)
    capitals.replace(at, kWideColon.size(), ":");
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? '?' : c == 'I' ? 'L' : c;
  if (HoldsClassInCapitals(capitals, read) || HoldsClassBehindLabel(seen) ||
      HoldsClassBehindShortLabel(seen) || HoldsClassBehindPointer(capitals, kErrorsFrom))
    return true;
  for (std::size_t at = capitals.find_first_of(":=>]"); at != std::string::npos;
       at = capitals.find_first_of(":=>]", at + 1)) {
    if (IsBareClass(LettersBehind(capitals, at + 1), kErrorsFrom)) return true;
  }
  for (std::size_t at = seen.find_first_of(">]"); at != std::string_view::npos;
       at = seen.find_first_of(">]", at + 1)) {
    if (!IsBareClass(LettersBehind(seen, at + 1), 0)) continue;
    const std::string_view name = TagBefore(seen, at);
    if (!name.empty() && !IsOneOf(name, SeenElements())) return true;
  }
  return false;
}

// Whether a closing tag stands before an opening one, and both names are short for those of a reply, or the
// first one clearly is: "</rfl><cls>", "[/reflect][grade]".
bool HoldsTagsInShort(std::string_view seen) {
  constexpr std::string_view kOpen = "<[{(";
  constexpr std::string_view kClose = ">]})";
  constexpr std::size_t kNameMax = 24;
  constexpr std::size_t kApartMax = 16;
  constexpr std::string_view kClearStem = "REFL";
  constexpr std::size_t kClearLetters = 4;
  const std::array<PartName, 2> names = PartNames();
  const auto is_short = [](std::string_view name, const PartName& of) {
    return name.starts_with(of.stem) || IsShortened(name, of.letters, of.shortest_in_tag);
  };
  for (std::size_t at = seen.find('/'); at != std::string_view::npos; at = seen.find('/', at + 1)) {
    if (at == 0 || kOpen.find(seen[at - 1]) == std::string_view::npos) continue;
    const std::size_t close = seen.substr(0, std::min(seen.size(), at + kNameMax)).find_first_of(kClose, at);
    if (close == std::string_view::npos) continue;
    std::string name = LettersByMarks(seen.substr(at + 1, close - at - 1));
    std::erase(name, '\n');
    if (!is_short(name, names[1])) continue;
    const std::string_view near = seen.substr(0, std::min(seen.size(), close + kApartMax));
    const std::size_t open = near.find_first_of(kOpen, close);
    if (open == std::string_view::npos) continue;
    const std::string behind = LettersByMarks(seen.substr(open + 1, kNameMax)) + "\n";
    const std::string_view next = std::string_view(behind).substr(0, behind.find('\n'));
    const bool is_clear = name.starts_with(kClearStem) || IsShortened(name, names[1].letters, kClearLetters);
    const bool is_named = !next.empty() && !IsOneOf(next, SeenElements());
    if (is_short(next, names[0]) || (is_clear && is_named)) return true;
  }
  return false;
}

// Whether a text names a class in whole words, with or without blanks and signs between the letters.
bool NamesClass(std::string_view seen) {
  std::string letters = LettersByMarks(seen);
  if (PartsHoldVerdict(letters) || HoldsTagsInShort(seen)) return true;
  std::erase(letters, '\n');
  return HoldClass(letters);
}

std::string WithLettersOfSigns(std::string seen) {
  for (char& c : seen) {
    if (const char letter = LetterOfSign(c); letter != '\0') c = letter;
  }
  return seen;
}

// Whether signs with a letter or two part the letters of a part of a reply.
bool HoldsPartsByFewLetters(std::string_view seen) {
  constexpr std::size_t kApartMax = 8;
  return HoldsPieced(seen, SeenLetters("classification"), kApartMax, Between::kFewLetters) ||
         HoldsPieced(seen, SeenLetters("reflection"), kApartMax, Between::kFewLetters);
}

// Whether a text gives a class in pieces: a judge that tidies leaves out whatever is within a word.
bool NamesClassInPieces(std::string_view seen, std::size_t parts_apart_max) {
  // "class" and "exact" stand near each other in other texts, too
  constexpr std::size_t kClassesApartMax = 16;
  for (const std::string_view part : {"classification", "reflection"}) {
    const std::string word = SeenLetters(part);
    if (HoldsPieced(seen, word, parts_apart_max) || HoldsPartedAlike(seen, word)) return true;
  }
  return std::any_of(JudgeScale().begin(), JudgeScale().end(), [seen](const JudgeClass& each) {
    return HoldsPieced(seen, SeenLetters(each.name), kClassesApartMax);
  });
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

// A text whose escapes have been read in one way, in the forms in which classes are looked for.
struct SeenForms {
  explicit SeenForms(const std::string& text)
      : read(text),
        seen(SeenText(text)),
        runs(WithShortRuns(seen)),
        markup(WithShortRuns(SeenText(WithShortMarkup(text)))) {}
  // From right to left.
  SeenForms Reversed() const {
    SeenForms other = *this;
    for (std::string* each : {&other.seen, &other.runs, &other.markup})
      std::reverse(each->begin(), each->end());
    return other;
  }
  std::string read;
  std::string seen;    // as letters look
  std::string runs;    // with runs of one sign cut short
  std::string markup;  // with tags, comments and brackets cut short
};

// One way in which a text gives a class or a part of a verdict, cheap ways first.
struct Detector {
  bool (*finds)(const SeenForms& forms);
  bool reads_backwards;  // as well
};
constexpr Detector kDetectors[] = {
    {[](const SeenForms& forms) { return forms.read.find(kClassPrefix) != std::string::npos; }, false},
    {[](const SeenForms& forms) { return HoldsPartsByFewLetters(forms.seen); }, false},
    {[](const SeenForms& forms) {
       return NamesClassInPieces(WithLettersOfSigns(forms.seen), kPartsApartMax);
     },
     false},
    {[](const SeenForms& forms) { return HoldsClassInShape(forms.read, forms.seen); }, false},
    {[](const SeenForms& forms) { return NamesClass(forms.seen); }, true},
    {[](const SeenForms& forms) { return NamesClassInPieces(forms.runs, kPartsApartMax); }, true},
    {[](const SeenForms& forms) { return NamesClassInPieces(forms.markup, kShortMarkupApartMax); }, true},
};

bool GivesClass(const std::string& read) {
  const SeenForms forms(read);
  const auto finds = [&forms](const Detector& each) { return each.finds(forms); };
  if (std::any_of(std::begin(kDetectors), std::end(kDetectors), finds)) return true;
  const SeenForms reversed = forms.Reversed();
  return std::any_of(std::begin(kDetectors), std::end(kDetectors), [&reversed](const Detector& each) {
    return each.reads_backwards && each.finds(reversed);
  });
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
  holds_verdicts_ =
      GivesClass(read) || HoldsPartsByFewLetters(SeenText(material));  // "cl\fBass": an escape, too
  if (!holds_verdicts_) {
    const std::string read_otherwise = WithoutEscapes(material, EscapeReading::kEvery);
    holds_verdicts_ = read_otherwise != read && GivesClass(read_otherwise);
  }
  asks_at_once_ = holds_verdicts_ || ShowsThoughtTags(material, read);
}

JudgedAnswer JudgedAnswer::NeedingCode() const {
  JudgedAnswer needing = *this;
  needing.holds_verdicts_ = true;
  return needing;
}

}  // namespace assay
