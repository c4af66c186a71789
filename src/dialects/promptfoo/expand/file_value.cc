// The kinds of files that variables name.
#include "dialects/promptfoo/expand/file_value.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "dialects/promptfoo/read/paths.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/packed/base64.h"
#include "text/yaml/yaml.h"

namespace assay::promptfoo {

namespace {

struct MediaKind {
  std::string_view ending;
  std::string_view type;  // of a picture; "" for sound and film
};
constexpr MediaKind kMediaKinds[] = {
    {".jpg", "image/jpeg"},
    {".jpeg", "image/jpeg"},
    {".png", "image/png"},
    {".gif", "image/gif"},
    {".bmp", "image/bmp"},
    {".webp", "image/webp"},
    {".svg", "image/svg+xml"},
    {".mp3", ""},
    {".wav", ""},
    {".ogg", ""},
    {".m4a", ""},
    {".aac", ""},
    {".flac", ""},
    {".aiff", ""},
    {".wma", ""},
    {".mp4", ""},
    {".webm", ""},
    {".mov", ""},
    {".avi", ""},
    {".mkv", ""},
    {".wmv", ""},
    {".m4v", ""},
};

Result<std::string> YamlAsJson(const std::string& path, const std::string& text) {
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add(path, text);
  const std::vector<Value> documents = ReadYaml(file, sources.Text(file), YamlRules::kJsYaml, diagnostics);
  if (diagnostics.HasErrors()) {
    const Diagnostic& first = diagnostics.All().front();
    const LineColumn place = sources.Locate(first.where);
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{}:{}:{}: {}", path, place.line, place.column, first.message)};
  }
  return documents.empty() ? std::string() : WriteJson(documents.front(), JsonStyle::kJavaScript);
}

}  // namespace

Result<std::string> FileValue(FileReader& files, const std::string& path) {
  if (IsCodePath(path))
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} is a program, which is not run here", Quoted(path))};
  const std::string ending = ExtensionOf(path);
  if (ending == ".pdf")
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: no text is taken out of PDF here: save it as a text", Quoted(path))};
  ASSAY_TRY(std::string text, files.Read(path));
  if (ending == ".yaml" || ending == ".yml") return YamlAsJson(path, text);
  const auto media = std::find_if(std::begin(kMediaKinds), std::end(kMediaKinds),
                                  [&](const MediaKind& each) { return each.ending == ending; });
  if (media == std::end(kMediaKinds)) return std::string(JsTrim(text));
  const std::string encoded = EncodeBase64(text);
  return media->type.empty() ? encoded : fmt::format("data:{};base64,{}", media->type, encoded);
}

}  // namespace assay::promptfoo
