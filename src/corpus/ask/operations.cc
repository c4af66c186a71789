// The table of document operations, each restricted to the documents that the asking case may see.
#include "corpus/ask/operations.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "corpus/ask/quote.h"
#include "corpus/ask/relevant_content.h"
#include "corpus/index/words.h"
#include "corpus/limits.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/regex.h"

namespace assay {

namespace {

constexpr std::size_t kEvidenceSourcesMax = 16;
constexpr std::size_t kEvidenceChunks = 2;           // of one document
constexpr std::size_t kEvidenceCharactersMax = 420;  // of one chunk
constexpr double kQuoteWordsMost = 1'000;
constexpr std::size_t kGrepLinesMax = 200;
constexpr std::size_t kGrepLineBytesMax = 400;

// What a case may see of a corpus.
struct View {
  const Corpus& corpus;
  std::vector<DocumentIndex> documents;  // that could be read, in the case's order
  std::vector<std::string> handles;      // of them
  std::span<const std::string> ids;
  std::vector<std::optional<DocumentIndex>> by_place;  // as `ids` has them

  View(const Corpus& whole, std::span<const std::string> of) : corpus(whole), ids(of) {
    for (const std::string& id : of) {
      const std::optional<DocumentIndex> found = corpus.Find(id);
      by_place.push_back(found);
      if (!found) continue;
      documents.push_back(*found);
      handles.push_back(HandleOf(by_place.size() - 1));
    }
  }
};

std::string TextIn(const Value& arguments, std::string_view key) {
  return std::string(TrimBlanks(arguments.TextAt(key)));
}

std::string CutTo(std::string_view text, std::size_t characters) {
  std::string_view kept = FirstCodePoints(text, characters);
  if (kept.size() == text.size()) return std::string(text);
  while (kept.ends_with(' ')) kept.remove_suffix(1);
  return std::string(kept) + "...";
}

// As Python's round(x, 3) prints it.
std::string ThreeDigits(double number) { return fmt::format("{:.3f}", number); }

// The query with the vector that an embedder's endpoint gave, if the corpus has such vectors.
Result<SearchQuery> QueryOf(const View& view, const Value& arguments) {
  const std::string text = TextIn(arguments, "query");
  const List* given = FindList(arguments, "query_vector");
  if (given == nullptr) return MakeQuery(view.corpus, text, view.by_place);
  Vector vector;
  for (const Value& number : *given) {
    if (!number.is_number()) return Error{ErrorCode::kInvalidInput, "query_vector: expected numbers"};
    vector.push_back(static_cast<float>(number.AsNumber()));
  }
  return MakeQuery(view.corpus, text, vector, view.by_place);
}

// Why a document that was named is not here.
Value ProblemOf(const View& view, const std::string& id) {
  const std::string* reason = view.corpus.ProblemOf(id);
  return Object{{"id", id},
                {"reason", reason == nullptr ? "it is not among the documents that were read" : *reason}};
}

Result<Value> Open(const View& view, const Value&) {
  List documents;
  List problems;
  for (std::size_t place = 0; place < view.ids.size(); ++place) {
    const std::string& id = view.ids[place];
    Map map = Object{{"id", id}};
    const std::optional<DocumentIndex>& found = view.by_place[place];
    if (!found) {
      problems.push_back(ProblemOf(view, id));
      continue;
    }
    const CorpusDocument& document = view.corpus.documents()[*found];
    const Ingestion taken = view.corpus.IngestionOf(*found);
    Extend(map, {{"handle", HandleOf(place)},
                 {"title", document.title},
                 {"characters", static_cast<std::int64_t>(taken.characters)},
                 {"chunks", static_cast<std::int64_t>(taken.chunks)},
                 {"ingestion_ms", taken.ms}});
    documents.emplace_back(std::move(map));
  }
  return Value(Object{{"documents", std::move(documents)}, {"problems", std::move(problems)}});
}

Result<Value> Evidence(const View& view, const Value& arguments) {
  ASSAY_TRY(const SearchQuery query, QueryOf(view, arguments));
  SearchOptions options;
  options.max_chunks = kEvidenceChunks;
  List evidence;
  for (std::size_t i = 0; i < view.documents.size() && i < kEvidenceSourcesMax; ++i) {
    const std::vector<FoundChunk> ranked = RankDocument(view.corpus, view.documents[i], query, options);
    for (const FoundChunk& found : WithoutRepeats(view.corpus, ranked, options.max_chunks))
      evidence.emplace_back(Object{
          {"handle", view.handles[i]},
          {"relevance", ThreeDigits(found.score)},
          {"text", CutTo(view.corpus.ChunkTextOf(found.chunk), kEvidenceCharactersMax)},
          {"place",
           PlaceText(view.corpus.PlaceOf(found.chunk), view.corpus.documents()[view.documents[i]].title)}});
  }
  return Value(Object{{"evidence", std::move(evidence)}});
}

Result<Value> Relevant(const View& view, const Value& arguments) {
  RelevantOptions options{.places = ChunkPlaces::kNamed, .preloaded = view.handles, .visible = view.by_place};
  if (arguments.is_map() && arguments.Find("query_vector") != nullptr) {
    ASSAY_TRY(const SearchQuery query, QueryOf(view, arguments));
    return RelevantContent(view.corpus, arguments, query, options);
  }
  return RelevantContent(view.corpus, arguments, options);
}

Result<Value> Full(const View& view, const Value& arguments) {
  Map answer;
  const auto add = [&](std::size_t i) {
    const CorpusDocument& document = view.corpus.documents()[view.documents[i]];
    answer.Set(view.handles[i],
               Object{{"title", document.title},
                      {"content", document.content.text},
                      {"content_length", static_cast<std::int64_t>(CountCodePoints(document.content.text))}});
  };
  const List& urls = arguments.ListAt("urls");
  if (urls.empty()) {
    for (std::size_t i = 0; i < view.handles.size(); ++i) add(i);
    return Value(std::move(answer));
  }
  for (const Value& url : urls) {
    if (!url.is_string()) continue;
    const auto known = std::find(view.handles.begin(), view.handles.end(), url.AsString());
    if (known != view.handles.end()) {
      add(static_cast<std::size_t>(known - view.handles.begin()));
    } else {
      answer.Set(
          url.AsString(),
          Object{{"error", "There is no such document; name one of the handles that you were given."}});
    }
  }
  return Value(std::move(answer));
}

Value ShellReply(std::string out, std::string problem, int exit_code) {
  return Object{{"stdout", std::move(out)},
                {"stderr", std::move(problem)},
                {"exit_code", static_cast<std::int64_t>(exit_code)}};
}

// Whatever folder is named: the case has one, its documents.
Result<Value> ListAll(const View& view, const Value&) {
  std::vector<std::string> names;
  for (const DocumentIndex document : view.documents)
    names.push_back(view.corpus.documents()[document].title);
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : "\n") + name;
  return ShellReply(std::move(out), "", 0);
}

// A path that names a document by its title or handle narrows the search to it.
bool IsNamed(const View& view, std::size_t i, std::string_view path) {
  const std::string& title = view.corpus.documents()[view.documents[i]].title;
  return path == view.handles[i] || path.ends_with(title);
}

Result<Value> Grep(const View& view, const Value& arguments) {
  const std::string pattern = TextIn(arguments, "pattern");
  const std::string path = TextIn(arguments, "path");
  if (pattern.empty()) return ShellReply("", "grep: say in pattern what to look for", 2);
  const Result<std::shared_ptr<const PythonRegex>> regex = PythonRegex::Compile(pattern);
  if (!regex) return ShellReply("", "grep: " + regex.error().message, 2);
  CpuBudget budget(limits::kPatternTime);  // of all lines together
  bool names_one = false;
  for (std::size_t i = 0; i < view.documents.size(); ++i) names_one = names_one || IsNamed(view, i, path);
  std::string out;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < view.documents.size(); ++i) {
    if (names_one && !IsNamed(view, i, path)) continue;
    const CorpusDocument& document = view.corpus.documents()[view.documents[i]];
    const std::string_view text = document.content.text;
    std::size_t number = 0;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const std::string_view line = text.substr(start, end - start);
      start = end + 1;
      ++number;
      const Result<bool> matches = (*regex)->Search(line, budget);
      if (!matches) return ShellReply(std::move(out), "grep: " + matches.error().message, 2);
      if (!*matches) continue;
      if (++lines > kGrepLinesMax)
        return ShellReply(std::move(out), "grep: there are more lines than these", 0);
      out += fmt::format("{}{}:{}:{}", out.empty() ? "" : "\n", document.title, number,
                         line.size() > kGrepLineBytesMax ? CutTo(line, kGrepLineBytesMax) : line);
    }
  }
  return ShellReply(std::move(out), "", lines == 0 ? 1 : 0);
}

