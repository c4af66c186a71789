// Classifies a question by its words alone (a summary or research, the web or the documents), and derives
// further search queries. Deterministic; no model is asked.
//
// source: asky 0.4.15, spec research 9.2 and 9.7; rows: golden/research/units.jsonl (classify_query,
// shortlist_intent). The lists of words are ours as far as no row pins them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// kOneShot: the documents can be summed up at once, without searching.
enum class QueryMode { kOneShot, kResearch };
struct QueryClass {
  QueryMode mode = QueryMode::kResearch;
  double confidence = 0;
  std::string reason;
};
QueryClass ClassifyQuery(std::string_view query, std::size_t documents);

// Where a question with documents at hand wants to be answered from. kAmbiguous: both, or neither, is named.
enum class ShortlistIntent { kWeb, kLocal, kAmbiguous };
ShortlistIntent ShortlistIntentOf(std::string_view query);

// The query, and up to three more of its most telling words in threes (asky: YAKE; here rarity by length and
// place, so the words differ). A query of less than 30 characters stands alone.
std::vector<std::string> ExpandQuery(std::string_view query);

}  // namespace assay
