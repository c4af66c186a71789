// Classifies a question by fixed lists of English words and derives further search queries from it.
#include "agent/words/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "agent/limits.h"
#include "base/text/utf8.h"
#include "corpus/index/words.h"
#include "text/python/text.h"

namespace assay {

namespace {

constexpr std::size_t kVagueCharacters = 10;
constexpr std::size_t kManyDocuments = 10;
constexpr std::size_t kFewDocuments = 3;
constexpr std::size_t kShortCharacters = 50;
constexpr std::size_t kExpandedFrom = 30;  // characters
constexpr std::size_t kWordsPerQuery = 3;
constexpr std::size_t kKeywordsMax = 12;
constexpr std::size_t kKeywordBytesMin = 4;

constexpr std::string_view kVague[] = {"tell me about", "what is this about", "what's this about",
                                       "what about",    "anything about",     "help me with"};
constexpr std::string_view kSummary[] = {
    "summar",      "overview",  "tl;dr",      "tldr",          "brief",         "gist",      "main ideas",
    "main points", "main idea", "key points", "key ideas",     "key takeaways", "takeaways", "outline",
    "recap",       "synopsis",  "highlights", "in a nutshell", "main themes"};

constexpr std::string_view kWebWords[] = {
    "web", "internet", "online", "latest", "current", "currently", "today",  "news",   "recent", "recently",
    "url", "urls",     "http",   "https",  "website", "websites",  "google", "browse", "link",   "links"};
constexpr std::string_view kLocalWords[] = {
    "local", "locally", "file",   "files",     "document", "documents", "doc",      "docs",     "pdf",
    "pdfs",  "corpus",  "folder", "directory", "epub",     "uploaded",  "attached", "knowledge"};

constexpr std::string_view kCommon[] = {
    "about",  "above",   "after",    "again",     "against", "also",    "among",  "because", "been",
    "before", "being",   "below",    "between",   "both",    "could",   "does",   "doing",   "down",
    "during", "each",    "every",    "following", "from",    "further", "have",   "having",  "here",
    "into",   "itself",  "just",     "many",      "more",    "most",    "much",   "must",    "only",
    "other",  "over",    "question", "same",      "shall",   "should",  "since",  "some",    "such",
    "than",   "that",    "their",    "them",      "then",    "there",   "these",  "they",    "this",
    "those",  "through", "under",    "until",     "very",    "were",    "what",   "when",    "where",
    "which",  "while",   "whom",     "whose",     "will",    "with",    "within", "without", "would",
    "your"};

template <std::size_t kCount>
bool HasAny(std::string_view text, const std::string_view (&parts)[kCount]) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

template <std::size_t kCount>
bool IsOneOf(std::string_view word, const std::string_view (&words)[kCount]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Two decimals, so that sums of confidences are what they look like.
double Hundredths(int count) { return static_cast<double>(count) / 100.0; }

}  // namespace

QueryClass ClassifyQuery(std::string_view query, std::size_t documents) {
  const std::string lower = PythonLower(TrimBlanks(query));
  if (documents == 0) return {QueryMode::kResearch, 1.0, "empty corpus (no documents found)"};
  if (CountCodePoints(lower) < kVagueCharacters || HasAny(lower, kVague))
    return {QueryMode::kResearch, 0.8, "query is too vague for direct answering"};
  if (documents > kManyDocuments) {
    const auto more = static_cast<int>(std::min<std::size_t>(documents - kManyDocuments, 10));
    return {QueryMode::kResearch, Hundredths(85 + more),
            fmt::format("corpus size ({}) exceeds threshold ({})", documents, kManyDocuments)};
  }
  if (HasAny(lower, kSummary)) {
    const int few = documents <= kFewDocuments ? 5 : 0;
    const int is_short = CountCodePoints(lower) < kShortCharacters ? 5 : 0;
    return {QueryMode::kOneShot, Hundredths(std::min(85 + few + is_short, 95)),
            fmt::format("summarization request with small corpus ({} documents)", documents)};
  }
  return {QueryMode::kResearch, 0.7, "no clear summarization intent detected, defaulting to research mode"};
}

ShortlistIntent ShortlistIntentOf(std::string_view query) {
  bool names_web = false;
  bool names_local = false;
  PlainWords words(query);
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    names_web = names_web || IsOneOf(word, kWebWords);
    names_local = names_local || IsOneOf(word, kLocalWords);
  }
  if (names_web == names_local) return ShortlistIntent::kAmbiguous;
  return names_web ? ShortlistIntent::kWeb : ShortlistIntent::kLocal;
}

std::vector<std::string> ExpandQuery(std::string_view query) {
  std::vector<std::string> queries = {std::string(query)};
  if (CountCodePoints(TrimBlanks(query)) < kExpandedFrom) return queries;
  struct Keyword {
    std::string word;
    std::size_t count = 0;
    std::size_t first = 0;
  };
  std::map<std::string, Keyword> found;
  PlainWords words(query);
  std::size_t place = 0;
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next(), ++place) {
    if (word.size() < kKeywordBytesMin || IsOneOf(word, kCommon)) continue;
    Keyword& keyword =
        found.try_emplace(std::string(word), Keyword{std::string(word), 0, place}).first->second;
    ++keyword.count;
  }
  std::vector<Keyword> keywords;
  for (auto& [word, keyword] : found) keywords.push_back(std::move(keyword));
  std::sort(keywords.begin(), keywords.end(), [](const Keyword& a, const Keyword& b) {
    if (a.count != b.count) return a.count > b.count;
    if (a.word.size() != b.word.size()) return a.word.size() > b.word.size();
    return a.first < b.first;
  });
  if (keywords.size() > kKeywordsMax) keywords.resize(kKeywordsMax);
  for (std::size_t at = 0; at < keywords.size() && queries.size() < limits::kExpandedQueriesMax;
       at += kWordsPerQuery) {
    std::string more;
    for (std::size_t i = at; i < std::min(at + kWordsPerQuery, keywords.size()); ++i) {
      more += (more.empty() ? "" : " ") + keywords[i].word;
    }
    queries.push_back(std::move(more));
  }
  return queries;
}

}  // namespace assay
