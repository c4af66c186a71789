// Walks over compact JSON by its quotes and brackets.
#include "text/json/compact.h"

#include <algorithm>

#include "text/json/plain.h"

namespace assay {

std::size_t EndOfJsonText(std::string_view compact, std::size_t start) {
  std::size_t at = start + 1;
  while ((at = SkipPlain(compact, at)) < compact.size() && compact[at] != '"')
    at += compact[at] == '\\' ? 2 : 1;
  return std::min(at + 1, compact.size());
}

namespace {

// The end of the value that begins at `start`.
std::size_t EndOfValue(std::string_view compact, std::size_t start) {
  std::size_t depth = 0;
  std::size_t at = start;
  while (at < compact.size()) {
    const char c = compact[at];
    if (c == '"') {
      at = EndOfJsonText(compact, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return at;
}

}  // namespace

bool KeepsOrder(std::string_view compact) {
  for (std::size_t at = 0; at < compact.size();) {
    if (compact[at] != '"') {
      ++at;
      continue;
    }
    const std::size_t end = EndOfJsonText(compact, at);
    const bool is_key = end < compact.size() && compact[end] == ':';
    if (is_key && compact[at + 1] >= '0' && compact[at + 1] <= '9') return false;
    at = end;
  }
  return true;
}

bool NextJsonMember(std::string_view object, std::size_t& at, JsonMember& member) {
  if (at >= object.size() || object[at] != '"') return false;
  const std::size_t end_of_key = EndOfJsonText(object, at);
  if (end_of_key + 1 >= object.size()) return false;
  const std::size_t end = EndOfValue(object, end_of_key + 1);
  member.key = object.substr(at + 1, end_of_key - at - 2);
  member.value = object.substr(end_of_key + 1, end - end_of_key - 1);
  at = end + 1;
  return true;
}

std::string_view FindJsonMember(std::string_view object, std::string_view key) {
  JsonMember member;
  for (std::size_t at = 1; NextJsonMember(object, at, member);) {
    if (member.key == key) return member.value;
  }
  return {};
}

}  // namespace assay
