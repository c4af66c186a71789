// Document adapters: convert the bytes of a file to the text that a model may read; one row each. Hostile
// bytes give an Error or less text, never more than limits::kDocumentBytesMax, in time linear in their
// number.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"

namespace assay {

// Persisted in reports by name: add at the end.
enum class DocumentKind { kText, kMarkdown, kCsv, kJson, kHtml, kPdf, kEpub, kDocx, kXlsx, kPptx };
std::string_view DocumentKindName(DocumentKind kind);  // "text", "markdown", ...

struct DocumentText {
  std::string text;                      // well-formed UTF-8, line ends "\n"
  std::string title;                     // that the document gives itself; "" if it has none
  std::vector<std::size_t> page_starts;  // bytes of the text where its pages begin; empty: it has none
  std::size_t dropped_bytes = 0;         // that were no UTF-8 and are left out
};

// The suffix of the name decides; where it names no kind, the first bytes do. Nothing: no adapter reads this.
std::optional<DocumentKind> DocumentKindOf(std::string_view name, std::string_view bytes);

// Of a PDF, `bytes` is what pdftotext printed with pages parted by form feeds; all other kinds hand in their
// file. kLimit: too large, before or after it is unpacked. kCorrupt: no whole document of its kind,
// kInvalidInput: it holds no text at all.
Result<DocumentText> ReadDocument(DocumentKind kind, std::string_view bytes);

// UTF-8 without its mark, or UTF-16 with one; what is neither is dropped and counted. "\r\n" and "\r" become
// "\n", NULs are left out.
DocumentText DecodePlainText(std::string_view bytes);

}  // namespace assay
