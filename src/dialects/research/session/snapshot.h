// The pinned copies of a dataset's documents: their paths, and the manifest with their digests.
//   source  asky-cli 14f1a9e, evals/research_pipeline/evaluator.py (spec: research, 4)
//   cases   golden research/units.jsonl, kind extension_from_url; run_artifacts/prepare*
//
//   <snapshot root>/<dataset id>/manifest.json
//   <snapshot root>/<dataset id>/docs/<document id><extension of its URL>
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "dialects/research/read/dataset.h"

namespace assay::research {

inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kDefaultSnapshotRoot = "temp/research_eval/snapshots";

// ".pdf": the suffix of the URL's path in lower case if it is short and plain, else ".bin". kInvalidInput for
// what is no URL at all (an IPv6 address without its bracket).
Result<std::string> ExtensionFromUrl(std::string_view url);
// "docs/x.pdf", below the dataset's folder.
Result<std::string> SnapshotPathOf(const Document& document);

struct PreparedDocument {
  const Document* document = nullptr;
  std::string path;  // below the dataset's folder
  std::string sha256;
  std::uint64_t size_bytes = 0;
  bool is_new = false;  // downloaded, not reused
  double elapsed_ms = 0;
};

struct Manifest {
  const Dataset* dataset = nullptr;
  std::vector<PreparedDocument> documents;  // in the dataset's order
  std::int64_t created_ms = 0;              // since 1970
  double total_ms = 0;
};

std::string WriteManifest(const Manifest& manifest);

// What a manifest says of one document.
struct PinnedDocument {
  std::string path;  // below the dataset's folder
  std::string sha256;
  std::string url;
};
// By document id. kCorrupt for what is no manifest; entries without path or hash are left out.
Result<std::map<std::string, PinnedDocument>> ReadManifest(std::string_view text);

}  // namespace assay::research
