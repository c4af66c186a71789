// Goes down the ladder of rules; each reads the text from left to right.
#include "text/prose/choice.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/prose/normal.h"

namespace assay {

namespace {

constexpr std::string_view kOuter = "()[]{}.:,;\"'` \t\r\n";
constexpr std::string_view kOpening[] = {"\\boxed{", "\\text{", "(", "[", "\"", "'", "“", "‘", ":", "="};
constexpr std::size_t kListMax = 64;  // letters that one declaration names
constexpr std::string_view kClosing = ")]}\"'";

template <std::size_t size>
bool IsAmong(std::string_view word, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool PartsWords(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Without Markdown's **, __, * and `.
std::string WithoutEmphasis(std::string_view text) {
  std::string bare;
  bare.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_double = text[i] == '_' && i + 1 < text.size() && text[i + 1] == '_';
    if (is_double) ++i;
    if (!is_double && text[i] != '*' && text[i] != '`') bare += text[i];
  }
  return bare;
}

// The letters that a declaration names, behind its words; empty: it is none.
struct Declared {
  std::string letters;  // capitals, in the order of the text; more than one: it names several
  std::size_t end = 0;
};

struct Stretch {
  std::size_t from = 0;
  std::size_t to = 0;
};

class ChoiceReader {
 public:
  ChoiceReader(std::string_view text, const ChoiceRules& rules)
      : bare_(WithoutEmphasis(text)), text_(JsTrim(bare_)), lower_(AsciiLower(text_)), rules_(rules) {}

  std::optional<char> One() {
    if (const std::optional<char> whole = OfWhole(text_)) return whole;
    if (const std::optional<std::string> declared = LastDeclaration(false))
      return declared->size() == 1 ? std::optional(declared->front()) : std::nullopt;
    if (const std::optional<char> option = OfOptions()) return option;
    if (const std::optional<char> first = OfStart(text_, true)) return first;
    if (const std::optional<char> last = OfLastLine()) return last;
    if (const std::optional<char> bracket = OfLastBracket()) return bracket;
    if (const std::optional<char> text = OfTexts()) return text;
    return OfCapitals();
  }

  std::string Several() {
    const std::string whole = OnlyLetters(text_);
    return whole.empty() ? LastDeclaration(true).value_or("") : whole;
  }

 private:
  bool IsValid(char c) const { return rules_.letters.find(Upper(c)) != std::string::npos; }
  char At(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  // A letter with a case, a digit or an apostrophe: what makes a letter beside it a part of a word.
  bool JoinsAt(std::size_t at) const {
    if (at >= text_.size()) return false;
    const char c = text_[at];
    if (c == '\'') return IsAsciiLetter(At(at + 1));
    if (IsAsciiAlphanumeric(c)) return true;
    if ((static_cast<unsigned char>(c) & 0x80) == 0) return false;
    const auto point = static_cast<UChar32>(DecodeUtf8(text_, at).code_point);
    return point == 0x2019 || u_isULowercase(point) || u_isUUppercase(point);
  }
  bool JoinsBefore(std::size_t at) const {
    if (at == 0) return false;
    std::size_t start = at - 1;
    while (start > 0 && (static_cast<unsigned char>(text_[start]) & 0xc0) == 0x80) --start;
    return text_[start] != '\'' && JoinsAt(start);
  }

  std::size_t SkipBlanks(std::size_t at) const {
    while (at < text_.size() && PartsWords(text_[at])) ++at;
    return at;
  }
  // The word of ASCII letters that begins there, in small letters.
  std::string_view WordAt(std::size_t at) const {
    std::size_t end = at;
    while (end < lower_.size() && IsAsciiLetter(lower_[end])) ++end;
    return std::string_view(lower_).substr(at, end - at);
  }

  // Whether a letter that a question may have stands there as a letter, and not as a word or a part of one.
  bool IsLetterAt(std::size_t at) const {
    static constexpr std::array<std::string_view, 12> kBehindLetter = {
        "and", "or", "is", "was", "because", "since", "but", "as", "not", "nor", "seems", "would"};
    if (at >= text_.size() || !IsValid(text_[at]) || JoinsAt(at + 1)) return false;
    std::size_t next = at + 1;
    while (At(next) == ' ' || At(next) == '\t') ++next;
    if (next == at + 1 || !IsAsciiLetter(At(next))) return true;
    const char c = text_[at];
    if (IsAsciiLetter(c) && c == AsciiLower(c)) return false;
    if (c != 'A' && c != 'I') return true;
    return At(next) != lower_[next] || IsAmong(WordAt(next), kBehindLetter);
  }

  std::optional<char> OfWhole(std::string_view text) const {
    const std::size_t first = text.find_first_not_of(kOuter);
    if (first == std::string_view::npos || text.find_last_not_of(kOuter) != first) return {};
    return IsValid(text[first]) ? std::optional(Upper(text[first])) : std::nullopt;
  }

  // Behind blanks, opening marks and the words option, choice, letter. What several declarations would pass
  // over is passed over once.
  std::size_t SkipFill(std::size_t from, Stretch& known) const {
    if (from >= known.from && from < known.to) return known.to;
    std::size_t at = from;
    for (bool goes_on = true; goes_on;) {
      const std::size_t before = at;
      at = SkipBlanks(at);
      for (const std::string_view mark : kOpening) {
        if (text_.substr(at, mark.size()) == mark) at += mark.size();
      }
      const std::string_view word = WordAt(at);
      if (word == "option" || word == "choice" || word == "letter") at += word.size();
      goes_on = at != before;
    }
    known = {from, at};
    return at;
  }

  // Behind commas, slashes, ampersands, "and" and "or"; `at` itself if there are none.
  std::size_t SkipConnectors(std::size_t at) const {
    std::size_t end = at;
    while (kClosing.find(At(end)) != std::string_view::npos && end < text_.size()) ++end;
    bool is_connected = false;
    for (;;) {
      const std::size_t next = SkipBlanks(end);
      const std::string_view word = WordAt(next);
      std::size_t size = word == "and" || word == "or" ? word.size() : 0;
      if (At(next) == ',' || At(next) == '/' || At(next) == '&') size = 1;
      if (size == 0) return is_connected ? next : at;
      is_connected = true;
      end = next + size;
    }
  }

  // The letter behind another one, as the next of a list: its place, or npos.
  std::size_t NextOfList(std::size_t letter) {
    const std::size_t behind = SkipConnectors(letter + 1);
    if (behind == letter + 1) return std::string_view::npos;
    const std::size_t next = SkipFill(behind, list_fill_);
    if (!IsLetterAt(next)) return std::string_view::npos;
    const std::string_view word = WordAt(SkipBlanks(next + 1));
    const bool is_told_of = next + 1 < text_.size() && PartsWords(text_[next + 1]) &&
                            (word == "is" || word == "are" || word == "was");
    return is_told_of ? std::string_view::npos : next;
  }

  Declared LettersFrom(std::size_t at, bool takes_all) {
    Declared declared;
    if (takes_all) {
      const std::string run = RunOfLetters(at);
      if (run.size() > 1) return {.letters = run, .end = at + run.size()};
    }
    if (!IsLetterAt(at)) return declared;
    declared.letters = std::string(1, Upper(text_[at]));
    std::size_t left = kListMax;
    for (std::size_t next = NextOfList(at); next != std::string_view::npos && left > 0;
         next = NextOfList(next), --left) {
      const char letter = Upper(text_[next]);
      if (letter != declared.letters.front()) declared.letters += letter;
      at = next;
      if (!takes_all && declared.letters.size() > 1) break;
    }
    declared.end = at + 1;
    return declared;
  }

  // "AC": capitals without anything between them.
  std::string RunOfLetters(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && IsValid(text_[end]) && text_[end] == Upper(text_[end])) ++end;
    if (JoinsAt(end) || JoinsBefore(at)) return {};
    return std::string(text_.substr(at, end - at));
  }

  // Behind is, are, would be, should be; `at` itself if none of them stands there.
  std::size_t SkipVerb(std::size_t at) const {
    const std::size_t start = SkipBlanks(at);
    const std::string_view word = WordAt(start);
    if (word == "is" || word == "are") return start + word.size();
    if (word != "would" && word != "should") return at;
    const std::size_t next = SkipBlanks(start + word.size());
    return WordAt(next) == "be" ? next + 2 : at;
  }

  // Where the letter of a declaration stands whose last noun ends at `end`; npos if it is none.
  std::size_t BehindNoun(std::string_view noun, bool is_praised, std::size_t end) {
    const std::size_t behind_verb = SkipVerb(end);
    const bool is_answer = noun == "answer" || noun == "answers";
    if (!is_answer && !is_praised && behind_verb == end) {
      const std::size_t mark = SkipBlanks(end);
      if (At(mark) != ':' && At(mark) != '=') return std::string_view::npos;
    }
    return SkipFill(behind_verb, noun_fill_);
  }

  // Of `\boxed{L}`, the place behind "\boxed{": its letter, if nothing else is in the box.
  std::string BoxedFrom(std::size_t at) const {
    const std::string_view rest = text_.substr(at);
    std::size_t open = 0;
    while (open < rest.size() && (PartsWords(rest[open]) || rest[open] == '(')) ++open;
    if (rest.substr(open).starts_with("\\text{")) open += 6;
    if (open >= rest.size() || !IsValid(rest[open])) return {};
    std::size_t end = open + 1;
    while (end < rest.size() && (PartsWords(rest[end]) || rest[end] == ')')) ++end;
    return end < rest.size() && rest[end] == '}' ? std::string(1, Upper(rest[open])) : std::string();
  }

  // What the last declaration or box names; nothing if there is none.
  std::optional<std::string> LastDeclaration(bool takes_all) {
    static constexpr std::array<std::string_view, 6> kNouns = {"answer",  "answers", "choice",
                                                               "choices", "option",  "options"};
    static constexpr std::array<std::string_view, 4> kPraise = {"final", "correct", "best", "right"};
    constexpr std::string_view kBox = "\\boxed{";
    std::optional<std::string> last;
    std::string_view before;  // the word before, as far as only blanks part the two
    for (std::size_t at = 0; at < text_.size();) {
      if (!IsAsciiLetter(text_[at])) {
        if (text_.substr(at, kBox.size()) == kBox) {
          if (std::string boxed = BoxedFrom(at + kBox.size()); !boxed.empty()) last = std::move(boxed);
        }
        if (!PartsWords(text_[at])) before = {};
        ++at;
        continue;
      }
      const std::string_view word = WordAt(at);
      const std::size_t end = at + word.size();
      if (IsAmong(word, kNouns) && !JoinsBefore(at) && (takes_all || word.back() != 's')) {
        const std::size_t letter = BehindNoun(word, IsAmong(before, kPraise), end);
        if (letter != std::string_view::npos && letter > end) {
          const Declared declared = LettersFrom(letter, takes_all);
          if (!declared.letters.empty()) last = declared.letters;
        }
      }
      before = word;
      at = end;
    }
    if (last && takes_all) last = Ordered(*last);
    return last;
  }

  static std::string Ordered(std::string letters) {
    std::sort(letters.begin(), letters.end());
    letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
    return letters;
  }

  // The letters of a text that has nothing but letters, marks and connectors; "" if it has more.
  std::string OnlyLetters(std::string_view text) const {
    std::string letters;
    for (std::size_t at = 0; at < text.size();) {
      if (kOuter.find(text[at]) != std::string_view::npos || text[at] == '/' || text[at] == '&') {
        ++at;
        continue;
      }
      const std::string_view word = WordAt(at);
      if (word == "and" || word == "or") {
        at += word.size();
      } else {
        const std::string run =
            word.size() == 1 && IsValid(text[at]) ? std::string(1, Upper(text[at])) : RunOfLetters(at);
        if (run.empty()) return {};
        letters += run;
        at += run.size();
      }
    }
    return Ordered(std::move(letters));
  }

  // "option B", "choice (B)": the one letter that all of them name.
  std::optional<char> OfOptions() const {
    std::optional<char> named;
    for (std::size_t at = 0; at < text_.size();) {
      if (!IsAsciiLetter(text_[at])) {
        ++at;
        continue;
      }
      const std::string_view word = WordAt(at);
      const bool is_noun = (word == "option" || word == "choice") && !JoinsBefore(at);
      at += word.size();
      if (!is_noun) continue;
      std::size_t letter = SkipBlanks(at);
      if (At(letter) == '(' || At(letter) == '[' || At(letter) == '"') ++letter;
      if (letter == at || !IsLetterAt(letter)) continue;
      const char found = Upper(text_[letter]);
      if (named && *named != found) return {};
      named = found;
    }
    return named;
  }

  std::optional<char> OfStart(std::string_view text, bool is_text) {
    const bool is_bracketed = text.starts_with('(') && is_text;
    const std::size_t at = is_bracketed ? 1 : 0;
    if (text.size() < at + 2 || !IsValid(text[at])) return {};
    const char behind = text[at + 1];
    const std::string_view marks = is_bracketed ? ")" : is_text ? ").:]," : ").:";
    if (marks.find(behind) == std::string_view::npos) return {};
    if (behind == ',' && NextOfList(0) != std::string_view::npos) return {};
    return Upper(text[at]);
  }

  std::optional<char> OfLastLine() {
    const std::size_t end = text_.rfind('\n');
    const std::string_view line = JsTrim(end == std::string_view::npos ? text_ : text_.substr(end + 1));
    if (line.size() == 1 && IsValid(line[0])) return Upper(line[0]);
    if (line.size() == 3 && line[0] == '(' && line[2] == ')' && IsValid(line[1])) return Upper(line[1]);
    return OfStart(line, false);
  }

  std::optional<char> OfLastBracket() const {
    for (std::size_t at = text_.rfind('('); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text_.rfind('(', at - 1)) {
      if (At(at + 2) == ')' && IsValid(text_[at + 1])) return Upper(text_[at + 1]);
    }
    return {};
  }

  // Texts that occur as words of their own, the longest first; a text within one that was found does not
  // count.
  std::optional<char> OfTexts() const {
    if (rules_.texts.empty()) return {};
    std::string lower = JsToLower(text_);
    std::vector<std::pair<std::string, char>> texts;
    for (std::size_t i = 0; i < rules_.texts.size(); ++i)
      texts.emplace_back(JsToLower(rules_.texts[i]), rules_.letters[i]);
    std::stable_sort(texts.begin(), texts.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    std::optional<char> named;
    for (const auto& [wanted, letter] : texts) {
      if (!TakeOut(wanted, lower)) continue;
      if (named) return {};
      named = letter;
    }
    return named;
  }

  // Blots out each place where the words stand; false if there is none.
  static bool TakeOut(const std::string& words, std::string& text) {
    bool is_there = false;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
      if (!StandsAlone(text, at, words.size())) continue;
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), words.size(), '\x01');
      is_there = true;
    }
    return is_there;
  }

