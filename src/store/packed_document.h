// The text of a document as the store keeps it: once by its digest, compressed, with the places of its pages.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/hash.h"
#include "store/store.h"

namespace assay {

// Where pages begin, as the store keeps it (EncodeNumbers), and the SHA-256 of that and the text.
struct DocumentKey {
  Digest digest{};
  std::string pages;
};
DocumentKey KeyOf(const RunDocument& document);
std::string PackText(std::string_view text);
// kCorrupt: the writer cannot have written this.
Status UnpackDocument(std::string_view pages, std::string_view frame, RunDocument& document);

}  // namespace assay
