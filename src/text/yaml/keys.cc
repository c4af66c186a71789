// Walks libyaml's events and keeps the scalars that are keys of the root.
#include "text/yaml/keys.h"

#include <algorithm>

#include "text/limits.h"
#include "text/yaml/source.h"
#include "text/yaml/stream.h"

namespace assay {
namespace {

// Not inside a character: a broken one would be a problem of the whole text.
std::string_view StartOf(std::string_view text) {
  std::size_t end = std::min(text.size(), kSniffedBytesMax);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

bool Opens(YamlEventKind kind) {
  return kind == YamlEventKind::kListStart || kind == YamlEventKind::kMapStart;
}
bool Closes(YamlEventKind kind) { return kind == YamlEventKind::kListEnd || kind == YamlEventKind::kMapEnd; }
bool IsNode(YamlEventKind kind) { return kind == YamlEventKind::kScalar || kind == YamlEventKind::kAlias; }

}  // namespace

std::vector<std::string> TopLevelKeys(std::string_view text) {
  const YamlSource source(FileId::kNone, StartOf(text), YamlRules::kPyYaml);
  YamlStream stream(source);
  std::vector<std::string> keys;
  YamlEvent event;
  stream.Next(event);
  if (event.kind == YamlEventKind::kDocumentStart) stream.Next(event);
  if (event.kind != YamlEventKind::kMapStart) return keys;
  std::size_t depth = 0;  // below the root
  bool is_key = true;     // what comes next in the root
  while (true) {
    stream.Next(event);
    if (Opens(event.kind)) {
      if (++depth > limits::kYamlDepthMax) return keys;
    } else if (Closes(event.kind) && depth > 0) {
      --depth;
    } else if (!IsNode(event.kind)) {
      return keys;  // the root ends, or the text does
    } else if (depth == 0 && is_key && event.kind == YamlEventKind::kScalar) {
      keys.push_back(event.text);
    }
    if (depth == 0) is_key = !is_key;
  }
}

}  // namespace assay
