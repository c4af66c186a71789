// Makes the requests of a document (pdftotext for PDFs, an embedder for vectors) and reads their replies.
#include "corpus/read/intake.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/files/path_names.h"
#include "corpus/index/chunk.h"
#include "corpus/limits.h"
#include "corpus/read/document.h"
#include "spec/suite/case.h"

namespace assay {

namespace {

constexpr std::string_view kPdfFile = "document.pdf";

// The text as pdftotext orders it by itself: columns one after the other, as people read them. `-layout`
// would put lines of two columns side by side, `-raw` follows the file, which may hold a page's heads last.
// Pages end in form feeds.
ProcessRequest PdfRequest(const IntakeInput& input) {
  ProcessRequest request;
  request.argv = {std::string(kPdfProgram), "-enc", "UTF-8", "-eol", "unix", std::string(kPdfFile), "-"};
  request.files.push_back({.path = std::string(kPdfFile), .bytes = {}, .blob = input.document.blob});
  request.toolchain = kPdfProgram;
  request.toolchain_digest = input.pdf_toolchain;
  request.limits = {.wall = limits::kPdfTime,
                    .cpu = limits::kPdfCpuTime,
                    .memory_bytes = limits::kPdfMemoryBytesMax,
                    .output_bytes = limits::kPdfTextBytesMax,
                    .processes = limits::kPdfProcessesMax};
  return request;
}

std::string FirstLine(std::string_view text) {
  const std::string_view trimmed = text.substr(std::min(text.find_first_not_of(" \r\n\t"), text.size()));
  return Quoted(trimmed.substr(0, trimmed.find('\n')));
}

// Exit status 1: the file cannot be opened. 3: its author forbids that text is copied.
Error PdfProblem(const ProcessReply& reply) {
  constexpr int kForbidden = 3;
  if (!reply.limit.empty()) {
    return {ErrorCode::kLimit, fmt::format("{} exceeded its limit of {}", kPdfProgram, reply.limit)};
  }
  if (reply.stderr_text.find("Incorrect password") != std::string::npos)
    return {ErrorCode::kRefused, "it is encrypted and opens with a password only; give a copy without one"};
  if (reply.exit_code == kForbidden)
    return {ErrorCode::kRefused, "its author forbids that its text is copied; give a copy that allows it"};
  if (reply.signal != 0)
    return {ErrorCode::kCorrupt, fmt::format("{} was ended by signal {}", kPdfProgram, reply.signal)};
  return {ErrorCode::kCorrupt, fmt::format("it is no whole PDF: {} ended with {} and said {}", kPdfProgram,
                                           reply.exit_code, FirstLine(reply.stderr_text))};
}

Result<DocumentText> ReadPdf(const Exchange& exchange) {
  if (exchange.error) return *exchange.error;
  const auto* reply = std::get_if<ProcessReply>(&exchange.reply);
  if (reply == nullptr) return Error{ErrorCode::kCorrupt, "the stored reply is not from a program"};
  if (reply->error) return *reply->error;
  if (reply->exit_code != 0 || reply->signal != 0 || !reply->limit.empty()) return PdfProblem(*reply);
  constexpr std::size_t kCharacterBytesMax = 4;  // less than a whole one is left out at the limit
  if (reply->stdout_text.size() + kCharacterBytesMax > limits::kPdfTextBytesMax) {
    return Error{ErrorCode::kLimit, fmt::format("expected at most {} bytes of text in a PDF, found more",
                                                limits::kPdfTextBytesMax)};
  }
  return ReadDocument(DocumentKind::kPdf, reply->stdout_text);
}

std::vector<std::string> ChunksOf(std::string_view text, const CorpusOptions& options) {
  std::vector<std::string> chunks;
  for (const ChunkSpan& span : CutIntoChunks(text, options)) chunks.push_back(ChunkText(text, span));
  return chunks;
}

std::vector<Request> EmbedRequests(const Embedder& embedder, std::vector<std::string> texts) {
  std::vector<Request> requests;
  for (std::size_t begin = 0; begin < texts.size(); begin += limits::kEmbeddedTextsMax) {
    const std::size_t end = std::min(begin + limits::kEmbeddedTextsMax, texts.size());
    EmbedRequest request{embedder, {}, {}};
    for (std::size_t i = begin; i < end; ++i) request.texts.push_back(std::move(texts[i]));
    requests.emplace_back(std::move(request));
  }
  return requests;
}

// One embedder's vectors are all of one size, and of numbers that can be compared.
Status AddVector(const std::vector<double>& numbers, std::vector<Vector>& vectors) {
  if (!vectors.empty() && vectors.front().size() != numbers.size()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("its embedder gave vectors of {} and of {} numbers",
                                                       vectors.front().size(), numbers.size())};
  }
  Vector vector(numbers.begin(), numbers.end());
  if (const Result<Vector> unit = UnitVector(vector); !unit)
    return Error{unit.error().code, fmt::format("its embedder's vectors: {}", unit.error().message)};
  vectors.push_back(std::move(vector));
  return Ok();
}

Result<std::vector<Vector>> VectorsOf(std::span<const Exchange> replies, std::size_t texts) {
  std::vector<Vector> vectors;
  for (const Exchange& exchange : replies) {
    if (exchange.error) {
      return Error{exchange.error->code,
                   fmt::format("its chunks are not embedded: {}", exchange.error->message)};
    }
    const auto* reply = std::get_if<EmbedReply>(&exchange.reply);
    const std::size_t wanted = std::min(texts - vectors.size(), limits::kEmbeddedTextsMax);
    if (reply == nullptr || reply->vectors.size() != wanted) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("its embedder gave {} vectors for {} texts",
                               reply == nullptr ? 0 : reply->vectors.size(), wanted)};
    }
    for (const std::vector<double>& numbers : reply->vectors) ASSAY_CHECK_OK(AddVector(numbers, vectors));
  }
  return vectors;
}

