// Reads the text of EPUB 2 and 3 books: a ZIP archive whose package file lists its chapters (XHTML) in
// reading order.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "corpus/read/document.h"

namespace assay {

// The chapters' texts with an empty line between them; each begins a page. All files together unpack to at
// most limits::kDocumentBytesMax (kLimit). kCorrupt, kUnsupported as of an archive; kCorrupt without a
// package file.
Result<DocumentText> ReadEpub(std::string_view bytes);

}  // namespace assay
