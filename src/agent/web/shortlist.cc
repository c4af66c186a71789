// Scores candidate pages by similarity to the queries, key phrases, length and path, and keeps the best;
// fixed weights, no model is asked.
#include "agent/web/shortlist.h"

#include <algorithm>
#include <set>

#include "agent/limits.h"
#include "agent/web/addresses.h"
#include "base/text/utf8.h"
#include "base/wire/url.h"
#include "corpus/index/lexical_index.h"
#include "text/python/text.h"

namespace assay {

namespace {

constexpr std::size_t kShortPageCharacters = 700;
constexpr double kKeyphraseWeight = 0.10;
constexpr double kSeedHostWeight = 0.05;
constexpr double kShortPageWeight = -0.10;
constexpr double kNoisePathWeight = -0.15;

constexpr std::string_view kNoisePaths[] = {"/login",     "/signin",   "/signup",   "/register", "/account",
                                            "/privacy",   "/terms",    "/cookie",   "/tag/",     "/tags/",
                                            "/category/", "/author/",  "/search",   "/cart",     "/checkout",
                                            "/contact",   "/advertis", "/subscribe"};

bool IsNoise(std::string_view url) {
  const std::size_t host = url.find("://");
  const std::size_t path = host == std::string_view::npos ? host : url.find('/', host + 3);
  if (path == std::string_view::npos) return false;
  const std::string lower = PythonLower(url.substr(path));
  return std::any_of(std::begin(kNoisePaths), std::end(kNoisePaths),
                     [&lower](std::string_view noise) { return lower.find(noise) != std::string::npos; });
}

double ShareOfKeyphrases(std::span<const std::string> keyphrases, std::string_view text) {
  if (keyphrases.empty()) return 0;
  const std::string lower = PythonLower(text);
  const auto found = std::count_if(keyphrases.begin(), keyphrases.end(), [&lower](const std::string& phrase) {
    return lower.find(PythonLower(phrase)) != std::string::npos;
  });
  return static_cast<double>(found) / static_cast<double>(keyphrases.size());
}

// How near the text is to the nearest query.
double SimilarityOf(std::string_view text, std::span<const std::string> queries,
                    const EmbedderRow* embedder) {
  double best = 0;
  const bool embeds = embedder != nullptr && embedder->embed != nullptr;
  const Vector page = embeds ? embedder->embed(text) : Vector();
  for (const std::string& query : queries) {
    const double near = embeds ? static_cast<double>(CosineOf(page, embedder->embed(query)))
                               : TermShare(QueryTerms(query), text);
    best = std::max(best, near);
  }
  return best;
}

}  // namespace

std::vector<std::string> MergeCandidates(const CandidateSources& sources) {
  std::vector<std::string> merged;
  std::set<std::string> taken;
  const auto add = [&](const std::string& address) {
    std::string url = NormaliseUrl(address);
    if (url.empty() || merged.size() >= limits::kShortlistCandidatesMax || !taken.insert(url).second) return;
    merged.push_back(std::move(url));
  };
  for (const std::string& seed : sources.seeds) add(seed);
  for (std::size_t i = 0; i < std::max(sources.links.size(), sources.results.size()); ++i) {
    if (i < sources.links.size()) add(sources.links[i]);
    if (i < sources.results.size()) add(sources.results[i]);
    if (merged.size() >= limits::kShortlistCandidatesMax) break;
  }
  return merged;
}

std::vector<ShortlistedPage> RankShortlist(std::span<const FetchedPage> pages,
                                           const ShortlistQuestion& question, const EmbedderRow* embedder) {
  std::set<std::string, std::less<>> hosts;
  for (const std::string& seed : question.seeds) hosts.insert(std::string(HostOf(NormaliseUrl(seed))));
  std::vector<ShortlistedPage> ranked;
  for (std::size_t i = 0; i < std::min(pages.size(), limits::kShortlistFetchedMax); ++i) {
    const FetchedPage& page = pages[i];
    const std::size_t characters = CountCodePoints(page.text);
    if (characters < limits::kPageCharactersMin) continue;
    const std::string url = NormaliseUrl(page.url);
    ShortlistedPage entry;
    entry.page = i;
    entry.similarity = SimilarityOf(page.text, question.queries, embedder);
    entry.score = entry.similarity + kKeyphraseWeight * ShareOfKeyphrases(question.keyphrases, page.text);
    if (hosts.contains(HostOf(url))) entry.score += kSeedHostWeight;
    if (characters < kShortPageCharacters) entry.score += kShortPageWeight;
    if (IsNoise(url)) entry.score += kNoisePathWeight;
    ranked.push_back(entry);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const ShortlistedPage& a, const ShortlistedPage& b) { return a.score > b.score; });
  if (ranked.size() > limits::kShortlistMax) ranked.resize(limits::kShortlistMax);
  return ranked;
}

}  // namespace assay