std::optional<DocumentKind> KindOf(const CaseDocument& document) {
  const std::string_view bytes =
      document.blob == nullptr ? std::string_view() : std::string_view(document.blob->bytes);
  return DocumentKindOf(FileNameOf(document.path), bytes);
}

}  // namespace

CorpusOptions CorpusOptionsOf(const CorpusSettings& settings, std::size_t dimensions) {
  return {.chunk_by = settings.by_characters ? ChunkBy::kCharacters : ChunkBy::kSentences,
          .chunk_size = {},
          .embedder = settings.embedder,
          .dimensions = dimensions};
}

bool NeedsProgram(const CaseDocument& document) { return KindOf(document) == DocumentKind::kPdf; }

Result<Intake> TakeIn(const IntakeInput& input, std::span<const Exchange> so_far) {
  const std::optional<DocumentKind> kind = KindOf(input.document);
  if (!kind) {
    return Error{ErrorCode::kUnsupported,
                 "nothing reads it: expected text, Markdown, CSV, JSON, HTML, PDF or EPUB by its name or its "
                 "first bytes"};
  }
  if (input.document.blob == nullptr) return Error{ErrorCode::kNotFound, "it was not read"};
  Intake intake;
  if (kind == DocumentKind::kPdf) {
    if (so_far.empty()) {
      intake.needs.emplace_back(PdfRequest(input));
      return intake;
    }
    ASSAY_TRY(intake.content, ReadPdf(so_far.front()));
    so_far = so_far.subspan(1);
  } else {
    ASSAY_TRY(intake.content, ReadDocument(*kind, input.document.blob->bytes));
  }
  if (!input.settings.endpoint) return intake;
  std::vector<std::string> chunks = ChunksOf(intake.content.text, CorpusOptionsOf(input.settings, 0));
  if (so_far.empty()) {
    intake.needs = EmbedRequests(*input.settings.endpoint, std::move(chunks));
    return intake;
  }
  ASSAY_TRY(intake.vectors, VectorsOf(so_far, chunks.size()));
  if (intake.vectors.size() != chunks.size())
    return Error{ErrorCode::kInvalidInput, "not all of its chunks are embedded"};
  return intake;
}

}  // namespace assay
