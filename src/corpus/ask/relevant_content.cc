// Reads the arguments of get_relevant_content leniently (models write them), searches, and formats the
// result.
#include "corpus/ask/relevant_content.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "corpus/index/words.h"
#include "corpus/limits.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kHandle = "corpus://cache/";
constexpr std::string_view kSectionMark = "#section=";
constexpr std::string_view kOnlySection = "section-001";  // documents are one section each
constexpr std::size_t kPreviewCharacters = 2000;

Value ErrorMap(std::string message) { return Object{{"error", std::move(message)}}; }

std::string Preview(std::string_view text) {
  const std::string_view kept = FirstCodePoints(text, kPreviewCharacters);
  return kept.size() == text.size() ? std::string(text) : std::string(kept) + "...";
}

// As Python's round(x, 3) shows it.
double Rounded(double number) {
  const std::string text = fmt::format("{:.3f}", number);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

// Texts of a list, or of one text; what is no text is passed over.
std::vector<std::string> TextsOf(const Value* value) {
  std::vector<std::string> texts;
  if (value == nullptr) return texts;
  const auto add = [&texts](const Value& item) {
    if (!item.is_string() || texts.size() >= limits::kSourcesMax) return;
    const std::string_view trimmed = TrimBlanks(item.AsString());
    if (!trimmed.empty()) texts.emplace_back(trimmed);
  };
  if (value->is_list()) {
    for (const Value& item : value->AsList()) add(item);
  } else {
    add(*value);
  }
  return texts;
}

// A number, or a text that is one; nothing for anything else.
std::optional<double> NumberOf(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number())
    return std::isfinite(value->AsNumber()) ? std::optional(value->AsNumber()) : std::nullopt;
  if (!value->is_string()) return std::nullopt;
  const std::string_view text = TrimBlanks(value->AsString());
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = problem == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_whole ? std::optional(number) : std::nullopt;
}

// An argument that should be a number: `fallback` if it is not there, nothing if it is something else.
std::optional<double> NumberArgument(const Value& arguments, std::string_view key, double fallback) {
  const Value* value = arguments.Find(key);
  return value == nullptr || value->is_nullish() ? std::optional(fallback) : NumberOf(value);
}

std::optional<SearchOptions> OptionsOf(const Value& arguments) {
  SearchOptions options;
  const auto most = NumberArgument(arguments, "max_chunks", static_cast<double>(options.max_chunks));
  const auto weight = NumberArgument(arguments, "dense_weight", options.dense_weight);
  const auto least = NumberArgument(arguments, "min_relevance", options.min_relevance);
  if (!most || !weight || !least) return std::nullopt;
  options.max_chunks =
      static_cast<std::size_t>(std::clamp(std::trunc(*most), 1.0, static_cast<double>(limits::kResultsMax)));
  options.dense_weight = std::clamp(*weight, 0.0, 1.0);
  options.min_relevance = std::clamp(*least, 0.0, 1.0);
  return options;
}

// The document's beginning, where nothing better can be said.
Value PreviewOf(const CorpusDocument& source, std::string_view note) {
  return Object{{"title", source.title}, {"note", note}, {"content_preview", Preview(source.content.text)}};
}

Value UnknownSection(const std::string& section, std::size_t place) {
  return Object{{"error", fmt::format("There is no section {}.", section)},
                {"requested_section_id", section},
                {"suggestions", List{Object{{"id", kOnlySection},
                                            {"title", "Full Document"},
                                            {"section_ref", HandleOf(place) + std::string(kSectionMark) +
                                                                std::string(kOnlySection)}}}}};
}

std::string TextOf(const Value& arguments, std::string_view key) {
  return std::string(TrimBlanks(arguments.TextAt(key)));
}

}  // namespace

bool IsCorpusHandle(std::string_view text) { return text.starts_with("corpus://"); }

std::string HandleOf(std::size_t place) { return fmt::format("{}{}", kHandle, place + 1); }

std::optional<CorpusHandle> ParseCorpusHandle(std::string_view text) {
  if (!text.starts_with(kHandle)) return std::nullopt;
  text.remove_prefix(kHandle.size());
  CorpusHandle handle;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), handle.number);
  if (problem != std::errc() || handle.number == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return handle;
  if (text.starts_with(kSectionMark)) {
    text.remove_prefix(kSectionMark.size());
  } else if (text.starts_with('/')) {
    text.remove_prefix(1);
  } else {
    return std::nullopt;
  }
  if (text.empty()) return std::nullopt;
  handle.section = text;
  return handle;
}

