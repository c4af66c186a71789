// Reads tool calls written as text in a reply, in one pass over it; every search starts where the last one
// ended.
#include "agent/words/text_calls.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "base/text/ascii.h"
#include "corpus/index/words.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::string_view kCallOpen = "<tool_call>";
constexpr std::string_view kCallClose = "</tool_call>";
constexpr std::string_view kFunction = "<function=";
constexpr std::string_view kParameter = "<parameter=";
constexpr std::string_view kParameterClose = "</parameter>";
constexpr std::string_view kFunctionClose = "</function>";
constexpr std::string_view kToFunction = "to=functions.";

bool IsNameChar(char c) { return IsAsciiAlphanumeric(c) || c == '_'; }

std::string_view NameAt(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  return text.substr(0, end);
}

// Without the closing tags behind it.
std::string_view WithoutEnds(std::string_view value) {
  for (const std::string_view mark : {kFunctionClose, kParameterClose}) {
    value = TrimBlanks(value);
    if (value.ends_with(mark)) value.remove_suffix(mark.size());
  }
  return value;
}

// <parameter=KEY>VALUE up to the next one. Empty values are left out.
Map ParametersOf(std::string_view body, ParameterEnd parameter_end) {
  Map parameters;
  std::size_t at = body.find(kParameter);
  while (at != std::string_view::npos && parameters.size() < limits::kTextCallParametersMax) {
    const std::string_view rest = body.substr(at + kParameter.size());
    const std::string_view name = NameAt(rest);
    const std::size_t next = body.find(kParameter, at + kParameter.size());
    if (!name.empty() && rest.substr(name.size()).starts_with('>')) {
      const std::size_t begin = at + kParameter.size() + name.size() + 1;
      const std::size_t end = std::min(next, body.size());
      std::string_view value = TrimBlanks(body.substr(begin, end - begin));
      if (parameter_end == ParameterEnd::kDropped) value = TrimBlanks(WithoutEnds(value));
      if (!value.empty()) parameters.Set(std::string(name), Value(value));
    }
    at = next;
  }
  return parameters;
}

std::vector<TextCall> TaggedCalls(std::string_view reply, ParameterEnd parameter_end) {
  std::vector<TextCall> calls;
  std::size_t at = reply.find(kCallOpen);
  while (at != std::string_view::npos && calls.size() < limits::kTextCallsMax) {
    const std::size_t begin = at + kCallOpen.size();
    const std::size_t end = reply.find(kCallClose, begin);
    if (end == std::string_view::npos) break;
    const std::string_view block = reply.substr(begin, end - begin);
    at = reply.find(kCallOpen, end + kCallClose.size());
    const std::size_t function = block.find(kFunction);
    if (function == std::string_view::npos) continue;
    const std::string_view rest = block.substr(function + kFunction.size());
    const std::string_view name = NameAt(rest);
    if (name.empty() || !rest.substr(name.size()).starts_with('>')) continue;
    calls.push_back({fmt::format("xml_call_{}", calls.size()), std::string(name),
                     ParametersOf(rest.substr(name.size() + 1), parameter_end)});
  }
  return calls;
}

// The bytes of the JSON object that begins at `text`: up to the brace that closes the first; 0 if none does.
std::size_t ObjectSize(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return 0;
}

std::vector<TextCall> AddressedCalls(std::string_view reply) {
  std::vector<TextCall> calls;
  std::size_t at = reply.find(kToFunction);
  while (at != std::string_view::npos && calls.size() < limits::kTextCallsMax) {
    at += kToFunction.size();
    const std::string_view name = NameAt(reply.substr(at));
    at += name.size();
    std::size_t object = at;
    for (std::size_t blank = BlankSizeAt(reply, object); blank > 0; blank = BlankSizeAt(reply, object))
      object += blank;
    if (!name.empty() && object < reply.size() && reply[object] == '{') {
      const std::size_t size = ObjectSize(reply.substr(object));
      if (size == 0) break;  // nothing behind here closes either
      if (Result<Value> arguments = ParseJson(reply.substr(object, size)); arguments && arguments->is_map()) {
        calls.push_back(
            {fmt::format("call_{}", calls.size()), std::string(name), std::move(arguments->AsMap())});
      }
      at = object + size;
    }
    at = reply.find(kToFunction, at);
  }
  return calls;
}

}  // namespace

std::vector<TextCall> FindTextCalls(std::string_view reply, ParameterEnd parameter_end) {
  std::vector<TextCall> calls = TaggedCalls(reply, parameter_end);
  return calls.empty() ? AddressedCalls(reply) : calls;
}

}  // namespace assay
