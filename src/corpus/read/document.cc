// The table of document adapters (plain text, HTML, EPUB, PDF text), the detection of a document's kind, and
// the decoding of plain text.
#include "corpus/read/document.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"
#include "corpus/index/words.h"
#include "corpus/limits.h"
#include "corpus/read/epub.h"
#include "corpus/read/html.h"
#include "corpus/read/office.h"

namespace assay {

namespace {

Result<DocumentText> ReadPlain(std::string_view bytes) { return DecodePlainText(bytes); }

Result<DocumentText> ReadPage(std::string_view bytes) {
  DocumentText document = DecodePlainText(bytes);
  HtmlPage page = ReadHtml(document.text);
  document.text = std::move(page.text);
  document.title = std::move(page.title);
  return document;
}

// What pdftotext prints: a form feed behind each page. Pages are parted by an empty line.
Result<DocumentText> ReadPdfText(std::string_view bytes) {
  const DocumentText decoded = DecodePlainText(bytes);
  std::string_view rest = decoded.text;
  DocumentText document;
  document.dropped_bytes = decoded.dropped_bytes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\f'), rest.size());
    if (!document.page_starts.empty()) document.text += "\n\n";
    document.page_starts.push_back(document.text.size());
    document.text += rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return document;
}

struct AdapterRow {
  DocumentKind kind;
  std::string_view name;
  std::string_view suffixes;  // between blanks
  Result<DocumentText> (*read)(std::string_view bytes);
};

constexpr AdapterRow kAdapters[] = {
    {DocumentKind::kText, "text", " txt ", ReadPlain},
    {DocumentKind::kMarkdown, "markdown", " md markdown ", ReadPlain},
    {DocumentKind::kCsv, "csv", " csv ", ReadPlain},
    {DocumentKind::kJson, "json", " json ", ReadPlain},
    {DocumentKind::kHtml, "html", " html htm xhtml ", ReadPage},
    {DocumentKind::kPdf, "pdf", " pdf ", ReadPdfText},
    {DocumentKind::kEpub, "epub", " epub ", ReadEpub},
    {DocumentKind::kDocx, "docx", " docx ", ReadDocx},
    {DocumentKind::kXlsx, "xlsx", " xlsx ", ReadXlsx},
    {DocumentKind::kPptx, "pptx", " pptx ", ReadPptx},
};

const AdapterRow& RowOf(DocumentKind kind) { return kAdapters[static_cast<std::size_t>(kind)]; }

std::string LowerSuffix(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  std::string suffix(file.substr(dot + 1));
  for (char& c : suffix) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return suffix;
}

constexpr std::size_t kFirstBytes = 1024;  // that are looked at

bool LooksLikeHtml(std::string_view begin) {
  std::string lower(TrimBlanks(begin).substr(0, 64));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lower.starts_with("<!doctype html") || lower.starts_with("<html");
}

std::optional<DocumentKind> KindByBytes(std::string_view bytes) {
  std::string_view begin = bytes.substr(0, kFirstBytes);
  if (begin.starts_with("%PDF-")) return DocumentKind::kPdf;
  if (begin.starts_with("PK\x03\x04")) {
    constexpr std::pair<std::string_view, DocumentKind> kFirstNames[] = {
        {"application/epub+zip", DocumentKind::kEpub},
        {"word/", DocumentKind::kDocx},
        {"xl/", DocumentKind::kXlsx},
        {"ppt/", DocumentKind::kPptx},
    };
    for (const auto& [name, kind] : kFirstNames) {
      if (begin.find(name) != std::string_view::npos) return kind;
    }
    return std::nullopt;
  }
  begin = WithoutByteOrderMark(begin);
  if (begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff")) return DocumentKind::kText;
  if (LooksLikeHtml(begin)) return DocumentKind::kHtml;
  const std::size_t ill = FindInvalidUtf8(begin);
  const bool is_cut = bytes.size() > begin.size() && ill + 4 > begin.size();  // within the last character
  if ((ill != std::string_view::npos && !is_cut) || begin.find('\0') != std::string_view::npos)
    return std::nullopt;
  return DocumentKind::kText;
}

std::string FromUtf16(std::string_view bytes, bool is_big) {
  std::u16string units;
  units.reserve(bytes.size() / 2);
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    units += static_cast<char16_t>(is_big ? first << 8 | second : second << 8 | first);
  }
  return ToUtf8(units);
}

}  // namespace

std::string_view DocumentKindName(DocumentKind kind) { return RowOf(kind).name; }

std::optional<DocumentKind> DocumentKindOf(std::string_view name, std::string_view bytes) {
  const std::string suffix = LowerSuffix(name);
  if (!suffix.empty() && suffix.find(' ') == std::string::npos) {
    for (const AdapterRow& row : kAdapters) {
      if (row.suffixes.find(fmt::format(" {} ", suffix)) != std::string_view::npos) return row.kind;
    }
  }
  return KindByBytes(bytes);
}

Result<DocumentText> ReadDocument(DocumentKind kind, std::string_view bytes) {
  if (bytes.size() > limits::kDocumentBytesMax) {
    return Error{ErrorCode::kLimit, fmt::format("expected a document of at most {} bytes, found {}; split it",
                                                limits::kDocumentBytesMax, bytes.size())};
  }
  ASSAY_TRY(DocumentText document, RowOf(kind).read(bytes));
  if (document.text.size() > limits::kDocumentBytesMax) {
    return Error{ErrorCode::kLimit,
                 fmt::format("expected at most {} bytes of text in a document, found {}; split it",
                             limits::kDocumentBytesMax, document.text.size())};
  }
  if (TrimBlanks(document.text).empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected a document with text, found {} bytes of {} without any", bytes.size(),
                             DocumentKindName(kind))};
  }
  return document;
}

DocumentText DecodePlainText(std::string_view bytes) {
  DocumentText document;
  std::string converted;
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    converted = FromUtf16(bytes.substr(2), bytes.front() == '\xfe');
    bytes = converted;
  } else {
    bytes = WithoutByteOrderMark(bytes);
  }
  document.text.reserve(bytes.size());
  std::size_t ill = FindInvalidUtf8(bytes);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at == ill) {
      // One byte at a time: what follows may be whole again.
      ++document.dropped_bytes;
      const std::size_t next = FindInvalidUtf8(bytes.substr(at + 1));
      ill = next == std::string_view::npos ? next : at + 1 + next;
      continue;
    }
    const char c = bytes[at];
    if (c == '\r') {
      document.text += '\n';
      if (at + 1 < bytes.size() && bytes[at + 1] == '\n') ++at;
    } else if (c != '\0') {
      document.text += c;
    }
  }
  return document;
}

}  // namespace assay
