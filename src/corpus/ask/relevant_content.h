// The answer to "what do these documents say about this?", in the shape that models see: the operation behind
// the tool get_relevant_content, answered by a worker from the Corpus alone.
//
// source: asky 0.4.15, spec research 9.3 and 9.6; rows: golden/research/retrieval.jsonl (tool_result,
// get_relevant_content). Words of errors and notes are ours. Beyond the original each chunk names its
// `place`, if asked.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "corpus/ask/search.h"
#include "corpus/index/corpus.h"
#include "text/value.h"

namespace assay {

// "corpus://cache/3": the third document of those that the asking case names, whatever else the run reads, so
// that a case is asked the same in every run. "corpus://cache/3#section=ID" and "corpus://cache/3/ID" name a
// section.
struct CorpusHandle {
  std::size_t number = 0;  // from 1
  std::string section;
};
bool IsCorpusHandle(std::string_view text);
std::optional<CorpusHandle> ParseCorpusHandle(std::string_view text);  // nothing: it is written otherwise
std::string HandleOf(std::size_t place);                               // of the document there, from 0

// kNamed: each chunk has a member `place` ("handbook.pdf, page 3").
enum class ChunkPlaces { kOmitted, kNamed };

struct RelevantOptions {
  ChunkPlaces places = ChunkPlaces::kOmitted;
  std::span<const std::string> preloaded = {};  // handles that stand in for empty `urls`
  // The documents that whoever asks may see, by the numbers of their handles; absent: the whole corpus.
  std::optional<VisibleDocuments> visible = {};
};

// `arguments` is what the model wrote: urls, corpus_urls, query, max_chunks, dense_weight, min_relevance,
// section_id, section_ref. Whatever it is, the answer is a map: by source, or {error}.
Value RelevantContent(const Corpus& corpus, const Value& arguments, const RelevantOptions& options);
// With the query as it is searched for: by a vector from elsewhere.
Value RelevantContent(const Corpus& corpus, const Value& arguments, const SearchQuery& query,
                      const RelevantOptions& options);
// What stands for one document: {title, chunks, chunk_count}, or a preview where nothing is relevant or no
// search is possible.
Value RelevantIn(const Corpus& corpus, DocumentIndex document, const SearchQuery& query,
                 const SearchOptions& options, ChunkPlaces places);

}  // namespace assay
