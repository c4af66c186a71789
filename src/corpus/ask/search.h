// Ranking the chunks of a document for a query. Pure over an immutable Corpus; any thread.
//
// score = dense_weight × dense + (1 − dense_weight) × lexical, both within [0, 1]:
//   dense    cosine of the embeddings, for the `kDenseReach` × candidates nearest chunks; 0 for those further
//   off
//   lexical  bm25 of chunks that have every term, spread over 0..1 between the worst and the best of them; if
//   no
//            chunk has them all, the share of the terms that a chunk has
// source: asky 0.4.15, spec research 9.3; rows: golden/research/retrieval.jsonl (hybrid).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/index/corpus.h"

namespace assay {

struct SearchOptions {
  std::size_t max_chunks = 5;
  double dense_weight = 0.75;
  double min_relevance = 0.15;
};

// A query, ready for any number of documents. `vector` is empty where there is none: the dense part is 0
// then.
struct SearchQuery {
  std::string text;
  std::vector<std::string> terms;
  Vector vector;
  std::vector<RowScore> hits;  // chunks that have every term, with bm25, ascending
};
// The documents that somebody may see, in an order of his own, where each has its number; absent: it was not
// read.
using VisibleDocuments = std::span<const std::optional<DocumentIndex>>;
// Embeds by the corpus's own embedder. `visible`: only these are searched, and scores count no other; absent:
// the whole corpus.
SearchQuery MakeQuery(const Corpus& corpus, std::string_view text,
                      const std::optional<VisibleDocuments>& visible = {});
// With a vector from an endpoint. kInvalidInput: its size is not the corpus's.
Result<SearchQuery> MakeQuery(const Corpus& corpus, std::string_view text, std::span<const float> vector,
                              const std::optional<VisibleDocuments>& visible = {});

struct FoundChunk {
  ChunkIndex chunk = 0;
  double score = 0;
  double dense = 0;
  double lexical = 0;
};

// The best of one document, at least `min_relevance`, three times `max_chunks` of them: near-duplicates are
// still there. Equal scores keep the order of the text.
std::vector<FoundChunk> RankDocument(const Corpus& corpus, DocumentIndex document, const SearchQuery& query,
                                     const SearchOptions& options);
// The same over all documents at once.
std::vector<FoundChunk> RankCorpus(const Corpus& corpus, const SearchQuery& query,
                                   const SearchOptions& options);
// The first `max_chunks` of which none repeats one before it.
std::vector<FoundChunk> WithoutRepeats(const Corpus& corpus, std::span<const FoundChunk> ranked,
                                       std::size_t max_chunks);
// Scores of rows of bm25 between 0, the worst, and 1; all 1 where they are equal.
void SpreadScores(std::vector<RowScore>& scores);

}  // namespace assay
