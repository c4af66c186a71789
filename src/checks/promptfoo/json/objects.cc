// Finds objects by their braces, and reads them as JSON, else as YAML.
#include "checks/promptfoo/json/objects.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/errors/diagnostics.h"
#include "text/json/json.h"
#include "text/yaml/yaml.h"

namespace assay::promptfoo {
namespace {

// How many bytes are read of a text at most, of whose braces many begin nothing.
constexpr std::size_t kPassesMax = 16;
constexpr std::size_t kBytesReadMin = 1u << 20;

// One behind the brace that closes the first one, or the end of the text; `missing` braces are not there.
std::size_t EndOfBraces(std::string_view text, std::size_t start, std::size_t& missing) {
  std::size_t open = 0;
  for (std::size_t at = start; at < text.size(); ++at) {
    if (text[at] == '{') ++open;
    if (text[at] == '}' && --open == 0) return at + 1;
  }
  missing = open;
  return text.size();
}

// Without what stands behind "//" on a line, outside of quotes and not in "://".
std::string WithoutComments(std::string_view text) {
  std::string out;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\' && at + 1 < text.size()) {
        out += c;
        out += text[++at];
        continue;
      }
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '/' && text.substr(at, 2) == "//" && (at == 0 || text[at - 1] != ':')) {
      at = std::min(text.find('\n', at), text.size());
      if (at == text.size()) break;
      out += '\n';
      continue;
    }
    out += c;
  }
  return out;
}

// Whether some key of the value, which is read from YAML, is a collection.
bool HasCollectionAsKey(const Value& value) {
  constexpr std::string_view kOfMap = "[object Object]";
  if (value.is_list()) return std::any_of(value.AsList().begin(), value.AsList().end(), HasCollectionAsKey);
  return value.is_map() && std::any_of(value.AsMap().begin(), value.AsMap().end(), [&](const Member& member) {
           return member.key == kOfMap || HasCollectionAsKey(member.value);
         });
}

std::optional<Value> ReadObject(std::string_view text) {
  if (Result<Value> parsed = ParseJson(text)) {
    if (parsed->is_map()) return *std::move(parsed);
    return std::nullopt;
  }
  Diagnostics diagnostics;
  std::vector<Value> documents =
      ReadYaml(FileId::kNone, WithoutComments(text), YamlRules::kJsYaml, diagnostics);
  if (diagnostics.ErrorCount() > 0 || documents.size() != 1) return std::nullopt;
  if (!documents.front().is_map() || HasCollectionAsKey(documents.front())) return std::nullopt;
  return std::move(documents.front());
}

}  // namespace

List ObjectsIn(std::string_view text) {
  List objects;
  std::size_t bytes_left = kPassesMax * text.size() + kBytesReadMin;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    std::size_t missing = 0;
    const std::size_t end = EndOfBraces(text, at, missing);
    if (end - at > bytes_left) break;
    bytes_left -= end - at;
    std::optional<Value> object =
        ReadObject(std::string(text.substr(at, end - at)) + std::string(missing, '}'));
    if (!object) {
      ++at;
      continue;
    }
    objects.push_back(*std::move(object));
    at = end;
  }
  return objects;
}

}  // namespace assay::promptfoo
