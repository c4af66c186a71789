// Books in EPUB 2 and 3: a ZIP archive whose package file names its chapters, pages of XHTML, in reading
// order.
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
