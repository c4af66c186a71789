// Finds out whether a verdict may be a quotation, and whether one broke the form of a reply. Looks at marks
// alone, which every language has; no list of words says when a judge quotes.
#include "checks/judge/reading/doubt.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/judge/reading/judged_answer.h"
#include "checks/judge/reading/quotations.h"
#include "checks/judge/reading/reply_marks.h"
#include "text/javascript/text.h"
#include "text/letters/escapes.h"
#include "text/letters/indent.h"
#include "text/thoughts.h"

namespace assay {
namespace {

// With the characters of entities in their place: "&quot;Berlin".
std::string WithoutEntities(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  std::string read;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string_view::npos;
    if (end == std::string_view::npos || end - at > kLongest) {
      read += text[at++];
      continue;
    }
    const std::string_view entity = text.substr(at, end - at + 1);
    const char32_t is = EntityCodePoint(entity.substr(1, entity.size() - 2));
    if (is != 0) {
      AppendUtf8(is, read);
    } else {
      read += entity.starts_with("&#") ? WithoutEscapes(entity) : std::string(entity);
    }
    at = end + 1;
  }
  return read;
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

// "[quote]", "[code=x]" without "[/quote]".
bool HoldsOpenBoardTag(std::string_view own) {
  constexpr std::string_view kNames[] = {"quote", "code", "cite", "pre", "indent", "spoiler"};
  const std::string lower = AsciiLower(own);
  return std::any_of(std::begin(kNames), std::end(kNames), [&lower](std::string_view name) {
    const std::size_t opened =
        TimesIn(lower, fmt::format("[{}]", name)) + TimesIn(lower, fmt::format("[{}=", name));
    return opened > TimesIn(lower, fmt::format("[/{}]", name));
  });
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

// In Markdown, a line that begins with ">"; or one that goes on so behind a sentence: "Not met. > Berlin."
bool EndsInBlockQuote(std::string_view reflection) {
  constexpr std::string_view kSentenceEnds = ".:!?";
  const std::string_view text = JsTrim(reflection);
  const std::size_t begin = text.find_last_of("\r\n");
  const std::string_view line = JsTrim(begin == std::string_view::npos ? text : text.substr(begin + 1));
  if (line.starts_with('>')) return true;
  const std::size_t mark = line.find(" > ");
  return mark != std::string_view::npos && mark > 0 &&
         kSentenceEnds.find(line[mark - 1]) != std::string_view::npos;
}

// In Markdown, lines behind an empty one that are further in than the first one.
bool EndsInIndentedBlock(std::string_view reflection) {
  std::size_t first = std::string_view::npos;
  bool is_block = false;
  bool is_behind_empty = false;
  for (std::size_t at = 0; at < reflection.size();) {
    const std::size_t end = std::min(reflection.find('\n', at), reflection.size());
    const std::string_view line = reflection.substr(at, end - at);
    at = end + 1;
    if (JsTrim(line).empty()) {
      is_behind_empty = true;
      continue;
    }
    const std::size_t indent = IndentOf(line);
    if (first == std::string_view::npos) first = indent;
    is_block = indent >= first + kBlockIndent && (is_block || is_behind_empty);
    is_behind_empty = false;
  }
  return is_block;
}

constexpr std::string_view kPrefixInSmall = "class_";  // kClassPrefix

bool HoldsSmallLetters(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool IsOfName(char c) { return IsAsciiLetter(c) || c == '_'; }

}  // namespace

std::string_view LacksClosing(std::string_view reflection) {
  const std::string read = WithoutEntities(reflection);
  if (OpensReflection(read)) return "one reflection that is closed";
  if (EndsWithinSentence(read)) return "a reflection that ends with the end of a sentence";
  if (EndsInBlockQuote(read) || EndsInIndentedBlock(read))
    return "a reflection that does not end with a quotation";
  const std::string own = WithoutQuotations(read);
  if (HoldsOpenMarks(own)) return "a reflection that closes its quotations and brackets";
  if (HoldsOpenElement(own) || HoldsOpenBoardTag(own)) return "a reflection that closes its elements";
  return "";
}

bool NamesOtherClass(std::string_view text, const JudgeClass& is) {
  const std::string own = WithoutQuotations(text);
  for (std::size_t at = 0; at < own.size();) {
    std::size_t end = at;
    while (end < own.size() && IsOfName(own[end])) ++end;
    const std::string_view word = std::string_view(own).substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.empty() || (!AsciiLower(word).starts_with(kPrefixInSmall) && HoldsSmallLetters(word))) continue;
    const JudgeClass* named = FindJudgeClass(word);
    if (named != nullptr && named != &is) return true;
  }
  return false;
}

namespace {

bool BeginsVerdict(std::string_view text) {
  constexpr std::string_view kTag = "<reflection";
  text = JsTrim(text);
  if (text.starts_with("```") || text.starts_with("~~~"))
    text = JsTrim(text.substr(std::min(text.find('\n'), text.size())));
  return text.starts_with('{') || AsciiLower(text.substr(0, kTag.size())) == kTag;
}

bool ClosesLastParagraph(std::string_view thoughts) {
  thoughts = JsTrim(thoughts);
  const std::size_t blank = thoughts.rfind("\n\n");
  return ClosesMarks(blank == std::string_view::npos ? thoughts : thoughts.substr(blank));
}

}  // namespace

const AnswerForm kVerdictForm = {BeginsVerdict, ClosesLastParagraph};

Result<JudgeVerdict> UncodedVerdict(const WrittenVerdict& verdict, const JudgedAnswer& answer) {
  const JudgeClass* is = NamedClass(verdict.class_text);
  if (is == nullptr) return UnreadableReply("a class of the judge's scale (CLASS_EXACT)", verdict.class_text);
  if (answer.HoldsVerdicts()) return DoubtedReply("the code that was asked for", verdict.class_text);
  if (const std::string_view lacks = LacksClosing(verdict.reflection); !lacks.empty())
    return DoubtedReply(fmt::format("{}, or a code", lacks), verdict.reflection);
  if (NamesOtherClass(verdict.reflection, *is) || NamesOtherClass(verdict.beside, *is))
    return DoubtedReply("no other class before the class, or a code", verdict.reflection);
  return JudgeVerdict{is->score, std::string(JsTrim(verdict.reflection))};
}

}  // namespace assay
