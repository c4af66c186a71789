// Finds out whether a verdict may be a quotation, and whether one broke the form of a reply. Looks at marks
// alone, which every language has; no list of words says when a judge quotes.
#include "checks/judge/reading/doubt.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/judge/reading/judged_answer.h"
#include "checks/judge/reading/own_prose.h"
#include "checks/judge/reading/quotations.h"
#include "checks/judge/reading/reply_marks.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/letters/escapes.h"
#include "text/letters/indent.h"
#include "text/letters/letters.h"
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

// The lines of a text without those that begin or end a fence.
struct Unfenced {
  std::string text;
  int fences = 0;  // such lines
};
Unfenced WithoutFences(std::string_view text) {
  Unfenced unfenced;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string_view words = JsTrim(line);
    at = end + 1;
    const bool has_marks = words.starts_with("```") || words.starts_with("~~~");
    // Both fences of a line are a quotation: "```x```". Behind one stands a language, if anything.
    const std::string_view info =
        has_marks ? JsTrim(words.substr(std::min(words.find_first_not_of(words[0]), words.size()))) : words;
    if (has_marks && info.find_first_of("`~ \t[") == std::string_view::npos) {
      ++unfenced.fences;
    } else {
      unfenced.text += std::string(line) + "\n";
    }
  }
  return unfenced;
}

// Whether it holds a tag that ends thoughts, which a judge that repeats an answer may have made.
bool HoldsEndOfThoughts(std::string_view lower) {
  const auto tags = ThoughtTagTable();
  return std::any_of(tags.begin(), tags.end(), [lower](const ThoughtTags& each) {
    return lower.find(each.close) != std::string_view::npos;
  });
}

// Prose of the judge's own, without a tag that ends thoughts and a class.
bool IsPlain(std::string_view prose) {
  const std::string lower = AsciiLower(prose);
  return lower.find(kPrefixInSmall) == std::string::npos && !HoldsEndOfThoughts(lower) &&
         ReadsAsOwnProse(WithoutEntities(prose));
}

// What stands on one side of a verdict: plain prose, and at most so many ends of a fence around the verdict.
bool IsPlainSide(std::string_view side, int fences_max = 1) {
  const Unfenced unfenced = WithoutFences(side);
  return unfenced.fences <= fences_max && IsPlain(unfenced.text);
}

struct Element {
  std::size_t begin = std::string_view::npos;
  std::size_t inside = 0;
  std::size_t close = 0;
  std::size_t end = 0;
  bool is_single = false;  // neither of its tags stands twice
};
Element ElementIn(std::string_view lower, std::string_view open, std::string_view close) {
  const std::size_t begin = lower.find(open);
  const std::size_t closed = lower.find(close);
  if (begin == std::string_view::npos || closed == std::string_view::npos) return {};
  const bool is_single = lower.rfind(open) == begin && lower.rfind(close) == closed && begin < closed;
  return {begin, begin + open.size(), closed, closed + close.size(), is_single};
}

// Whether something other than plain prose around its elements keeps a verdict from being read.
bool BreaksTags(std::string_view text) {
  if (WithoutCodeFence(text).empty()) return true;  // nothing but the sign by which a model ends
  const std::string lower = AsciiLower(text);
  const Element reflection = ElementIn(lower, kReflectionOpen, kReflectionClose);
  const Element verdict = ElementIn(lower, kClassOpen, kClassClose);
  // Where a judge repeats the sign by which models end, or a tag that ends thoughts, its service may end the
  // reply there, or begin it: within a tag, an open quotation, or lines that quote.
  if (reflection.end == 0) {
    return lower.find("reflection>") != std::string::npos || !ClosesMarks(text) || !IsPlainSide(text);
  }
  const std::string_view words = text.substr(reflection.inside, reflection.close - reflection.inside);
  if (verdict.end == 0) {
    return !reflection.is_single || !LacksClosing(words).empty() ||
           !IsPlainSide(text.substr(0, reflection.begin)) || !IsPlainSide(text.substr(reflection.end));
  }
  const bool is_first = reflection.begin < verdict.begin;
  const Element& first = is_first ? reflection : verdict;
  const Element& second = is_first ? verdict : reflection;
  if (!first.is_single || !second.is_single || first.end > second.begin) return true;
  if (!LacksClosing(words).empty()) return true;
  const std::array<std::string_view, 3> around = {
      text.substr(0, first.begin), text.substr(first.end, second.begin - first.end), text.substr(second.end)};
  const int fences_max = WithoutFences(words).fences > 0 ? 0 : 1;  // within a fence, a fence would end it
  return !std::all_of(around.begin(), around.end(),
                      [fences_max](std::string_view side) { return IsPlainSide(side, fences_max); });
}

bool BeginsWithFourHexDigits(std::string_view text) {
  constexpr std::size_t kDigits = 4;
  const std::string_view digits = text.substr(0, kDigits);
  return digits.size() == kDigits &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return HexDigitValue(c) >= 0; });
}

// Whether a JSON string that holds these words, unescaped, ends early or is invalid: they contain a quotation
// mark, a line end or an escape that JSON does not know ("\d", "\usepackage").
bool BreakString(std::string_view words) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == '"' || static_cast<unsigned char>(words[at]) < ' ') return true;
    if (words[at] != '\\') continue;
    if (++at == words.size()) return true;
    const bool is_code_point = words[at] == 'u' && BeginsWithFourHexDigits(words.substr(at + 1));
    if (!is_code_point && kEscapes.find(words[at]) == std::string_view::npos) return true;
  }
  return false;
}

