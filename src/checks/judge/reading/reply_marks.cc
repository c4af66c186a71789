// Takes off what says nothing: a code fence (three or more marks, indented by at most three spaces), the sign
// of an end, marks; and reads the code and the class.
#include "checks/judge/reading/reply_marks.h"

#include <algorithm>
#include <span>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/letters/seen_letters.h"

namespace assay {
namespace {

constexpr std::size_t kMarksMin = 3;
constexpr std::size_t kIndentMax = 3;

// The marks that a line begins with ("```"); "" if it opens no fence. What follows the marks may be the
// name of a language, but no sentence: a judge could say in it that what comes is a quotation.
std::string_view OpeningMarks(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(indent);
  if (indent > kIndentMax || line.empty() || (line[0] != '`' && line[0] != '~')) return {};
  const std::string_view marks = line.substr(0, std::min(line.find_first_not_of(line[0]), line.size()));
  const std::string_view name = JsTrim(line.substr(marks.size()));
  const bool is_name = std::all_of(name.begin(), name.end(),
                                   [](char c) { return IsAsciiAlphanumeric(c) || c == '-' || c == '+'; });
  return marks.size() < kMarksMin || !is_name ? std::string_view() : marks;
}

bool Closes(std::string_view line, std::string_view opening) {
  const std::string_view marks = OpeningMarks(line);
  return marks.starts_with(opening) && JsTrim(line).size() == marks.size();
}

// What a server leaves in where a model ends: "</s>", "<|im_end|>"; "" if there is none.
std::string_view EndSign(std::string_view text) {
  constexpr std::string_view kOld = "</s>";
  if (text.ends_with(kOld)) return kOld;
  const std::size_t open = text.rfind("<|");
  if (open == std::string_view::npos || !text.ends_with("|>") || text.size() - open < 5) return {};
  const std::string_view name = text.substr(open + 2, text.size() - open - 4);
  const bool is_name =
      std::all_of(name.begin(), name.end(), [](char c) { return IsAsciiAlphanumeric(c) || c == '_'; });
  return is_name ? text.substr(open) : std::string_view();
}

// Beside blanks, of which JavaScript knows all but those without a width.
constexpr std::string_view kSayNothing[] = {
    "(", ")", "[", "]", ":", ",",  ";",  "-",  "#",  "*",  "_",  "`", ".", "\"",     "'",      "“",     "”",
    "„", "‘", "’", "«", "»", "「", "」", "（", "）", "：", "。", "–", "—", "\u200b", "\u200d", "\u2060"};

// Without marks and signs behind it that may part a class from its code.
std::string_view WithoutSigns(std::string_view text) {
  constexpr std::string_view kSigns = "=|/+<>{}";
  while (true) {
    text = WithoutMarksBehind(text);
    if (text.empty() || kSigns.find(text.back()) == std::string_view::npos) return text;
    text.remove_suffix(1);
  }
}

bool EndsWith(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && AsciiLower(text.substr(text.size() - lower.size())) == lower;
}

constexpr std::string_view kCodeWord = "code";

// What stands before the code, "CLASS_UNMET (code" or "CLASS_UNMET <code>", without the word and marks.
std::string_view WithoutCodeWord(std::string_view text) {
  text = WithoutSigns(text);
  if (EndsWith(text, kCodeWord)) text.remove_suffix(kCodeWord.size());
  return WithoutSigns(text);
}

constexpr std::string_view kDashes[] = {"-", "‐", "‑", "–", "—", "−"};

bool EndsWithOneOf(std::string_view text, std::span<const std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [text](std::string_view each) { return text.ends_with(each); });
}

// Without marks that may open before a class ("**CLASS_EXACT**"); blanks stay.
std::string_view WithoutOpeningMarks(std::string_view before) {
  constexpr std::string_view kOpening[] = {"*", "_", "`", "\"", "'",  "(",      "[",      "“",
                                           "„", "‘", "«", "「", "（", "\u200b", "\u200d", "\u2060"};
  while (true) {
    const auto* mark = std::find_if(std::begin(kOpening), std::end(kOpening),
                                    [before](std::string_view each) { return before.ends_with(each); });
    if (mark == std::end(kOpening)) return before;
    before.remove_suffix(mark->size());
  }
}

bool EndsWithEntity(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  const std::size_t begin = text.rfind('&');
  return text.ends_with(';') && begin != std::string_view::npos && text.size() - begin <= kLongest;
}

// Whether a class begins a sentence or a line behind `before`. In "not CLASS_EXACT", "-CLASS_EXACT" and
// "not&nbsp;CLASS_EXACT", what stands before may deny the class, in whatever language.
bool StandsAloneBehind(std::string_view before) {
  constexpr std::string_view kDenying[] = {"!", "~", "¬", "≠"};
  constexpr std::string_view kEnds[] = {".",  "!",  "?",  ":",  ";",  ",",  "…", "。", "！", "？", "：",
                                        "；", "，", "、", "،",  "؟",  "।",  ")", "]",  "}",  "\"", "'",
                                        "”",  "’",  "»",  "」", "）", "`",  "*", ">",  "|",  "/",  "#",
                                        "』", "》", "〉", "｣",  "｡",  "．", "۔", "։",  "።"};
  // In some languages they close a quotation, behind a word: „Berlin.“
  constexpr std::string_view kClosingToo[] = {"“", "‘", "«", "‹"};
  const std::string_view behind_marks = WithoutOpeningMarks(before);
  if (EndsWithOneOf(behind_marks, kDashes) || EndsWithOneOf(behind_marks, kDenying)) return false;
  const std::string_view rest = JsTrim(behind_marks);
  const std::size_t end =
      rest.empty() ? 0 : static_cast<std::size_t>(rest.data() - before.data()) + rest.size();
  if (rest.empty() || before.substr(end).find_first_of("\r\n") != std::string_view::npos) return true;
  const auto* closing = std::find_if(std::begin(kClosingToo), std::end(kClosingToo),
                                     [rest](std::string_view each) { return rest.ends_with(each); });
  if (closing != std::end(kClosingToo)) {
    const std::string_view quoted = rest.substr(0, rest.size() - closing->size());
    return !quoted.empty() && JsTrim(quoted).size() == quoted.size();
  }
  const bool ends = EndsWithOneOf(rest, kEnds) || EndsClause(rest);
  return (ends && !EndsWithEntity(rest)) || EndsWithOneOf(rest, kDashes);
}

std::string_view WithoutEndSign(std::string_view text) {
  constexpr std::string_view kWidthless = "\u200b";
  while (true) {
    text = JsTrim(text);
    if (text.starts_with(kWidthless)) {
      text.remove_prefix(kWidthless.size());
    } else if (text.ends_with(kWidthless)) {
      text.remove_suffix(kWidthless.size());
    } else if (const std::string_view sign = EndSign(text); !sign.empty()) {
      text.remove_suffix(sign.size());
    } else {
      return text;
    }
  }
}

}  // namespace

