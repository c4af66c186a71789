// Takes off a code fence as CommonMark has it: three or more marks, indented by at most three spaces.
#include "checks/judge/code_fence.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "text/javascript/text.h"

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

}  // namespace

std::string_view WithoutCodeFence(std::string_view text) {
  text = JsTrim(text);
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

}  // namespace assay