  static bool StandsAlone(const std::string& text, std::size_t at, std::size_t size) {
    std::size_t start = at;
    while (start > 0 && (static_cast<unsigned char>(text[start - 1]) & 0xc0) == 0x80) --start;
    const bool joins_before = at > 0 &&
                              IsWordLetter(DecodeUtf8(text, start > 0 ? start - 1 : 0).code_point) &&
                              IsWordLetter(DecodeUtf8(text, at).code_point);
    std::size_t last = at + size - 1;
    while (last > at && (static_cast<unsigned char>(text[last]) & 0xc0) == 0x80) --last;
    const bool joins_behind = at + size < text.size() &&
                              IsWordLetter(DecodeUtf8(text, at + size).code_point) &&
                              IsWordLetter(DecodeUtf8(text, last).code_point);
    return !joins_before && !joins_behind;
  }

  // Whether "not" or a word that ends in n't stands right before.
  bool IsDenied(std::size_t at) const {
    std::size_t end = at;
    while (end > 0 && (PartsWords(text_[end - 1]) || text_[end - 1] == '(' || text_[end - 1] == '"')) --end;
    const std::string_view before = std::string_view(lower_).substr(0, end);
    if (before.ends_with("n't") || before.ends_with("n’t")) return true;
    return before.ends_with("not") && (end == 3 || !JoinsAt(end - 4));
  }

  std::optional<char> OfCapitals() const {
    std::optional<char> named;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] != Upper(text_[at]) || !IsLetterAt(at) || JoinsBefore(at) || IsDenied(at)) continue;
      if (named && *named != text_[at]) return {};
      named = text_[at];
    }
    return named;
  }

  std::string bare_;
  std::string_view text_;
  std::string lower_;
  const ChoiceRules& rules_;
  Stretch noun_fill_;  // the last ones that SkipFill passed over behind a noun, and within a list
  Stretch list_fill_;
};

}  // namespace

std::optional<char> FindChoice(std::string_view text, const ChoiceRules& rules) {
  return ChoiceReader(text, rules).One();
}

std::string FindChoices(std::string_view text, const ChoiceRules& rules) {
  return ChoiceReader(text, rules).Several();
}

}  // namespace assay
