// Golden rows of the corpus and of the pure parts of the research turn: chunks, scores, what the tool over
// documents answers, calls written as text, queries and addresses. All as the original has it.
//
// Words of errors and notes are ours, so that only their places are compared; so are the arguments of text
// calls, as values (the original writes JSON with blanks).
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "agent/web/addresses.h"
#include "agent/web/local_targets.h"
#include "agent/words/query.h"
#include "agent/words/reply_text.h"
#include "agent/words/text_calls.h"
#include "base/files/file_reader.h"
#include "corpus/ask/relevant_content.h"
#include "corpus/ask/search.h"
#include "corpus/index/chunk.h"
#include "providers/shapes/tool_calls.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

constexpr std::size_t kToolChunks = 3;  // max_chunks of the recorded answers

struct NamedText {
  std::string name;
  std::string text;
  std::string joined;  // of chunks that do not overlap
};
using NamedTexts = std::vector<NamedText>;

NamedText& TextNamed(NamedTexts& texts, const std::string& name) {
  for (NamedText& text : texts) {
    if (text.name == name) return text;
  }
  return texts.emplace_back(NamedText{name, {}, {}});
}

// The documents of the golden file, in the order in which they appear. Their texts stand in the first row of
// each; one whose row is kept back is put together from chunks that do not overlap.
NamedTexts DocumentTexts(const std::string& path) {
  NamedTexts texts;
  ForEachLine(path, [&](std::size_t, const Value& row, Outcome&) {
    if (GetText(row, "kind") != "token_chunks") return;
    NamedText& document = TextNamed(texts, GetText(row, "doc"));
    if (Get(row, "text").is_string()) document.text = GetText(row, "text");
    if (!Get(row, "overlap").is_number() || Get(row, "overlap").AsNumber() != 0) return;
    document.joined.clear();
    for (const Value& chunk : Get(row, "chunks").AsList()) document.joined += chunk.AsString() + " ";
  });
  for (NamedText& document : texts) {
    if (document.text.empty()) document.text = document.joined;
  }
  return texts;
}

std::shared_ptr<const Corpus> GoldenCorpus(const NamedTexts& texts) {
  CorpusBuilder builder({});
  for (const NamedText& text : texts) {
    CorpusDocument document;
    document.id = document.title = text.name;
    document.content = DecodePlainText(text.text);
    if (!builder.Add(std::move(document))) return nullptr;
  }
  Result<std::shared_ptr<const Corpus>> built = std::move(builder).Build();
  return built ? *built : nullptr;
}

ChunkSize SizeOf(const Value& row) {
  return {.size = static_cast<std::size_t>(Get(row, "chunk_size").AsNumber()),
          .overlap = static_cast<std::size_t>(Get(row, "overlap").AsNumber())};
}

List ShownChunks(std::string_view text, const std::vector<ChunkSpan>& spans) {
  List shown;
  for (const ChunkSpan& span : spans) shown.emplace_back(ChunkText(text, span));
  return shown;
}

// With the words of errors and notes taken out.
Value WithoutWords(const Value& value) {
  if (value.is_list()) {
    List list;
    for (const Value& item : value.AsList()) list.push_back(WithoutWords(item));
    return Value(std::move(list));
  }
  if (!value.is_map()) return value;
  Map map;
  for (const Member& member : value.AsMap()) {
    const bool is_words = member.key == "error" || member.key == "note";
    map.Append(member.key, is_words ? Value("words") : WithoutWords(member.value));
  }
  return Value(std::move(map));
}

Value NormalisedBm25(const Corpus& corpus, DocumentIndex document, const SearchQuery& query) {
  const auto [first, end] = corpus.ChunksOf(document);
  std::vector<RowScore> hits = query.hits;
  std::erase_if(
      hits, [first = first, end = end](const RowScore& hit) { return hit.row < first || hit.row >= end; });
  SpreadScores(hits);
  Map map;
  for (const RowScore& hit : hits) map.Append(fmt::format("{}", hit.row - first), Value(hit.score));
  return Value(std::move(map));
}

