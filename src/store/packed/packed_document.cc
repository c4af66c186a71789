// Compresses the texts of documents, and makes them whole again.
#include "store/packed/packed_document.h"

#include <algorithm>

#include "base/limits.h"
#include "store/step_links.h"
#include "text/packed/compress.h"

namespace assay {

namespace {

// What a frame of so many bytes may unpack to: with more, a store of kilobytes would take much memory.
std::size_t TextBytesMax(std::size_t frame_bytes) {
  constexpr std::size_t kAnyTextBytes = 2u << 20;
  constexpr std::size_t kRatioMax = 256;
  return std::min<std::size_t>(limits::kStoredDocumentBytesMax, kAnyTextBytes + kRatioMax * frame_bytes);
}

}  // namespace

DocumentKey KeyOf(const RunDocument& document) {
  DocumentKey key{.pages = EncodeNumbers(document.page_starts)};
  Sha256 hash;
  hash.Update(key.pages);
  hash.Update(std::string_view("\0", 1));
  hash.Update(document.text);
  key.digest = hash.Finish();
  return key;
}

std::string PackText(std::string_view text) {
  Compressor compressor;
  compressor.Append(text);
  return compressor.FinishPadded();  // else UnpackDocument would refuse one that repeats a lot
}

Status UnpackDocument(std::string_view pages, std::string_view frame, RunDocument& document) {
  ASSAY_TRY(document.page_starts, DecodeNumbers(pages));
  if (!std::is_sorted(document.page_starts.begin(), document.page_starts.end()))
    return Error{ErrorCode::kCorrupt, "the store is damaged: the pages of a document are out of order"};
  Result<std::string> text = Decompress(frame, TextBytesMax(frame.size()));
  if (!text)
    return Error{ErrorCode::kCorrupt,
                 "the store is damaged: a document cannot be made whole: " + text.error().message};
  document.text = *std::move(text);
  return Ok();
}

}  // namespace assay
