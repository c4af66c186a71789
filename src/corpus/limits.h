// The limits of documents, chunks and searches (sizes, counts, times). Exceeding one is an Error (kLimit)
// that names it, or shortens what is only shown.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace assay::limits {

// Documents.
inline constexpr std::size_t kDocumentBytesMax = 64u << 20;      // a file, and the text that comes of it
inline constexpr std::size_t kDocumentsMax = 100'000;            // of one corpus
inline constexpr std::size_t kCorpusTextBytesMax = 2048u << 20;  // all texts of one corpus
inline constexpr std::size_t kCorpusFileBytesMax = 2048u << 20;  // all files of one corpus
inline constexpr std::size_t kHtmlLinksMax = 10'000;             // links that are kept of one page
inline constexpr std::size_t kHtmlLinkTextMax = 1'000;           // bytes of the words of one link
inline constexpr std::size_t kHtmlAttributesMax = 256;           // of one tag; with more it is hidden
inline constexpr std::size_t kEpubEntriesMax = 20'000;           // files inside a book
inline constexpr std::size_t kEpubChaptersMax = 5'000;           // in its order of reading

// Programs and embedders that documents need.
inline constexpr std::chrono::milliseconds kPdfTime{60'000};     // wall, to take the text of a PDF
inline constexpr std::chrono::milliseconds kPdfCpuTime{20'000};  // of the processors meanwhile
inline constexpr std::uint64_t kPdfMemoryBytesMax = 1ull << 30;
inline constexpr std::uint64_t kPdfTextBytesMax = 32u << 20;  // of one PDF
inline constexpr std::uint32_t kPdfProcessesMax = 8;
inline constexpr std::size_t kEmbeddedTextsMax = 64;  // of one request

// Chunks.
inline constexpr std::size_t kChunksMax = 4'000'000;  // of one corpus
inline constexpr std::size_t kChunkCharactersMax =
    20'000;  // a chunk's size that may be asked for, in its own unit

// Searches.
inline constexpr std::size_t kQueryBytesMax = 64u << 10;       // what lies behind is not looked at
inline constexpr std::size_t kQueryTermsMax = 512;             // different words of a query
inline constexpr std::size_t kDimensionsMax = 8'192;           // of one embedding
inline constexpr std::size_t kResultsMax = 100;                // chunks of one answer, per document
inline constexpr std::size_t kComparedStepsMax = 100'000'000;  // of all comparisons of chunks in one answer
inline constexpr std::size_t kSourcesMax = 100;                // documents asked for at once

// Evidence: what the checks of a case look for in its documents, and how far it came.
inline constexpr std::size_t kToolResultBytesMax = 400u << 10;  // that a model is shown of one result
inline constexpr std::chrono::milliseconds kEvidenceTime{
    2'000};                                               // of CPU, for one case or one attempt's check
inline constexpr std::size_t kNeededMax = 100;            // checks of a case that look for a text
inline constexpr std::size_t kNeededPlacesMax = 20;       // of one text in one document
inline constexpr std::size_t kShownMax = 1'000;           // parts of documents that one attempt was shown
inline constexpr std::size_t kQuotedWordsMin = 6;         // of a run of words that counts as a quote
inline constexpr std::size_t kQuotedBytesMax = 8u << 20;  // documents that are looked through for quotes

}  // namespace assay::limits
