// Finds out whether a quotation broke the form of a reply, so that no verdict can be read.
#include <algorithm>
#include <array>

#include "base/text/ascii.h"
#include "checks/judge/reply_marks.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {
namespace {

// The lines of a text without those that begin or end a fence.
struct Unfenced {
  std::string text;
  bool has_fence = false;
};
Unfenced WithoutFences(std::string_view text) {
  Unfenced unfenced;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string_view words = JsTrim(line);
    at = end + 1;
    if (words.starts_with("```") || words.starts_with("~~~")) {
      unfenced.has_fence = true;
    } else {
      unfenced.text += std::string(line) + "\n";
    }
  }
  return unfenced;
}

// Prose without a mark of a quotation, a tag and a class.
bool IsPlain(std::string_view prose) {
  constexpr std::string_view kMarks = ">|<";
  for (std::size_t at = 0; at < prose.size();) {
    const std::size_t end = std::min(prose.find('\n', at), prose.size());
    const std::string_view line = prose.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("    ") || line.starts_with('\t')) return false;
    if (!line.empty() && kMarks.find(line.front()) != std::string_view::npos) return false;
  }
  return AsciiLower(prose).find("class_") == std::string::npos && ClosesMarks(prose);
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
  const std::string lower = AsciiLower(text);
  const Element reflection = ElementIn(lower, "<reflection>", "</reflection>");
  const Element verdict = ElementIn(lower, "<classification>", "</classification>");
  if (reflection.end == 0 || verdict.end == 0) return false;
  const bool is_first = reflection.begin < verdict.begin;
  const Element& first = is_first ? reflection : verdict;
  const Element& second = is_first ? verdict : reflection;
  if (!first.is_single || !second.is_single || first.end > second.begin) return true;
  const std::string_view words = text.substr(reflection.inside, reflection.close - reflection.inside);
  if (!LacksClosing(words).empty()) return true;
  const std::array<Unfenced, 3> around = {WithoutFences(text.substr(0, first.begin)),
                                          WithoutFences(text.substr(first.end, second.begin - first.end)),
                                          WithoutFences(text.substr(second.end))};
  const bool quotes_fence = WithoutFences(words).has_fence;
  return std::any_of(around.begin(), around.end(), [quotes_fence](const Unfenced& each) {
    return (each.has_fence && quotes_fence) || !IsPlain(each.text);
  });
}

// Whether words end the JSON string around them, or cannot stand in it: a quotation mark, a line end, "\d".
bool BreakString(std::string_view words) {
  constexpr std::string_view kEscapes = "\"\\/bfnrtu";
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == '"' || static_cast<unsigned char>(words[at]) < ' ') return true;
    if (words[at] != '\\') continue;
    if (++at == words.size() || kEscapes.find(words[at]) == std::string_view::npos) return true;
  }
  return false;
}

// Whether the words of its reflection keep an object from being read.
bool BreaksJson(std::string_view text) {
  constexpr std::string_view kReflection = "\"reflection\"";
  const std::size_t name = text.find(kReflection);
  if (name == std::string_view::npos || ParseJson(WithoutCodeFence(text))) return false;
  const std::size_t open = text.find_first_not_of(" \t\r\n:", name + kReflection.size());
  if (open == std::string_view::npos || text[open] != '"') return false;
  const std::string_view rest = text.substr(open + 1);
  const std::size_t next = rest.rfind("\"classification\"");
  const std::size_t end = next == std::string_view::npos ? rest.rfind('}') : next;
  if (end == std::string_view::npos) return false;
  std::string_view words = JsTrim(rest.substr(0, end));
  if (words.ends_with(',')) words = JsTrim(words.substr(0, words.size() - 1));
  return !words.ends_with('"') || BreakString(words.substr(0, words.size() - 1));
}

}  // namespace

bool QuotationBreaksForm(std::string_view text, VerdictForm form) {
  return form == VerdictForm::kJson ? BreaksJson(text) : BreaksTags(text);
}

}  // namespace assay
