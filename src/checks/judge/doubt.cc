// Finds out whether a verdict may be a quotation. Looks at marks alone, which every language has; no list of
// words says when a judge quotes.
#include "checks/judge/reply_marks.h"

#include <algorithm>
#include <map>

#include "base/text/ascii.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr std::string_view kNamePrefix = "class_";

struct Marks {
  std::string_view open;
  std::string_view close;
};
// Languages close alike marks in several ways: „Polish” and „German“, «French» and »Danish«.
constexpr Marks kQuotations[] = {{"\"", "\""}, {"`", "`"}, {"“", "”"},   {"„", "“"},  {"„", "”"},
                                 {"«", "»"},   {"»", "«"}, {"「", "」"}, {"『", "』"}};
constexpr Marks kBrackets[] = {{"(", ")"},   {"[", "]"},   {"{", "}"},
                               {"（", "）"}, {"【", "】"}, {"<!--", "-->"}};

template <std::size_t kSize>
const Marks* OpensAt(std::string_view rest, const Marks (&all)[kSize]) {
  const auto* found = std::find_if(std::begin(all), std::end(all),
                                   [rest](const Marks& each) { return rest.starts_with(each.open); });
  return found == std::end(all) ? nullptr : found;
}

std::size_t TimesIn(std::string_view text, std::string_view wanted) {
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;
       at = text.find(wanted, at + wanted.size()))
    ++count;
  return count;
}

bool HoldsOpenMarks(std::string_view own) {
  constexpr std::string_view kFence = "~~~";
  for (std::size_t at = 0; at < own.size(); ++at)
    if (OpensAt(own.substr(at), kQuotations) != nullptr) return true;  // WithoutQuotations leaves those
  const auto is_open = [own](const Marks& each) {
    return TimesIn(own, each.open) > TimesIn(own, each.close);
  };
  return std::any_of(std::begin(kBrackets), std::end(kBrackets), is_open) || TimesIn(own, kFence) % 2 == 1;
}

// Elements that nothing closes.
bool IsVoid(std::string_view name) {
  constexpr std::string_view kVoid[] = {"br", "hr", "img", "wbr", "input", "link", "meta", "col", "source"};
  return std::find(std::begin(kVoid), std::end(kVoid), name) != std::end(kVoid);
}

bool HoldsOpenElement(std::string_view own) {
  constexpr std::size_t kTagMax = 256;
  const std::string lower = AsciiLower(own);
  std::map<std::string, int, std::less<>> open;
  for (std::size_t at = lower.find('<'); at != std::string::npos; at = lower.find('<', at + 1)) {
    const bool closes = at + 1 < lower.size() && lower[at + 1] == '/';
    const std::size_t begin = at + (closes ? 2 : 1);
    std::size_t end = begin;
    while (end < lower.size() && (IsAsciiAlphanumeric(lower[end]) || lower[end] == '_' || lower[end] == '-'))
      ++end;
    const std::size_t tag_end = lower.find_first_of("<>", end);
    if (end == begin || !IsAsciiLetter(lower[begin]) || tag_end == std::string::npos ||
        lower[tag_end] == '<' || tag_end - at > kTagMax || lower[tag_end - 1] == '/')
      continue;
    const std::string name = lower.substr(begin, end - begin);
    if (!IsVoid(name)) open[name] += closes ? -1 : 1;
  }
  return std::any_of(open.begin(), open.end(), [](const auto& each) { return each.second > 0; });
}

bool OpensReflection(std::string_view reflection) {
  const std::string lower = JsToLower(reflection);
  for (std::size_t at = lower.find('<'); at != std::string::npos; at = lower.find('<', at + 1)) {
    if (JsTrim(std::string_view(lower).substr(at + 1)).starts_with("reflection")) return true;
  }
  return false;
}

bool EndsWithinSentence(std::string_view reflection) {
  constexpr std::string_view kGoesOn[] = {":", "：", "︰", "﹕", ",", "，",  "、", ";", "；",
                                          "-", "–",  "—",  "=",  "…", "...", "/",  "|"};
  const std::string_view text = JsTrim(reflection);
  return std::any_of(std::begin(kGoesOn), std::end(kGoesOn),
                     [text](std::string_view each) { return text.ends_with(each); });
}

// In Markdown, a line that begins with ">".
bool EndsInBlockQuote(std::string_view reflection) {
  const std::string_view text = JsTrim(reflection);
  const std::size_t line = text.find_last_of("\r\n");
  return JsTrim(line == std::string_view::npos ? text : text.substr(line + 1)).starts_with('>');
}

bool HoldsSmallLetters(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool IsOfName(char c) { return IsAsciiLetter(c) || c == '_'; }

}  // namespace

std::string WithoutQuotations(std::string_view text) {
  std::string own;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t end = std::string_view::npos;  // behind the first mark that may close it
    for (const Marks& each : kQuotations) {
      if (!rest.starts_with(each.open)) continue;
      const std::size_t close = rest.find(each.close, each.open.size());
      if (close != std::string_view::npos) end = std::min(end, close + each.close.size());
    }
    if (end == std::string_view::npos) {
      own += text[at++];
    } else {
      own += ' ';
      at += end;
    }
  }
  return own;
}

std::string_view LacksClosing(std::string_view reflection) {
  if (OpensReflection(reflection)) return "one reflection that is closed";
  if (EndsWithinSentence(reflection)) return "a reflection that ends with the end of a sentence";
  if (EndsInBlockQuote(reflection)) return "a reflection that does not end with a quotation";
  const std::string own = WithoutQuotations(reflection);
  if (HoldsOpenMarks(own)) return "a reflection that closes its quotations and brackets";
  if (HoldsOpenElement(own)) return "a reflection that closes its elements";
  return "";
}

bool NamesOtherClass(std::string_view text, const JudgeClass& is) {
  const std::string own = WithoutQuotations(text);
  for (std::size_t at = 0; at < own.size();) {
    std::size_t end = at;
    while (end < own.size() && IsOfName(own[end])) ++end;
    const std::string_view word = std::string_view(own).substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.empty() || (!AsciiLower(word).starts_with(kNamePrefix) && HoldsSmallLetters(word))) continue;
    const JudgeClass* named = FindJudgeClass(word);
    if (named != nullptr && named != &is) return true;
  }
  return false;
}

}  // namespace assay