void RunRetrievalHybrid(const Corpus& corpus, const Value& row, Outcome& outcome) {
  const std::optional<DocumentIndex> document = corpus.Find(GetText(row, "doc"));
  if (!document) {
    outcome.Skip("a document of a row that is not there");
    return;
  }
  const SearchQuery query = MakeQuery(corpus, GetText(row, "query"));
  const SearchOptions options{.max_chunks = kToolChunks};
  List ranked;
  for (const FoundChunk& found : RankDocument(corpus, *document, query, options)) {
    Map map;
    map.Append("chunk_index", static_cast<double>(found.chunk - corpus.ChunksOf(*document).first));
    map.Append("score", found.score);
    map.Append("dense_score", found.dense);
    map.Append("lexical_score", found.lexical);
    ranked.emplace_back(std::move(map));
  }
  Map got;
  got.Append("bm25_normalised", NormalisedBm25(corpus, *document, query));
  got.Append("hybrid", std::move(ranked));
  got.Append("tool_result",
             WithoutWords(RelevantIn(corpus, *document, query, options, ChunkPlaces::kOmitted)));
  Map want;
  for (const char* key : {"bm25_normalised", "hybrid", "tool_result"})
    want.Append(key, WithoutWords(Get(row, key)));
  outcome.Same(GetText(row, "query"), Value(std::move(want)), Value(std::move(got)));
}

Outcome RunRetrieval(const std::string& path) {
  NamedTexts texts = DocumentTexts(path);
  const std::shared_ptr<const Corpus> corpus = GoldenCorpus(texts);
  return ForEachLine(path, [&](std::size_t, const Value& row, Outcome& outcome) {
    const std::string kind = GetText(row, "kind");
    if (corpus == nullptr) {
      outcome.Fail("the documents of the file cannot be put together");
    } else if (kind == "token_chunks") {
      const std::string& text = TextNamed(texts, GetText(row, "doc")).text;
      outcome.Same("chunks", Get(row, "chunks"), ShownChunks(text, ChunkBySentences(text, SizeOf(row))));
    } else if (kind == "hybrid") {
      RunRetrievalHybrid(*corpus, row, outcome);
    } else if (kind == "get_relevant_content") {
      outcome.Same("result", WithoutWords(Get(row, "result")),
                   WithoutWords(RelevantContent(*corpus, Get(row, "args"), {})));
    } else {
      outcome.Skip("no part of assay reads kind \"" + kind + "\" yet");
    }
  });
}

void RunTargets(const Value& row, Outcome& outcome) {
  const std::vector<std::string> targets = LocalTargets(GetText(row, "input"));
  outcome.Same("targets", Get(row, "ok"), List(targets.begin(), targets.end()));
}

void RunRedaction(const Value& row, Outcome& outcome) {
  outcome.Same("redacted", Get(row, "ok"), Value(RedactLocalTargets(GetText(row, "input"))));
}

// Calls as {id, name, arguments}; `text` in JSON.
Value CallsOf(const Value& list) {
  List calls;
  for (const Value& item : list.AsList()) {
    const Value& function = Get(item, "function");
    const Result<Value> arguments = ParseJson(GetText(function, "arguments"));
    Map call;
    call.Append("id", Get(item, "id"));
    call.Append("name", Get(function, "name"));
    call.Append("arguments", arguments ? *arguments : Value());
    calls.emplace_back(std::move(call));
  }
  return Value(std::move(calls));
}

void RunExtractCalls(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  const Value& native = Get(input, "tool_calls");
  const Value& content = Get(input, "content");
  if (content.is_list()) {
    outcome.Skip("replies in parts are read by the codecs, text by text");
    return;
  }
  List calls;
  if (native.is_list() && !native.AsList().empty()) {
    for (ToolCall& found : ChatCalls(input)) {
      Map call;
      call.Append("id", std::move(found.id));
      call.Append("name", std::move(found.name));
      const Result<Value> arguments = ParseJson(found.arguments);
      call.Append("arguments", arguments ? *arguments : Value());
      calls.emplace_back(std::move(call));
    }
    outcome.Same("calls", CallsOf(Get(row, "ok")), Value(std::move(calls)));
    return;
  }
  for (TextCall& found : FindTextCalls(GetText(input, "content"), ParameterEnd::kKept)) {
    Map call;
    call.Append("id", found.id);
    call.Append("name", found.name);
    call.Append("arguments", std::move(found.arguments));
    calls.emplace_back(std::move(call));
  }
  outcome.Same("calls", CallsOf(Get(row, "ok")), Value(std::move(calls)));
}