std::string_view WithoutMarksBehind(std::string_view text) {
  while (true) {
    text = JsTrim(text);
    const auto* mark = std::find_if(std::begin(kSayNothing), std::end(kSayNothing),
                                    [text](std::string_view each) { return text.ends_with(each); });
    if (mark == std::end(kSayNothing)) return text;
    text.remove_suffix(mark->size());
  }
}

std::string_view WithoutMarks(std::string_view text) {
  while (true) {
    text = WithoutMarksBehind(text);
    const auto* mark = std::find_if(std::begin(kSayNothing), std::end(kSayNothing),
                                    [text](std::string_view each) { return text.starts_with(each); });
    if (mark == std::end(kSayNothing)) return text;
    text.remove_prefix(mark->size());
  }
}

std::string_view WithoutCodeFence(std::string_view text) {
  text = WithoutEndSign(text);
  const std::size_t first_end = text.find('\n');
  const std::size_t last_begin = text.rfind('\n');
  if (first_end == std::string_view::npos || first_end == last_begin) return text;
  const std::string_view opening = OpeningMarks(text.substr(0, first_end));
  if (opening.empty() || !Closes(text.substr(last_begin + 1), opening)) return text;
  const std::string_view inside = text.substr(first_end + 1, last_begin - first_end);
  for (std::size_t at = 0; at < inside.size();) {
    const std::size_t end = std::min(inside.find('\n', at), inside.size());
    if (Closes(inside.substr(at, end - at), opening)) return text;  // two fences
    at = end + 1;
  }
  return JsTrim(inside);
}

bool HoldsCode(std::string_view text, std::string_view code) {
  return !code.empty() && AsciiLower(text).find(code) != std::string::npos;
}

const JudgeClass* CodedClass(std::string_view text, std::string_view code) {
  const std::size_t at = AsciiLower(text).rfind(code);
  if (at == std::string::npos) return nullptr;
  const std::string_view before = WithoutCodeWord(text.substr(0, at));
  const std::string_view rest = text.substr(at + code.size());
  const std::string_view end = WithoutCodeWord(rest);  // "</code>"
  const std::string_view behind = end.empty() ? end : WithoutMarks(rest);
  if (!before.empty() && !behind.empty()) return nullptr;
  return NamedClass(before.empty() ? rest : before);
}

CodedEnd EndWithCode(std::string_view text, std::string_view code) {
  const std::string_view whole = WithoutMarksBehind(text);
  if (!EndsWith(whole, code)) return {};
  const std::string_view named = WithoutCodeWord(whole.substr(0, whole.size() - code.size()));
  std::size_t begin = named.size();
  const auto is_of_name = [named](std::size_t at) {
    const bool escapes = named[at] == '\\' && at + 1 < named.size() && named[at + 1] == '_';
    return IsAsciiAlphanumeric(named[at]) || named[at] == '_' || escapes;
  };
  while (begin > 0 && is_of_name(begin - 1)) --begin;
  return {.before = JsTrim(named.substr(0, begin)),
          .is = NamedClass(named.substr(begin)),
          .stands_alone = StandsAloneBehind(named.substr(0, begin))};
}

bool GivesCodeToOther(std::string_view text, std::string_view code, const JudgeClass& is) {
  const std::string lower = AsciiLower(text);
  for (std::size_t at = lower.find(code); at != std::string::npos; at = lower.find(code, at + 1)) {
    const JudgeClass* beside = EndWithCode(text.substr(0, at + code.size()), code).is;
    if (beside != nullptr && beside != &is) return true;
  }
  return false;
}

const JudgeClass* NamedClass(std::string_view text) {
  const std::string_view marked = WithoutMarks(text);
  if (marked.empty()) return nullptr;
  const std::string_view before = text.substr(0, static_cast<std::size_t>(marked.data() - text.data()));
  if (EndsWithOneOf(WithoutOpeningMarks(before), kDashes)) return nullptr;
  std::string name(marked);
  if (const std::size_t at = name.find("\\_"); at != std::string::npos) name.erase(at, 1);
  return IsAscii(name) ? FindJudgeClass(name) : nullptr;
}

}  // namespace assay