Result<Value> QuoteIn(const View& view, const Value& arguments) {
  const double words = arguments.NumberAt("words").value_or(1);
  const std::size_t least = words >= 1 ? static_cast<std::size_t>(std::min(words, kQuoteWordsMost)) : 1;
  const std::string text = TextIn(arguments, "text");
  Map answer;
  for (const DocumentIndex document : view.documents) {
    const CorpusDocument& source = view.corpus.documents()[document];
    const std::optional<Quote> quote = FindQuote(text, source.content.text, least);
    if (!quote) continue;
    const std::string_view span =
        std::string_view(source.content.text).substr(quote->begin, quote->end - quote->begin);
    Extend(answer,
           {{"quote", CutTo(span, kEvidenceCharactersMax)},
            {"words", static_cast<std::int64_t>(quote->words)},
            {"place", PlaceText(view.corpus.PlaceAt(document, quote->begin, quote->end), source.title)}});
    return Value(std::move(answer));
  }
  List problems;
  for (const std::string& id : view.ids) {
    if (!view.corpus.Find(id)) problems.push_back(ProblemOf(view, id));
  }
  answer.Append("problems", std::move(problems));
  return Value(std::move(answer));
}

struct OperationRow {
  std::string_view name;
  Result<Value> (*answer)(const View& view, const Value& arguments);
};
constexpr auto kRows = std::to_array<OperationRow>({
    {kOpenDocuments, Open},
    {kFindEvidence, Evidence},
    {kRelevantContent, Relevant},
    {kFullContent, Full},
    {kListDocuments, ListAll},
    {kGrepDocuments, Grep},
    {kFindQuote, QuoteIn},
});

}  // namespace

Result<Value> AnswerOf(const Corpus& corpus, std::string_view operation, const Value& arguments,
                       std::span<const std::string> documents) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [operation](const OperationRow& each) { return each.name == operation; });
  if (row == kRows.end()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("documents cannot be asked to \"{}\": there is no such operation", operation)};
  }
  return row->answer(View(corpus, documents), arguments);
}

}  // namespace assay
