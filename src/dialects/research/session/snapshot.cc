// Derives file names of documents from their URLs as Python's urllib and pathlib do; reads and writes
// manifest.json.
#include "dialects/research/session/snapshot.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/files/path_names.h"
#include "dialects/research/read/lenient.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/object.h"
#include "text/python/json.h"
#include "text/python/repr.h"
#include "text/python/text.h"

namespace assay::research {

namespace {

bool IsSchemeCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
         c == '.';
}

// urllib.parse.urlsplit(url).path
Result<std::string> PathOfUrl(std::string_view url) {
  while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ') url.remove_prefix(1);
  std::string text;
  for (const char c : url) {
    if (c != '\t' && c != '\r' && c != '\n') text += c;
  }
  std::string_view rest = text;
  const std::size_t colon = rest.find(':');
  const bool has_scheme =
      colon != std::string_view::npos && colon > 0 && !(rest[0] >= '0' && rest[0] <= '9') &&
      std::all_of(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(colon), IsSchemeCharacter);
  if (has_scheme) rest.remove_prefix(colon + 1);
  if (rest.starts_with("//")) {
    const std::size_t end = std::min(rest.find_first_of("/?#", 2), rest.size());
    const std::string_view host = rest.substr(2, end - 2);
    const bool has_open = host.find('[') != std::string_view::npos;
    if (has_open != (host.find(']') != std::string_view::npos)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("expected a URL, found {}: a bracket of its address is missing", Quoted(url))};
    }
    rest.remove_prefix(end);
  }
  return std::string(rest.substr(0, rest.find_first_of("?#")));
}

// As Python's pathlib names a path: "." at its end is no name.
std::string_view PathlibName(std::string_view path) {
  while (true) {
    while (path.ends_with('/')) path.remove_suffix(1);
    const std::string_view name = FileNameOf(path);
    if (name != ".") return name;
    path.remove_suffix(1);
  }
}

// "2026-11-21T20:35:26.204000+00:00"
std::string PythonMoment(std::int64_t ms) {
  std::string iso = JsIsoDate(ms);
  iso.pop_back();
  return iso + "000+00:00";
}

}  // namespace

Result<std::string> ExtensionFromUrl(std::string_view url) {
  constexpr std::string_view kNone = ".bin";
  constexpr std::size_t kLettersMax = 8;
  ASSAY_TRY(const std::string path, PathOfUrl(url));
  const std::string_view name = PathlibName(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == name.size()) return std::string(kNone);
  const std::string suffix = PythonLower(name.substr(dot));
  const bool is_plain = suffix.size() <= kLettersMax + 1 &&
                        std::all_of(suffix.begin() + 1, suffix.end(),
                                    [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  return is_plain ? suffix : std::string(kNone);
}

Result<std::string> SnapshotPathOf(const Document& document) {
  ASSAY_TRY(const std::string extension, ExtensionFromUrl(document.url));
  return "docs/" + document.id + extension;
}

std::string WriteManifest(const Manifest& manifest) {
  Map docs, timings;
  std::int64_t downloaded = 0;
  for (const PreparedDocument& prepared : manifest.documents) {
    const std::string_view action = prepared.is_new ? "downloaded" : "reused";
    downloaded += prepared.is_new ? 1 : 0;
    timings.Append(prepared.document->id, Object{{"action", action}, {"elapsed_ms", prepared.elapsed_ms}});
    docs.Append(prepared.document->id, Object{{"id", prepared.document->id},
                                              {"title", prepared.document->title},
                                              {"url", prepared.document->url},
                                              {"path", prepared.path},
                                              {"sha256", prepared.sha256},
                                              {"bytes", static_cast<std::int64_t>(prepared.size_bytes)},
                                              {"prepare_action", action},
                                              {"prepare_elapsed_ms", prepared.elapsed_ms}});
  }
  // Texts and numbers alone: there is nothing that JSON cannot hold.
  return WritePythonJson(
             Object{{"dataset_id", manifest.dataset->id},
                    {"dataset_source", manifest.dataset->path},
                    {"created_at", PythonMoment(manifest.created_ms)},
                    {"timings_ms",
                     Object{{"prepare_total_ms", manifest.total_ms},
                            {"downloaded_docs", Number(downloaded)},
                            {"reused_docs",
                             Number(static_cast<std::int64_t>(manifest.documents.size()) - downloaded)}}},
                    {"doc_prepare_timings_ms", std::move(timings)},
                    {"docs", std::move(docs)}},
             {.indent = 2, .sorts_keys = true})
             .value_or("") +
         "\n";
}

Result<std::map<std::string, PinnedDocument>> ReadManifest(std::string_view text) {
  Result<Value> root = ParsePythonJson(text);
  const Map* docs = root ? FindMap(*root, "docs") : nullptr;
  if (docs == nullptr) {
    return Error{ErrorCode::kCorrupt,
                 root ? std::string("expected an object with `docs`") : root.error().message};
  }
  std::map<std::string, PinnedDocument> pinned;
  for (const Member& member : *docs) {
    const auto text_of = [&member](std::string_view key) {
      return std::string(PythonTrim(member.value.TextAt(key)));
    };
    PinnedDocument entry{.path = text_of("path"), .sha256 = text_of("sha256"), .url = text_of("url")};
    if (!entry.path.empty() && !entry.sha256.empty()) pinned.emplace(member.key, std::move(entry));
  }
  return pinned;
}

}  // namespace assay::research
