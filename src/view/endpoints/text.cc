// Bytes of a text that was too long for its place, and parts of messages; both by their digest.
#include <algorithm>

#include "base/hash.h"
#include "base/wire/wire.h"
#include "report/values/pages/case_page.h"
#include "spec/suite/suite.h"
#include "view/endpoint.h"

namespace assay {

namespace {

bool IsDigest(std::string_view text) {
  return text.size() == 2 * sizeof(Digest) && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// What a browser shows without running anything in it; everything else is bytes.
std::string TypeOf(const Suite& suite, std::string_view sha256) {
  for (const Case& the_case : suite.cases) {
    for (const Turn& turn : the_case.turns) {
      for (const MediaPart& part : *turn.media) {
        const bool is_picture = part.type == "image/png" || part.type == "image/jpeg" ||
                                part.type == "image/gif" || part.type == "image/webp";
        if (part.sha256 == sha256 && is_picture) return part.type;
      }
    }
  }
  return "application/octet-stream";
}

Result<Made> Cut(const Asked& asked, std::string type, std::string_view bytes) {
  ASSAY_TRY(const std::uint64_t from, asked.Number("from", 0));
  ASSAY_TRY(const std::uint64_t to, asked.Number("to", bytes.size()));
  const std::size_t begin = std::min<std::uint64_t>(from, bytes.size());
  const std::size_t end = std::clamp<std::uint64_t>(to, begin, bytes.size());
  return Made{.type = std::move(type), .body = std::string(bytes.substr(begin, end - begin))};
}

}  // namespace

Result<Made> MakeText(Library& library, const Asked& asked) {
  const std::string& sha256 = asked.names[0];
  const std::optional<std::string> id = asked.Parameter("run");
  if (!id || !IsDigest(sha256)) return Error{ErrorCode::kInvalidInput, "expected text/SHA256?run=ID"};
  ASSAY_TRY(const OpenedRun* run, library.Open(*id));
  ASSAY_TRY(const std::shared_ptr<const Blob> blob, run->home->store->BlobOf(sha256));
  if (blob != nullptr) return Cut(asked, TypeOf(*run->report.suite, sha256), blob->bytes);
  const std::optional<std::string> of_case = asked.Parameter("case");
  if (!of_case) return Error{ErrorCode::kNotFound, "the store has no such text"};
  ASSAY_TRY(const CaseIndex index, CaseOf(*run->report.suite, *of_case));
  std::string found;
  ASSAY_CHECK_OK(VisitTexts(run->report, index, [&](std::string_view text) {
    if (text.empty() || Hex(Sha256Of(text)) != sha256) return false;
    found = text;
    return true;
  }));
  if (found.empty()) return Error{ErrorCode::kNotFound, "the case has no such text"};
  return Cut(asked, "text/plain; charset=utf-8", found);
}

}  // namespace assay