void RunStripThink(const Value& row, Outcome& outcome) {
  outcome.Same("answer", Get(row, "ok"), Value(StripThinking(GetText(row, "input"))));
}

void RunCountTokens(const Value& row, Outcome& outcome) {
  outcome.Same("tokens", Get(row, "ok"),
               Value(static_cast<double>(EstimateTokens(Get(row, "input").AsList()))));
}

void RunCharacterChunks(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  const std::string text = GetText(input, "text");
  List got;
  for (Value& chunk : ShownChunks(text, ChunkByCharacters(text, SizeOf(input)))) {
    const auto number = static_cast<double>(got.size());
    got.push_back(List{Value(number), std::move(chunk)});
  }
  outcome.Same("chunks", Get(row, "ok"), Value(std::move(got)));
}

void RunSummaryPieces(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  const auto number = [&input](const char* key) {
    return static_cast<std::size_t>(Get(input, key).AsNumber());
  };
  const std::vector<std::string> pieces =
      SplitForSummary(GetText(input, "text"),
                      {.target = number("target"), .overlap = number("overlap"), .most = number("max")});
  outcome.Same("pieces", Get(row, "ok"), List(pieces.begin(), pieces.end()));
}

void RunIntent(const Value& row, Outcome& outcome) {
  constexpr const char* kNames[] = {"web", "local", "ambiguous"};
  const ShortlistIntent intent = ShortlistIntentOf(GetText(row, "input"));
  outcome.Same(GetText(row, "input"), Get(row, "ok"), Value(kNames[static_cast<int>(intent)]));
}

void RunClassify(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  const QueryClass found =
      ClassifyQuery(GetText(input, "query"), static_cast<std::size_t>(Get(input, "docs").AsNumber()));
  Map got;
  got.Append("mode", found.mode == QueryMode::kOneShot ? "one_shot" : "research");
  got.Append("confidence", found.confidence);
  got.Append("reasoning", found.reason);
  outcome.Same(GetText(input, "query"), Get(row, "ok"), Value(std::move(got)));
}

void RunOverlap(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  const std::vector<std::string> terms = QueryTerms(GetText(input, "query"));
  Map got;
  got.Append("tokens", List(terms.begin(), terms.end()));
  got.Append("score", TermShare(terms, GetText(input, "text")));
  outcome.Same(GetText(input, "query"), Get(row, "ok"), Value(std::move(got)));
}

void RunPromptUrls(const Value& row, Outcome& outcome) {
  PromptAddresses found = FindPromptAddresses(GetText(row, "input"));
  outcome.Same("urls", Get(row, "ok"),
               List{Value(List(found.urls.begin(), found.urls.end())), Value(std::move(found.rest))});
}

void RunNormaliseUrl(const Value& row, Outcome& outcome) {
  outcome.Same(GetText(row, "input"), Get(row, "ok"), Value(NormaliseUrl(GetText(row, "input"))));
}

constexpr GoldenRow kRetrievalRows[] = {{"research/retrieval.jsonl", RunRetrieval}};

constexpr std::string_view kRetrievalUnits = "research/units.jsonl";
constexpr KindRow kRetrievalKinds[] = {
    {kRetrievalUnits, "extract_local_targets", RunTargets},
    {kRetrievalUnits, "redact_local_targets", RunRedaction},
    {kRetrievalUnits, "extract_calls", RunExtractCalls},
    {kRetrievalUnits, "strip_think", RunStripThink},
    {kRetrievalUnits, "count_tokens", RunCountTokens},
    {kRetrievalUnits, "char_chunks", RunCharacterChunks},
    {kRetrievalUnits, "semantic_chunks", RunSummaryPieces},
    {kRetrievalUnits, "shortlist_intent", RunIntent},
    {kRetrievalUnits, "classify_query", RunClassify},
    {kRetrievalUnits, "lexical_overlap", RunOverlap},
    {kRetrievalUnits, "prompt_urls", RunPromptUrls},
    {kRetrievalUnits, "normalize_url", RunNormaliseUrl},
};

}  // namespace

std::span<const GoldenRow> RetrievalRows() { return kRetrievalRows; }
std::span<const KindRow> RetrievalKinds() { return kRetrievalKinds; }

}  // namespace assay::conformance
