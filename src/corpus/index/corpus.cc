// Builds a corpus, and finds the document, page and section of a chunk.
#include "corpus/index/corpus.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/assert.h"
#include "base/text/utf8.h"
#include "corpus/limits.h"

namespace assay {

namespace {

void HashPart(Sha256& hash, std::string_view part) {
  hash.Update(fmt::format("{}:", part.size()));
  hash.Update(part);
}

}  // namespace

std::string PlaceText(const Place& place, std::string_view title) {
  if (place.page > 0) return fmt::format("{}, page {}", title, place.page);
  return fmt::format("{}, line {}", title, place.line);
}

std::pair<ChunkIndex, ChunkIndex> Corpus::ChunksOf(DocumentIndex document) const {
  ASSAY_ASSERT(document < documents_.size());
  return {first_chunks_[document], first_chunks_[document + 1]};
}

DocumentIndex Corpus::DocumentOf(ChunkIndex chunk) const {
  ASSAY_ASSERT(chunk < chunks_.size());
  const auto behind = std::upper_bound(first_chunks_.begin(), first_chunks_.end(), chunk);
  return static_cast<DocumentIndex>(behind - first_chunks_.begin() - 1);
}

std::string Corpus::ChunkTextOf(ChunkIndex chunk) const {
  return ChunkText(documents_[DocumentOf(chunk)].content.text, chunks_[chunk]);
}

Place Corpus::PlaceOf(ChunkIndex chunk) const {
  return PlaceAt(DocumentOf(chunk), chunks_[chunk].begin, chunks_[chunk].end);
}

Place Corpus::PlaceAt(DocumentIndex document, std::size_t begin_byte, std::size_t end_byte) const {
  Place place;
  place.document = document;
  place.begin = begin_byte;
  place.end = end_byte;
  const DocumentText& content = documents_[place.document].content;
  const auto begin = content.text.begin();
  place.line =
      static_cast<std::size_t>(std::count(begin, begin + static_cast<std::ptrdiff_t>(place.begin), '\n')) + 1;
  const auto page = std::upper_bound(content.page_starts.begin(), content.page_starts.end(), place.begin);
  place.page = static_cast<std::size_t>(page - content.page_starts.begin());
  return place;
}

std::optional<DocumentIndex> Corpus::Find(std::string_view id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return found->second;
}

std::vector<ChunkSpan> CutIntoChunks(std::string_view text, const CorpusOptions& options) {
  return options.chunk_by == ChunkBy::kSentences ? ChunkBySentences(text, options.chunk_size)
                                                 : ChunkByCharacters(text, options.chunk_size);
}

Ingestion Corpus::IngestionOf(DocumentIndex document) const {
  ASSAY_ASSERT(document < ingestions_.size());
  return ingestions_[document];
}

const std::string* Corpus::ProblemOf(std::string_view id) const {
  const auto found = problems_.find(id);
  return found == problems_.end() ? nullptr : &found->second;
}

Digest Corpus::DigestOf(std::span<const std::string> ids) const {
  Sha256 hash;
  HashPart(hash, Hex(options_digest_));
  for (const std::string& id : ids) {
    const std::optional<DocumentIndex> found = Find(id);
    HashPart(hash, found ? Hex(digests_[*found]) : "missing");
    HashPart(hash, id);
  }
  return hash.Finish();
}

CorpusBuilder::CorpusBuilder(CorpusOptions options)
    : corpus_(std::make_shared<Corpus>()), row_(FindEmbedder(options.embedder)) {
  if (row_ != nullptr) options.dimensions = row_->dimensions;
  corpus_->vectors_ = VectorTable(options.dimensions);
  corpus_->first_chunks_ = {0};
  corpus_->options_digest_ = Sha256Of(
      fmt::format("assay corpus 2\n{} {} {} {} {}", static_cast<int>(options.chunk_by),
                  options.chunk_size.size, options.chunk_size.overlap, options.embedder, options.dimensions));
  corpus_->options_ = std::move(options);
}

Status CorpusBuilder::Add(CorpusDocument document) {
  Corpus& corpus = *corpus_;
  const std::string_view text = document.content.text;
  if (corpus.documents_.size() >= limits::kDocumentsMax ||
      text_bytes_ + text.size() > limits::kCorpusTextBytesMax) {
    return Error{
        ErrorCode::kLimit,
        fmt::format("{}: expected at most {} documents with {} bytes of text, found more; split the dataset",
                    document.id, limits::kDocumentsMax, limits::kCorpusTextBytesMax)};
  }
  if (corpus.Find(document.id))
    return Error{ErrorCode::kInvalidInput, fmt::format("the document \"{}\" is there already", document.id)};
  const std::vector<ChunkSpan> spans = CutIntoChunks(text, corpus.options_);
  if (corpus.chunks_.size() + spans.size() > limits::kChunksMax) {
    return Error{ErrorCode::kLimit, fmt::format("{}: expected at most {} chunks in all documents, found more",
                                                document.id, limits::kChunksMax)};
  }
  const bool embeds = row_ != nullptr && row_->embed != nullptr;
  for (const ChunkSpan& span : spans) {
    const std::string shown = ChunkText(text, span);
    corpus.lexical_.AddRow(shown);
    if (embeds) ASSAY_CHECK_OK(corpus.vectors_.Add(row_->embed(shown)));
  }
  corpus.chunks_.insert(corpus.chunks_.end(), spans.begin(), spans.end());
  corpus.first_chunks_.push_back(static_cast<ChunkIndex>(corpus.chunks_.size()));
  text_bytes_ += text.size();
  corpus.ingestions_.push_back({.characters = CountCodePoints(text), .chunks = spans.size()});
  corpus.by_id_.emplace(document.id, static_cast<DocumentIndex>(corpus.documents_.size()));
  corpus.documents_.push_back(std::move(document));
  return Ok();
}

void CorpusBuilder::SetTime(double ms) {
  ASSAY_ASSERT(!corpus_->ingestions_.empty());
  corpus_->ingestions_.back().ms = ms;
}

void CorpusBuilder::AddProblem(std::string id, std::string reason) {
  corpus_->problems_.insert_or_assign(std::move(id), std::move(reason));
}

std::vector<std::string> CorpusBuilder::TextsToEmbed(ChunkIndex first, std::size_t most) const {
  std::vector<std::string> texts;
  if (row_ != nullptr) return texts;
  for (std::size_t chunk = first; chunk < corpus_->chunks_.size() && texts.size() < most; ++chunk) {
    texts.push_back(corpus_->ChunkTextOf(static_cast<ChunkIndex>(chunk)));
  }
  return texts;
}

Status CorpusBuilder::AddVectors(std::span<const Vector> vectors) {
  VectorTable& table = corpus_->vectors_;
  if (row_ != nullptr || table.size() + vectors.size() > corpus_->chunks_.size()) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("expected one embedding for each of {} chunks, found {} more", corpus_->chunks_.size(),
                    table.size() + vectors.size() - corpus_->chunks_.size())};
  }
  table.Reserve(corpus_->chunks_.size());
  for (const Vector& vector : vectors) ASSAY_CHECK_OK(table.Add(vector));
  return Ok();
}

Result<std::shared_ptr<const Corpus>> CorpusBuilder::Build() && {
  const bool wants_vectors = corpus_->vectors_.dimensions() > 0;
  if (wants_vectors && corpus_->vectors_.size() != corpus_->chunks_.size()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected an embedding for each of {} chunks, found {}", corpus_->chunks_.size(),
                             corpus_->vectors_.size())};
  }
  for (DocumentIndex document = 0; document < corpus_->documents_.size(); ++document) {
    const CorpusDocument& whole = corpus_->documents_[document];
    Sha256 hash;
    HashPart(hash, whole.title);
    HashPart(hash, whole.content.text);
    const auto [first, end] = corpus_->ChunksOf(document);
    for (ChunkIndex chunk = first; wants_vectors && chunk < end; ++chunk) {
      const std::span<const float> row = corpus_->vectors_.Row(chunk);
      hash.Update({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)});
    }
    corpus_->digests_.push_back(hash.Finish());
  }
  return std::shared_ptr<const Corpus>(std::move(corpus_));
}

}  // namespace assay
