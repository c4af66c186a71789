// Finds verdicts in an answer by the letters that a reader sees, and holds a judge's verdict against them.
//
// A judge that quotes may stop anywhere: behind a whole verdict of the answer, or behind a reflection of
// its own that only the answer's closing tag closes. So the class counts together with what stands before
// it.
#include "checks/judge/judged_answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"
#include "checks/judge/fence.h"
#include "text/javascript/text.h"
#include "text/letters/seen_letters.h"

namespace assay {
namespace {

constexpr std::string_view kSeenPrefix = "CLASS_";
// So many letters before a class of the answer, and a judge that writes the same has hardly found them
// itself.
constexpr std::size_t kSharedLetters = 16;
// A whole reflection of so many letters that the answer holds anywhere is the answer's.
constexpr std::size_t kReflectionLetters = 8;
// Of markup between the word and the class: "<classification><b style=...>".
constexpr std::size_t kMarkupLetters = 24;

const std::string& SeenReflection() {
  static const std::string kSeen = SeenLetters("reflection");
  return kSeen;
}

const std::string& SeenClassification() {
  static const std::string kSeen = SeenLetters("classification");
  return kSeen;
}

// The letters of a class's name without its prefix, longest first: UTTERLY_UNMET holds UNMET.
struct SeenClass {
  std::string letters;
  const JudgeClass* is;
};
const std::vector<SeenClass>& SeenClasses() {
  static const std::vector<SeenClass> kSeen = [] {
    std::vector<SeenClass> seen;
    for (const JudgeClass& each : JudgeScale())
      seen.push_back({SeenLetters(each.name.substr(kSeenPrefix.size())), &each});
    std::stable_sort(seen.begin(), seen.end(), [](const SeenClass& a, const SeenClass& b) {
      return a.letters.size() > b.letters.size();
    });
    return seen;
  }();
  return kSeen;
}

// The class that the letters behind the word "classification" name.
const JudgeClass* ClassAt(std::string_view letters) {
  for (std::size_t skipped = 0; skipped <= kMarkupLetters && skipped < letters.size(); ++skipped) {
    const std::string_view rest = letters.substr(skipped);
    for (const SeenClass& each : SeenClasses()) {
      if (rest.starts_with(each.letters)) return each.is;
    }
  }
  return nullptr;
}

// Markup that was escaped is read as what it stands for.
std::string WithoutNamedEntities(std::string_view text) {
  struct Entity {
    std::string_view written;
    char stands_for;
  };
  constexpr Entity kEntities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
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

// How many bytes at the start of `rest` stand for a character of ASCII ("\u0045", "%45"), and which; 0:
// none.
std::size_t EscapedAt(std::string_view rest, char& stands_for) {
  struct Escape {
    std::string_view begin;
    std::size_t digits;
  };
  constexpr Escape kEscapes[] = {{"\\u", 4}, {"%", 2}};
  for (const auto& [begin, digits] : kEscapes) {
    if (!rest.starts_with(begin) || rest.size() < begin.size() + digits) continue;
    unsigned code = 0;
    const char* first = rest.data() + begin.size();
    const auto [end, error] = std::from_chars(first, first + digits, code, 16);
    if (error != std::errc() || end != first + digits || code >= 0x80) continue;
    stands_for = static_cast<char>(code);
    return begin.size() + digits;
  }
  return 0;
}

// A text with escapes of JSON and of addresses resolved, as far as they stand for ASCII. What stands for
// white space is no letter.
std::string WithoutEscapes(std::string_view text) {
  constexpr std::string_view kBlanks = "nrtfb";
  std::string read;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    char next = rest[0];
    std::size_t size = EscapedAt(rest, next);
    if (size == 0 && next == '\\' && rest.size() > 1 && kBlanks.find(rest[1]) != std::string_view::npos) {
      next = ' ';
      size = 2;
    }
    read += next;
    at += std::max<std::size_t>(size, 1);
  }
  return read;
}

// The letters that a reader sees, behind escapes too.
std::string LettersOf(std::string_view text) {
  return SeenLetters(WithoutEscapes(WithoutNamedEntities(text)));
}

std::size_t SharedEnd(std::string_view a, std::string_view b) {
  const auto [end, _] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  return static_cast<std::size_t>(end - a.rbegin());
}

// How many letters a quotation of what stands before a class of the answer would share with it at least:
// those since the word "reflection", and no more than kSharedLetters.
std::size_t NeededOf(std::string_view before) {
  const std::string& word = SeenReflection();
  const std::size_t window = std::min(before.size(), kSharedLetters + word.size());
  const std::string_view near = before.substr(before.size() - window);
  const std::size_t at = near.rfind(word);
  const std::size_t since = at == std::string_view::npos ? near.size() : near.size() - at - word.size();
  return std::min(since, kSharedLetters);
}

bool EndsSentence(std::string_view text) {
  constexpr std::string_view kClosers[] = {"\"", "'", ")", "]", "*",  "_",  "`",
                                           "”",  "’", "“", "»", "」", "』", "）"};
  constexpr std::string_view kEnds[] = {".", "!", "?", "…", "。", "！", "？", "．", "।", "۔", "؟"};
  const auto ends_with = [&text](std::string_view end) { return text.ends_with(end); };
  text = JsTrim(text);
  while (true) {
    const auto* closer = std::find_if(std::begin(kClosers), std::end(kClosers), ends_with);
    if (closer == std::end(kClosers)) break;
    text.remove_suffix(closer->size());
  }
  return std::any_of(std::begin(kEnds), std::end(kEnds), ends_with);
}

// A class without what a judge may put between it and the code.
std::string WithoutMarks(std::string_view name) {
  constexpr std::string_view kMarks = " \t\r\n()[]:,;-#";
  const std::size_t begin = std::min(name.find_first_not_of(kMarks), name.size());
  return std::string(name.substr(begin, name.find_last_not_of(kMarks) + 1 - begin));
}

}  // namespace

JudgedAnswer::JudgedAnswer(std::string_view answer) : letters_(LettersOf(answer)) {
  const std::string& word = SeenClassification();
  const std::string& closed = SeenReflection();
  for (std::size_t at = letters_.find(word); at != std::string::npos; at = letters_.find(word, at + 1)) {
    const std::string_view letters = letters_;
    const JudgeClass* is = ClassAt(letters.substr(at + word.size()));
    if (is == nullptr) continue;
    const bool is_closed = letters.substr(0, at).ends_with(closed);
    given_.push_back({is_closed ? at - closed.size() : at, is});
  }
  if (given_.empty()) {
    letters_.clear();
  } else {
    code_ = Fence({"the code of a verdict", answer}).code();
  }
}

bool JudgedAnswer::MayQuote(const WrittenVerdict& verdict, const JudgeClass* is) const {
  if (given_.empty()) return false;
  if (letters_.find(LettersOf(verdict.whole)) != std::string::npos) return true;
  std::string own = LettersOf(verdict.reflection);
  const bool holds_reflection = own.size() >= kReflectionLetters && letters_.find(own) != std::string::npos;
  if (own.size() > kSharedLetters) own.erase(0, own.size() - kSharedLetters);
  bool is_given = false;
  for (const Given& given : given_) {
    if (given.is != is) continue;
    if (holds_reflection) return true;
    const std::string_view before = std::string_view(letters_).substr(0, given.at);
    if (SharedEnd(own, before) >= NeededOf(before)) return true;
    is_given = true;
  }
  return is_given && !EndsSentence(verdict.reflection);
}

Result<JudgeVerdict> JudgedAnswer::Read(const WrittenVerdict& verdict) const {
  std::string name(JsTrim(verdict.class_text));
  const std::size_t at = code_.empty() ? std::string::npos : name.find(code_);
  const bool is_own = at != std::string::npos;
  if (is_own) name = WithoutMarks(name.erase(at, code_.size()));
  const JudgeClass* is = IsAscii(name) ? FindJudgeClass(name) : nullptr;
  if (is == nullptr) return UnreadableReply("a class of the judge's scale (CLASS_EXACT)", verdict.class_text);
  if (!is_own && MayQuote(verdict, is))
    return UnreadableReply("a verdict with the code that was asked for, since the answer holds this one",
                           verdict.whole);
  return JudgeVerdict{is->score, std::string(JsTrim(verdict.reflection))};
}

}  // namespace assay