Value RelevantIn(const Corpus& corpus, DocumentIndex document, const SearchQuery& query,
                 const SearchOptions& options, ChunkPlaces places) {
  const CorpusDocument& source = corpus.documents()[document];
  Map map = Object{{"title", source.title}};
  if (query.vector.empty()) {
    Extend(map, {{"fallback", true},
                 {"note", "No search by meaning is possible here; this is the beginning of the document."},
                 {"content_preview", Preview(source.content.text)}});
    return map;
  }
  const std::vector<FoundChunk> ranked = RankDocument(corpus, document, query, options);
  const std::vector<FoundChunk> found = WithoutRepeats(corpus, ranked, options.max_chunks);
  if (found.empty())
    return PreviewOf(source, "No part of it is close to the query; this is the beginning of the document.");
  Extend(map,
         {{"chunks", ArrayOf(found,
                             [&](const FoundChunk& chunk) {
                               return Object{
                                   {"text", corpus.ChunkTextOf(chunk.chunk)},
                                   {"relevance", Rounded(chunk.score)},
                                   {"semantic_relevance", Rounded(chunk.dense)},
                                   {"lexical_relevance", Rounded(chunk.lexical)},
                                   {"place", places == ChunkPlaces::kNamed
                                                 ? Value(PlaceText(corpus.PlaceOf(chunk.chunk), source.title))
                                                 : Value()}};
                             })},
          {"chunk_count", found.size()}});
  return map;
}

namespace {

// The document at this place of those that may be seen; nothing: there is none, or it could not be read.
std::optional<DocumentIndex> DocumentAt(const Corpus& corpus, const RelevantOptions& options,
                                        std::size_t place) {
  if (options.visible)
    return place < options.visible->size() ? (*options.visible)[place] : std::optional<DocumentIndex>();
  if (place >= corpus.documents().size()) return std::nullopt;
  return static_cast<DocumentIndex>(place);
}

Value AnswerOf(const Corpus& corpus, const std::string& source, const Value& arguments,
               const SearchQuery& query, const RelevantOptions& options) {
  if (!IsCorpusHandle(source)) {
    return ErrorMap("This source is not read yet; name a corpus handle, or fetch the page first.");
  }
  const std::optional<CorpusHandle> handle = ParseCorpusHandle(source);
  if (!handle) {
    return ErrorMap(
        "This is no handle of a document; write corpus://cache/<number>, or "
        "corpus://cache/<number>#section=<section>.");
  }
  const std::size_t place = handle->number - 1;
  const std::optional<DocumentIndex> document = DocumentAt(corpus, options, place);
  if (!document) {
    return ErrorMap(
        fmt::format("There is no document {}; name one of the handles that you were given.", handle->number));
  }
  std::string section = handle->section;
  if (section.empty()) section = TextOf(arguments, "section_id");
  if (!section.empty() && section != kOnlySection) return UnknownSection(section, place);
  const std::optional<SearchOptions> search = OptionsOf(arguments);
  if (!search) {
    return PreviewOf(
        corpus.documents()[*document],
        "max_chunks, dense_weight and min_relevance want to be numbers; this is the beginning of the "
        "document.");
  }
  return RelevantIn(corpus, *document, query, *search, options.places);
}

}  // namespace

Value RelevantContent(const Corpus& corpus, const Value& arguments, const RelevantOptions& options) {
  return RelevantContent(corpus, arguments, MakeQuery(corpus, TextOf(arguments, "query"), options.visible),
                         options);
}

Value RelevantContent(const Corpus& corpus, const Value& arguments, const SearchQuery& query,
                      const RelevantOptions& options) {
  std::vector<std::string> sources = TextsOf(arguments.Find("urls"));
  for (const char* other : {"corpus_urls", "section_ref"}) {
    for (std::string& more : TextsOf(arguments.Find(other))) sources.push_back(std::move(more));
  }
  if (sources.empty()) sources.assign(options.preloaded.begin(), options.preloaded.end());
  if (sources.empty()) return ErrorMap("Name at least one document, by its handle, in urls.");
  if (TextOf(arguments, "query").empty()) return ErrorMap("Say in query what to look for.");
  Map answers;
  for (const std::string& source : sources) {
    if (answers.Find(source) != nullptr) continue;
    answers.Append(source, AnswerOf(corpus, source, arguments, query, options));
  }
  return answers;
}

}  // namespace assay
