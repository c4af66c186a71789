// Corpus: the documents of a run, cut into chunks and indexed by words and vectors. Built once, then
// immutable, so that many threads search it without locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "base/hash.h"
#include "corpus/index/chunk.h"
#include "corpus/index/embedder.h"
#include "corpus/index/lexical_index.h"
#include "corpus/read/document.h"

namespace assay {

using DocumentIndex = std::uint32_t;
using ChunkIndex = RowIndex;  // of the whole corpus; the chunks of a document follow one another

// kSentences counts tokens, kCharacters code points (what the original does without a model's tokeniser).
enum class ChunkBy { kSentences, kCharacters };

struct CorpusOptions {
  ChunkBy chunk_by = ChunkBy::kSentences;
  ChunkSize chunk_size = {};
  std::string embedder = "hash";  // a row of embedder.cc, or the name of an endpoint's model
  std::size_t dimensions = 0;     // of an endpoint's vectors; a row of embedder.cc knows its own
};

// As the options say.
std::vector<ChunkSpan> CutIntoChunks(std::string_view text, const CorpusOptions& options);

struct CorpusDocument {
  std::string id;  // what cases name it by; not shown to models
  std::string title;
  DocumentText content;
};

// Where a chunk stands in its document.
struct Place {
  DocumentIndex document = 0;
  std::size_t begin = 0;  // bytes of the document's text
  std::size_t end = 0;
  std::size_t line = 1;
  std::size_t page = 0;  // from 1; 0: the document has no pages
};
std::string PlaceText(const Place& place,
                      std::string_view title);  // "handbook.pdf, page 3", "notes.txt, line 7"

// What taking a document in came to.
struct Ingestion {
  std::size_t characters = 0;  // code points of its text
  std::size_t chunks = 0;
  double ms = 0;
};

class Corpus {
 public:
  std::span<const CorpusDocument> documents() const { return documents_; }
  std::size_t chunks() const { return chunks_.size(); }
  // The chunks of a document: first to end - 1.
  std::pair<ChunkIndex, ChunkIndex> ChunksOf(DocumentIndex document) const;
  DocumentIndex DocumentOf(ChunkIndex chunk) const;
  std::string ChunkTextOf(ChunkIndex chunk) const;
  ChunkSpan SpanOf(ChunkIndex chunk) const { return chunks_[chunk]; }
  Place PlaceOf(ChunkIndex chunk) const;
  Place PlaceAt(DocumentIndex document, std::size_t begin, std::size_t end) const;  // bytes of its text
  std::optional<DocumentIndex> Find(std::string_view id) const;
  Ingestion IngestionOf(DocumentIndex document) const;
  // Why a document that was to be here is not, a phrase for people; null if it is, or was never wanted.
  const std::string* ProblemOf(std::string_view id) const;
  const std::map<std::string, std::string, std::less<>>& problems() const { return problems_; }  // by id

  const LexicalIndex& lexical() const { return lexical_; }
  const VectorTable& vectors() const { return vectors_; }  // empty: a dense search is not possible
  const CorpusOptions& options() const { return options_; }
  // Of these documents, by id, of options and vectors: what a search's stored answer depends on. Documents
  // beside them do not count.
  Digest DigestOf(std::span<const std::string> ids) const;

 private:
  friend class CorpusBuilder;
  CorpusOptions options_;
  std::vector<CorpusDocument> documents_;
  std::map<std::string, DocumentIndex, std::less<>> by_id_;
  std::vector<Ingestion> ingestions_;  // one a document
  std::map<std::string, std::string, std::less<>> problems_;
  std::vector<ChunkIndex> first_chunks_;  // one a document, and the number of all
  std::vector<ChunkSpan> chunks_;
  LexicalIndex lexical_;
  VectorTable vectors_;
  Digest options_digest_{};
  std::vector<Digest> digests_;  // one a document
};

// Takes documents in order. With an embedder of an endpoint the texts to embed are asked for, and their
// vectors handed in, before Build.
class CorpusBuilder {
 public:
  explicit CorpusBuilder(CorpusOptions options);

  // kLimit: too many documents, chunks or bytes. kInvalidInput: the id is there already.
  Status Add(CorpusDocument document);
  // How long the document that was added last took.
  void SetTime(double ms);
  // A document that is not to be had, and why.
  void AddProblem(std::string id, std::string reason);
  std::size_t chunks() const { return corpus_->chunks(); }
  // Texts that want vectors from elsewhere, from chunk `first` on, at most `most`; none where a row embeds by
  // itself.
  std::vector<std::string> TextsToEmbed(ChunkIndex first, std::size_t most) const;
  // kInvalidInput: wrong dimensions, or more vectors than chunks.
  Status AddVectors(std::span<const Vector> vectors);
  // kInvalidInput: vectors are missing.
  Result<std::shared_ptr<const Corpus>> Build() &&;

 private:
  std::shared_ptr<Corpus> corpus_;
  const EmbedderRow* row_ = nullptr;
  std::size_t text_bytes_ = 0;
};

}  // namespace assay
