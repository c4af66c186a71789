// Chooses the web pages that are worth a model's time: candidates without repeats first, then those of the
// fetched pages that fit the question best.
//
// source: asky 0.4.15, spec research 9.7 (numbers), our own list of paths that are noise.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/index/embedder.h"

namespace assay {

// Addresses in their one form, each once, at most limits::kShortlistCandidatesMax: seeds (which the prompt
// names), then links of seeds and search results in turns. What is no http(s) address is left out.
struct CandidateSources {
  std::span<const std::string> seeds;
  std::span<const std::string> links;
  std::span<const std::string> results;
};
std::vector<std::string> MergeCandidates(const CandidateSources& sources);

struct FetchedPage {
  std::string url;
  std::string text;
};

struct ShortlistQuestion {
  std::span<const std::string> queries;     // the query and its expansions
  std::span<const std::string> keyphrases;  // words that a good page has
  std::span<const std::string> seeds;       // addresses whose hosts are preferred
};

struct ShortlistedPage {
  std::size_t page = 0;  // of those handed in
  double score = 0;
  double similarity = 0;
};

// The best limits::kShortlistMax, best first; equal ones in the order in which they came. A page of less than
// limits::kPageCharactersMin characters is no page. Without an embedder that embeds by itself the similarity
// is the share of the query's words that the page has.
//   score = similarity (the greatest over the queries) + 0.10 × share of keyphrases + 0.05 on a seed's host
//           − 0.10 below 700 characters − 0.15 for a path of noise (log in, privacy, tags, ...)
std::vector<ShortlistedPage> RankShortlist(std::span<const FetchedPage> pages,
                                           const ShortlistQuestion& question, const EmbedderRow* embedder);

}  // namespace assay
