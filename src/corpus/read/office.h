// Reads the text of Office Open XML files (ECMA-376): .docx, .xlsx and .pptx, ZIP archives of XML parts.
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "corpus/read/document.h"

namespace assay {

// All parts together unpack to at most limits::kDocumentBytesMax (kLimit). kCorrupt, kUnsupported as of an
// archive; kCorrupt where its main part is missing.

// Paragraphs, and the cells of tables between tabs, with footnotes and endnotes behind; text that is struck
// out by a tracked change is not there.
Result<DocumentText> ReadDocx(std::string_view bytes);
// The sheets in their order, each a page under its name; a row a line, cells between tabs, values as they are
// stored, dates as days.
Result<DocumentText> ReadXlsx(std::string_view bytes);
// The slides in their order, each a page.
Result<DocumentText> ReadPptx(std::string_view bytes);

}  // namespace assay
