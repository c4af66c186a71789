// Reads the pages that the question names, finds more through their links or a web search, and keeps the best
// by the shortlist.
#include "agent/web/preload_pages.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/search.h"
#include "agent/web/addresses.h"
#include "agent/web/pages.h"
#include "agent/web/shortlist.h"
#include "agent/words/prompts.h"
#include "agent/words/query.h"
#include "base/text/utf8.h"
#include "corpus/index/embedder.h"

namespace assay {

namespace {

constexpr std::size_t kSeedPagesExpanded = 3;
constexpr std::size_t kLinksOfSeed = 50;
constexpr std::size_t kSearchResults = 40;
constexpr std::size_t kShownMost = 5;
constexpr std::size_t kSnippetBytes = 420;

// Why no pages are looked for; "" if they are.
std::string ReasonAgainst(const TurnState& turn) {
  const Profile& profile = turn.profile();
  if (profile.lean) return "the run is lean";
  if (!profile.preload_shortlist) return "the run does without";
  if (!turn.context.TheVariant().agent.shortlist) return "the model does without";
  if (!turn.documents.empty() && ShortlistIntentOf(turn.query) != ShortlistIntent::kWeb)
    return "the question is one for its documents";
  return {};
}

struct Reading {
  std::vector<std::string> seeds;
  std::vector<WebPage> seed_pages;
  std::vector<WebPage> others;
};

std::vector<std::string> UrlsOf(const std::vector<SearchResult>& results) {
  std::vector<std::string> urls;
  for (const SearchResult& result : results) urls.push_back(result.url);
  return urls;
}

std::optional<Reading> ReadAll(TurnState& turn, std::span<const std::string> queries) {
  Reading reading;
  const bool is_local = turn.profile().source_provider == kLocalSnapshot;
  // A document's name is no address, though it may look like a domain.
  reading.seeds = FindPromptAddresses(is_local ? QuestionOf(turn) : turn.query).urls;
  if (reading.seeds.size() > limits::kPageUrlsMax) reading.seeds.resize(limits::kPageUrlsMax);
  ASSAY_AWAIT(reading.seed_pages, ReadPages(turn, reading.seeds));
  std::vector<std::string> links;
  for (std::size_t i = 0; i < std::min(reading.seed_pages.size(), kSeedPagesExpanded); ++i) {
    const std::vector<PageLink>& of_page = reading.seed_pages[i].links;
    for (std::size_t k = 0; k < std::min(of_page.size(), kLinksOfSeed); ++k) links.push_back(of_page[k].href);
  }
  std::vector<std::string> results;
  if (reading.seeds.empty()) {
    const std::size_t each =
        std::max<std::size_t>(1, kSearchResults / std::max<std::size_t>(1, queries.size()));
    for (const std::string& query : queries) {
      ASSAY_AWAIT(const Result<std::vector<SearchResult>> found, SearchWeb(turn, query, each));
      if (!found) break;  // there is no search
      for (std::string& url : UrlsOf(*found)) results.push_back(std::move(url));
    }
  }
  std::vector<std::string> candidates =
      MergeCandidates({.seeds = reading.seeds, .links = links, .results = results});
  if (candidates.size() > limits::kShortlistFetchedMax) candidates.resize(limits::kShortlistFetchedMax);
  ASSAY_AWAIT(reading.others, ReadPages(turn, candidates));
  return reading;
}

// Too little to answer from: a notice, an empty frame.
bool IsShort(const WebPage& page) { return CountCodePoints(page.text) < limits::kPageCharactersMin; }

// What became of the pages that the question names and that are not shown.
void AddNotices(const std::vector<WebPage>& seeds, Preloaded& preloaded) {
  for (const WebPage& page : seeds) {
    if (!page.problem.empty()) {
      preloaded.notices.push_back(fmt::format("page {}: {}", page.url, page.problem));
    } else if (IsShort(page)) {
      preloaded.notices.push_back(fmt::format("page {} is left out: it has fewer than {} characters",
                                              page.url, limits::kPageCharactersMin));
    }
  }
}

std::size_t CountRead(const TurnState& turn) {
  return static_cast<std::size_t>(std::count_if(
      turn.pages.begin(), turn.pages.end(), [](const auto& page) { return page.second->problem.empty(); }));
}

// The pages that the question names, whole; false if they do not all fit.
bool AddSeedPages(const TurnState& turn, const std::vector<WebPage>& pages, Preloaded& preloaded) {
  const std::size_t room = CharactersOfContext(turn.context.TheVariant().agent.context_tokens);
  std::size_t used = 0;
  bool are_whole = !pages.empty();
  bool is_any_shown = false;
  std::string block = "Pages that the question names:";
  for (const WebPage& page : pages) {
    if (page.problem.empty() && IsShort(page)) {
      are_whole = false;
      continue;
    }
    is_any_shown = true;
    const bool fits = page.problem.empty() && used + page.text.size() <= room;
    are_whole = are_whole && fits;
    if (!page.problem.empty()) {
      block += fmt::format("\n- {}: {}", page.url, page.problem);
    } else {
      const std::string_view text = CutToBytes(page.text, room - std::min(room, used));
      used += text.size();
      block += fmt::format("\n- {}{}\n{}", page.url, fits ? "" : " (its beginning)", Fenced("a page", text));
    }
  }
  if (is_any_shown) preloaded.blocks.push_back(std::move(block));
  return are_whole;
}

void AddShortlist(const std::vector<WebPage>& pages, std::span<const std::string> queries,
                  const std::vector<std::string>& seeds, Preloaded& preloaded) {
  std::vector<FetchedPage> fetched;
  std::vector<const WebPage*> readable;
  for (const WebPage& page : pages) {
    if (!page.problem.empty()) continue;
    fetched.push_back({.url = page.url, .text = page.text});
    readable.push_back(&page);
  }
  const std::vector<ShortlistedPage> ranked =
      RankShortlist(fetched, {.queries = queries, .keyphrases = {}, .seeds = seeds}, FindEmbedder("hash"));
  std::string block;
  for (std::size_t i = 0; i < std::min(ranked.size(), kShownMost); ++i) {
    const WebPage& page = *readable[ranked[i].page];
    block +=
        fmt::format("\n- score {:.3f}\n{}", ranked[i].score,
                    Fenced("a page", fmt::format("{}\n{}", page.url, CutToBytes(page.text, kSnippetBytes))));
  }
  if (!block.empty()) preloaded.blocks.push_back("Pages that may answer it:" + block);
  preloaded.has_corpus = preloaded.has_corpus || !ranked.empty();
}

}  // namespace

std::optional<Waited> PreloadPages(TurnState& turn, Preloaded& preloaded) {
  if (const std::string reason = ReasonAgainst(turn); !reason.empty()) {
    turn.walk.TellStatus("preload", "pages: none are looked for, " + reason);
    return Waited{};
  }
  turn.walk.TellStatus("preload", "pages: looking for them");
  turn.walk.TellStage("stage_start", "shortlist");
  const std::vector<std::string> queries = ExpandQuery(QuestionOf(turn));
  ASSAY_AWAIT(const Reading reading, ReadAll(turn, queries));
  AddNotices(reading.seed_pages, preloaded);
  if (!turn.profile().research_mode)
    preloaded.answers_directly = AddSeedPages(turn, reading.seed_pages, preloaded);
  AddShortlist(reading.others, queries, reading.seeds, preloaded);
  turn.walk.TellStage("stage_end", "shortlist");
  turn.walk.TellStatus("preload",
                       fmt::format("pages: {} of {} were read", CountRead(turn), turn.pages.size()));
  if (preloaded.answers_directly) {
    preloaded.notices.push_back(
        "The pages that the question names are in the prompt as a whole: web_search, get_url_content and "
        "get_url_details are not offered.");
  }
  return Waited{};
}

}  // namespace assay