// Behind the string of JSON that begins at `at`; npos if nothing closes it.
std::size_t StringEnd(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

// Whether a text that should be an object quotes in other marks than those of JSON, ends a string within its
// words, or nests deeper than a verdict does.
bool QuotesOtherwise(std::string_view object) {
  constexpr std::size_t kDepthMax = 32;
  constexpr std::string_view kBehindString = ":,]}/";
  std::size_t depth = 0;
  for (std::size_t at = 0; at < object.size();) {
    if (object[at] == '"') {
      const std::size_t inside = at + 1;
      at = StringEnd(object, at);
      if (at == std::string_view::npos || BreakString(object.substr(inside, at - 1 - inside))) return true;
      const std::size_t next = std::min(object.find_first_not_of(" \t\r\n", at), object.size());
      if (next == object.size() || kBehindString.find(object[next]) == std::string_view::npos) return true;
      continue;
    }
    const std::string_view rest = object.substr(at);
    if (BeginsWithQuotationMark(rest) || rest.starts_with("/*") || rest.starts_with("//")) return true;
    if (depth == 0 && at > 0 && rest[0] == '{') return true;  // another object
    if (rest[0] == '{' || rest[0] == '[') ++depth;
    if (depth > 0 && (rest[0] == '}' || rest[0] == ']')) --depth;
    if (depth > kDepthMax) return true;
    ++at;
  }
  return false;
}

// Whether an object would be JSON with other quotation marks, and contains none of those: some models write
// each object so, whatever they quote.
bool IsInSingleQuotes(std::string_view object) {
  std::string json(object);
  if (json.find_first_of("\"\\") != std::string::npos) return false;
  std::replace(json.begin(), json.end(), '\'', '"');
  return ParseJson(json).has_value();
}

// The name of the reflection in whatever quotation marks; npos if there is none.
std::size_t FindReflection(std::string_view text) {
  constexpr std::string_view kNames[] = {"\"reflection\"", "'reflection'", "`reflection`"};
  std::size_t found = std::string_view::npos;
  for (const std::string_view name : kNames) found = std::min(found, text.find(name));
  return found;
}

// Whether JSON, or its only item, has a reflection and a class as one that means a verdict writes them. An
// object without a class is one that a quotation may have closed.
bool HasBothMembers(const Value& json) {
  const bool is_one = json.is_list() && json.AsList().size() == 1;
  const Value& object = is_one ? json.AsList().front() : json;
  const std::string& name = object.TextAt("classification");
  return object.is_map() && !object.TextAt("reflection").empty() && !name.empty() &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsAsciiAlphanumeric(c) || c == '_' || c == '-' || c == ' '; });
}

// Whether the words of its reflection, or what stands around it, keep an object from being read.
bool BreaksJson(std::string_view text) {
  constexpr std::string_view kReflection = "\"reflection\"";
  const std::string_view whole = WithIndent(text, WithoutCodeFence(text));
  if (whole.empty()) return true;
  const std::size_t name = FindReflection(whole);
  if (const Result<Value> json = ParseJson(whole))
    return !HasBothMembers(*json) || !ParseJson(whole, RepeatedKeys::kRefuse);
  if (name == std::string_view::npos)
    return whole.find("\"classification\"") != std::string_view::npos || !ClosesMarks(whole) ||
           !IsPlainSide(whole);
  if (whole.find("classification") == std::string_view::npos) return true;
  const std::size_t begin = std::min(whole.rfind('{', name), name);
  const std::size_t last = whole.rfind('}');
  // A reply that ends within its object was ended by a sign that the judge repeated.
  if (last == std::string_view::npos || last < name) return true;
  const std::string_view object = whole.substr(begin, last + 1 - begin);
  if (QuotesOtherwise(object) && !IsInSingleQuotes(object)) return true;
  std::string_view before = WithIndent(whole, JsTrim(whole.substr(0, begin)));
  std::string_view behind = JsTrim(whole.substr(last + 1));
  if (before.ends_with('[')) before.remove_suffix(1);  // a list of one
  if (behind.starts_with(']')) behind.remove_prefix(1);
  // Behind the object, any word may be what follows a quotation that closed it.
  const Unfenced rest_of_reply = WithoutFences(behind);
  if (before.find('{') != std::string_view::npos || !IsPlainSide(before)) return true;
  if (!JsTrim(rest_of_reply.text).empty()) return true;
  const int fences = WithoutFences(before).fences + rest_of_reply.fences;
  if (fences % 2 == 1) return true;  // a fence within the words ended it
  const std::size_t open = whole.find_first_not_of(" \t\r\n:", name + kReflection.size());
  if (open == std::string_view::npos || whole[open] != '"') return false;
  const std::string_view rest = whole.substr(open + 1);
  const std::size_t next = rest.rfind("\"classification\"");
  std::string_view words = JsTrim(rest.substr(0, next == std::string_view::npos ? rest.rfind('}') : next));
  if (words.ends_with(',')) words = JsTrim(words.substr(0, words.size() - 1));
  return !words.ends_with('"') || BreakString(words.substr(0, words.size() - 1));
}

}  // namespace

bool BeginsVerdict(std::string_view text) {
  constexpr std::string_view kTag = "<reflection";
  text = JsTrim(text);
  if (text.starts_with("```") || text.starts_with("~~~"))
    text = JsTrim(text.substr(std::min(text.find('\n'), text.size())));
  return text.starts_with('{') || AsciiLower(text.substr(0, kTag.size())) == kTag;
}

bool QuotationBreaksForm(std::string_view text, VerdictForm form) {
  return form == VerdictForm::kJson ? BreaksJson(text) : BreaksTags(text);
}

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
