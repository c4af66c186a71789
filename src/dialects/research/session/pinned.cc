// Reads the manifest of a dataset's copies and compares each copy with it.
#include "dialects/research/session/pinned.h"

#include <fmt/core.h>

#include "base/files/near_file.h"
#include "base/hash.h"
#include "base/text/shell_words.h"
#include "dialects/research/session/snapshot.h"

namespace assay::research {

namespace {

class PinnedReader {
 public:
  PinnedReader(const PinnedPlace& place, const Dataset& dataset, FileReader& files, Diagnostics& diagnostics)
      : place_(place), dataset_(dataset), files_(files), diagnostics_(diagnostics) {}

  std::optional<Pinned> Read() {
    const std::string folder = fmt::format("{}/{}", place_.root, dataset_.id);
    const std::string manifest_path = fmt::format("{}/{}", folder, kManifestName);
    const Result<std::string> text = files_.Read(manifest_path);
    if (!text) {
      if (IsToCome()) return std::nullopt;
      Tell(fmt::format("the documents are not downloaded: {}", text.error().message), NearRootHint());
      return std::nullopt;
    }
    const Result<std::map<std::string, PinnedDocument>> manifest = ReadManifest(*text);
    if (!manifest) {
      Tell(fmt::format("{} is no manifest: {}", Quoted(manifest_path), manifest.error().message),
           PrepareHint() + " --refresh");
      return std::nullopt;
    }
    bool is_whole = true;
    for (const Document& document : dataset_.docs) is_whole = Check(folder, document, *manifest) && is_whole;
    return is_whole ? std::optional(std::move(pinned_)) : std::nullopt;
  }

 private:
  void Tell(std::string message, std::string hint) {
    diagnostics_.Add({.severity = place_.severity,
                      .code = "research.snapshot",
                      .message = std::move(message),
                      .hint = std::move(hint),
                      .where = place_.where});
  }

  // The command that downloads what is missing.
  std::string PrepareHint() const {
    std::string hint = fmt::format("assay prepare --dataset {}", QuoteWord(dataset_.path));
    const Result<std::string> usual = ResolveOptionPath(kDefaultSnapshotRoot, place_.roots);
    if (!usual || *usual != place_.root) hint += fmt::format(" --snapshot-root {}", QuoteWord(place_.root));
    return hint;
  }

  // The folder whose name is a slip away and that has the documents; "": there is none.
  std::string NearRoot() const {
    const std::string near = NearFile(files_, place_.root);
    const bool has_documents =
        !near.empty() && files_.Exists(fmt::format("{}/{}/{}", near, dataset_.id, kManifestName));
    return has_documents ? near : std::string();
  }

  std::string NearRootHint() const {
    const std::string near = NearRoot();
    return near.empty() ? PrepareHint() : fmt::format("did you mean {}?", Quoted(near));
  }

  // Nobody has prepared anything yet, which is no mistake in a file: the run says so.
  bool IsToCome() const {
    return place_.severity == Severity::kWarning && !files_.Exists(place_.root) && NearRoot().empty();
  }

  bool Check(const std::string& folder, const Document& document,
             const std::map<std::string, PinnedDocument>& manifest) {
    const auto entry = manifest.find(document.id);
    if (entry == manifest.end()) {
      Tell(fmt::format("document {} is not downloaded", Quoted(document.id)), PrepareHint());
      return false;
    }
    if (entry->second.path.starts_with('/') || entry->second.path.find("..") != std::string::npos) {
      Tell(fmt::format("the manifest puts document {} outside of its folder", Quoted(document.id)),
           PrepareHint() + " --refresh");
      return false;
    }
    const std::string path = fmt::format("{}/{}", folder, entry->second.path);
    const Result<std::string> bytes = files_.Read(path);
    if (!bytes) {
      Tell(fmt::format("document {}: {}", Quoted(document.id), bytes.error().message), PrepareHint());
      return false;
    }
    if (Hex(Sha256Of(*bytes)) != entry->second.sha256) {
      Tell(fmt::format("{} is not what was downloaded: its SHA-256 is another", Quoted(path)),
           PrepareHint() + " --refresh");
      return false;
    }
    pinned_.paths[document.id] = path;
    pinned_.sha256s[document.id] = entry->second.sha256;
    return true;
  }

  const PinnedPlace& place_;
  const Dataset& dataset_;
  FileReader& files_;
  Diagnostics& diagnostics_;
  Pinned pinned_;
};

}  // namespace

std::optional<Pinned> ReadPinned(const PinnedPlace& place, const Dataset& dataset, FileReader& files,
                                 Diagnostics& diagnostics) {
  return PinnedReader(place, dataset, files, diagnostics).Read();
}

}  // namespace assay::research
