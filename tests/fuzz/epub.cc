// Any bytes as a book: text or an error, and pages that begin within the text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "base/text/utf8.h"
#include "corpus/limits.h"
#include "corpus/read/document.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(epub)(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const assay::Result<assay::DocumentText> book = assay::ReadDocument(assay::DocumentKind::kEpub, bytes);
  if (!book) {
    ASSAY_ASSERT(!book.error().message.empty());
    return 0;
  }
  ASSAY_ASSERT(!book->text.empty() && book->text.size() <= assay::limits::kDocumentBytesMax);
  ASSAY_ASSERT(assay::FindInvalidUtf8(book->text) == std::string_view::npos);
  for (const std::size_t start : book->page_starts) ASSAY_ASSERT(start < book->text.size());
  return 0;
}
