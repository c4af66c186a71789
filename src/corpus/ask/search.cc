// Scores chunks by vectors and by words: one pass over the vectors of the searched chunks, one over the
// postings of the query's terms.
#include "corpus/ask/search.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "corpus/index/near_duplicate.h"
#include "corpus/limits.h"

namespace assay {

namespace {

constexpr std::size_t kCandidatesPerChunk = 3;
constexpr std::size_t kDenseReach = 10;
constexpr double kRepeatRatio = 0.92;

std::size_t CandidatesOf(const SearchOptions& options) {
  return std::clamp<std::size_t>(options.max_chunks, 1, limits::kResultsMax) * kCandidatesPerChunk;
}

// Cosines of the range, 0 beyond the nearest `reach`.
std::vector<float> DenseScores(const Corpus& corpus, const SearchQuery& query, ChunkIndex first,
                               ChunkIndex end, std::size_t reach) {
  std::vector<float> scores(end - first, 0.0f);
  if (query.vector.empty() || corpus.vectors().size() == 0) return scores;
  for (ChunkIndex chunk = first; chunk < end; ++chunk) {
    scores[chunk - first] = CosineOf(query.vector, corpus.vectors().Row(chunk));
  }
  if (scores.size() <= reach) return scores;
  std::vector<ChunkIndex> order(scores.size());
  std::iota(order.begin(), order.end(), ChunkIndex{0});
  const auto nearer = [&scores](ChunkIndex a, ChunkIndex b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(reach), order.end(), nearer);
  for (auto far = order.begin() + static_cast<std::ptrdiff_t>(reach); far != order.end(); ++far)
    scores[*far] = 0;
  return scores;
}

std::vector<double> LexicalScores(const Corpus& corpus, const SearchQuery& query, ChunkIndex first,
                                  ChunkIndex end) {
  std::vector<double> scores(end - first, 0.0);
  const auto before = [](const RowScore& hit, ChunkIndex chunk) { return hit.row < chunk; };
  const auto begin_hit = std::lower_bound(query.hits.begin(), query.hits.end(), first, before);
  const auto end_hit = std::lower_bound(begin_hit, query.hits.end(), end, before);
  if (std::vector<RowScore> hits(begin_hit, end_hit); !hits.empty()) {
    SpreadScores(hits);
    for (const RowScore& hit : hits) scores[hit.row - first] = hit.score;
    return scores;
  }
  if (query.terms.empty()) return scores;
  const std::vector<std::uint32_t> counts = corpus.lexical().CountTerms(query.terms, first, end);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    scores[i] = static_cast<double>(counts[i]) / static_cast<double>(query.terms.size());
  }
  return scores;
}

// The chunks of what may be seen, ascending.
std::vector<RowSpan> RowsOf(const Corpus& corpus, const std::optional<VisibleDocuments>& visible) {
  if (!visible) return {{0, static_cast<RowIndex>(corpus.chunks())}};
  std::set<DocumentIndex> documents;
  for (const std::optional<DocumentIndex>& document : *visible) {
    if (document) documents.insert(*document);
  }
  std::vector<RowSpan> rows;
  for (const DocumentIndex document : documents) {
    const auto [first, end] = corpus.ChunksOf(document);
    rows.push_back({first, end});
  }
  return rows;
}

std::vector<FoundChunk> RankRange(const Corpus& corpus, ChunkIndex first, ChunkIndex end,
                                  const SearchQuery& query, const SearchOptions& options) {
  const std::size_t candidates = CandidatesOf(options);
  const double weight = std::clamp(options.dense_weight, 0.0, 1.0);
  const std::vector<float> dense = DenseScores(corpus, query, first, end, candidates * kDenseReach);
  const std::vector<double> lexical = LexicalScores(corpus, query, first, end);
  std::vector<FoundChunk> found;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    const double score = weight * static_cast<double>(dense[i]) + (1.0 - weight) * lexical[i];
    if (score >= options.min_relevance)
      found.push_back({static_cast<ChunkIndex>(first + i), score, dense[i], lexical[i]});
  }
  const auto better = [](const FoundChunk& a, const FoundChunk& b) {
    return a.score != b.score ? a.score > b.score : a.chunk < b.chunk;
  };
  const std::size_t kept = std::min(candidates, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(), better);
  found.resize(kept);
  return found;
}

}  // namespace

SearchQuery MakeQuery(const Corpus& corpus, std::string_view text,
                      const std::optional<VisibleDocuments>& visible) {
  SearchQuery query;
  query.text = text.substr(0, limits::kQueryBytesMax);
  query.terms = QueryTerms(query.text);
  query.hits = corpus.lexical().Match(
      query.terms, [&corpus](RowIndex row) { return corpus.ChunkTextOf(row); }, RowsOf(corpus, visible));
  const EmbedderRow* row = FindEmbedder(corpus.options().embedder);
  if (row == nullptr || row->embed == nullptr) return query;
  if (Result<Vector> unit = UnitVector(row->embed(query.text))) query.vector = std::move(*unit);
  return query;
}

Result<SearchQuery> MakeQuery(const Corpus& corpus, std::string_view text, std::span<const float> vector,
                              const std::optional<VisibleDocuments>& visible) {
  SearchQuery query = MakeQuery(corpus, text, visible);
  if (vector.size() != corpus.vectors().dimensions()) {
    return Error{ErrorCode::kInvalidInput,
                 "expected a query's embedding of as many numbers as the documents have"};
  }
  ASSAY_TRY(query.vector, UnitVector(vector));
  return query;
}

void SpreadScores(std::vector<RowScore>& scores) {
  if (scores.empty()) return;
  const auto [least, most] = std::minmax_element(
      scores.begin(), scores.end(), [](const RowScore& a, const RowScore& b) { return a.score < b.score; });
  const double low = least->score;
  const double range = most->score - low;
  for (RowScore& score : scores) score.score = range > 0 ? (score.score - low) / range : 1.0;
}

std::vector<FoundChunk> RankDocument(const Corpus& corpus, DocumentIndex document, const SearchQuery& query,
                                     const SearchOptions& options) {
  const auto [first, end] = corpus.ChunksOf(document);
  return RankRange(corpus, first, end, query, options);
}

std::vector<FoundChunk> RankCorpus(const Corpus& corpus, const SearchQuery& query,
                                   const SearchOptions& options) {
  return RankRange(corpus, 0, static_cast<ChunkIndex>(corpus.chunks()), query, options);
}

std::vector<FoundChunk> WithoutRepeats(const Corpus& corpus, std::span<const FoundChunk> ranked,
                                       std::size_t max_chunks) {
  std::vector<FoundChunk> kept;
  std::vector<std::string> texts;
  std::size_t steps_left = limits::kComparedStepsMax;
  for (const FoundChunk& found : ranked) {
    if (kept.size() >= max_chunks) break;
    std::string text = corpus.ChunkTextOf(found.chunk);
    const bool repeats = std::any_of(texts.begin(), texts.end(), [&](const std::string& before) {
      return IsNearDuplicate(text, before, kRepeatRatio, steps_left);
    });
    if (repeats) continue;
    kept.push_back(found);
    texts.push_back(std::move(text));
  }
  return kept;
}

}  // namespace assay
