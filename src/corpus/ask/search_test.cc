// Tests of searching beyond the golden rows: places, repeats, embedders with given vectors, limits.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "corpus/ask/operations.h"
#include "corpus/ask/relevant_content.h"
#include "corpus/ask/search.h"
#include "corpus/index/near_duplicate.h"
#include "text/json/json.h"

namespace assay {
namespace {

CorpusDocument Document(std::string id, std::string text) {
  CorpusDocument document;
  document.id = id;
  document.title = id + ".txt";
  document.content = DecodePlainText(text);
  return document;
}

std::shared_ptr<const Corpus> BuildCorpus(CorpusOptions options, std::vector<CorpusDocument> documents) {
  CorpusBuilder builder(std::move(options));
  for (CorpusDocument& document : documents) REQUIRE(builder.Add(std::move(document)).has_value());
  Result<std::shared_ptr<const Corpus>> built = std::move(builder).Build();
  REQUIRE(built.has_value());
  return *built;
}

TEST_CASE("a result names its document and its place") {
  CorpusDocument pdf;
  pdf.id = "manual";
  pdf.title = "manual.pdf";
  const Result<DocumentText> text =
      ReadDocument(DocumentKind::kPdf, "Valves are blue.\n\fPumps are red.\nThey hum.\n\f");
  REQUIRE(text.has_value());
  pdf.content = *text;
  const auto corpus =
      BuildCorpus({.chunk_size = {.size = 5, .overlap = 0}},
                  {Document("notes", "One line.\nThe second one.\n\nPumps leak here.\n"), pdf});
  const SearchQuery query = MakeQuery(*corpus, "pumps");
  const std::vector<FoundChunk> found = RankCorpus(*corpus, query, {.min_relevance = 0.5});
  REQUIRE(found.size() == 2);
  std::vector<std::string> places;
  for (const FoundChunk& chunk : found) {
    const Place place = corpus->PlaceOf(chunk.chunk);
    places.push_back(PlaceText(place, corpus->documents()[place.document].title));
  }
  std::sort(places.begin(), places.end());
  CHECK(places == std::vector<std::string>{"manual.pdf, page 2", "notes.txt, line 4"});
}

TEST_CASE("chunks that repeat one before them are dropped") {
  const std::string sentence = "The valve of block seven is inspected every ninth day by the foreman.";
  const auto corpus = BuildCorpus({.chunk_size = {.size = 14, .overlap = 0}},
                                  {Document("a", sentence + " " + sentence + " Valve stories are many.")});
  REQUIRE(corpus->chunks() == 3);
  const std::vector<FoundChunk> ranked =
      RankDocument(*corpus, 0, MakeQuery(*corpus, "valve"), {.max_chunks = 3});
  CHECK(ranked.size() == 3);
  CHECK(WithoutRepeats(*corpus, ranked, 3).size() == 2);
}

TEST_CASE("ratios are those that Python's difflib prints") {
  struct Row {
    std::string a;
    std::string b;
    double ratio;
  };
  std::string long_a;
  std::string long_b;
  for (int i = 0; i < 30; ++i) long_a += "abcdefghij";
  for (int i = 0; i < 30; ++i) long_b += i == 15 ? "abXdefghij" : "abcdefghij";
  const Row rows[] = {
      {"", "", 1.0},
      {"abcd", "bcde", 0.75},
      {"valve seven", "seven valves", 0.5217391304347826},
      {"h\xc3\xa9llo", "hello", 0.8},
      // Every character they share is frequent and begins no run: what is equal from the start on counts.
      {long_a, long_b, 0.5066666666666667}};
  for (const Row& row : rows) {
    CAPTURE(row.a);
    REQUIRE(SequenceRatio(row.a, row.b).has_value());
    CHECK(*SequenceRatio(row.a, row.b) == row.ratio);
  }
  std::size_t steps_left = 1'000'000;
  CHECK(IsNearDuplicate(long_a, long_a, 0.92, steps_left));
  CHECK_FALSE(IsNearDuplicate(long_a, long_b, 0.92, steps_left));
  CHECK(steps_left < 1'000'000);
  // Without work left only what is equal is alike.
  CHECK(IsNearDuplicate("valve number seven", "valve number seve", 0.92, steps_left));
  steps_left = 3;
  CHECK_FALSE(IsNearDuplicate("valve number seven", "valve number seve", 0.92, steps_left));
  CHECK(steps_left == 0);
  CHECK(IsNearDuplicate("valve", "valve", 0.92, steps_left));
}

TEST_CASE("texts are near duplicates just where their ratio says so") {
  std::mt19937 generator(7);
  const auto draw = [&generator](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(generator);
  };
  std::size_t alike = 0;
  for (int round = 0; round < 2'000; ++round) {
    std::string a;
    for (std::size_t left = draw(40); left > 0; --left) a += static_cast<char>('a' + draw(4));
    std::string b = a;
    for (std::size_t left = draw(8); left > 0 && !b.empty(); --left)
      b[draw(b.size())] = static_cast<char>('a' + draw(6));
    CAPTURE(a);
    CAPTURE(b);
    for (const double least : {0.0, 0.5, 0.8, 0.92, 1.0}) {
      std::size_t steps_left = 1'000'000;
      const bool is_near = IsNearDuplicate(a, b, least, steps_left);
      CHECK(is_near == (*SequenceRatio(a, b) >= least));
      alike += is_near ? 1 : 0;
    }
  }
  CHECK(alike > 2'000);
  CHECK(alike < 8'000);
}

TEST_CASE("an endpoint's vectors are taken as they come, and odd ones are refused") {
  CorpusBuilder builder({.embedder = "some-model", .dimensions = 3});
  REQUIRE(builder.Add(Document("a", "One valve.")).has_value());
  REQUIRE(builder.Add(Document("b", "Two pumps.")).has_value());
  CHECK(builder.TextsToEmbed(0, 10) == std::vector<std::string>{"One valve.", "Two pumps."});
  CHECK(builder.TextsToEmbed(1, 10).size() == 1);
  const std::vector<Vector> wrong = {{1.0f, 0.0f}};
  CHECK_FALSE(builder.AddVectors(wrong).has_value());
  const std::vector<Vector> odd = {{1.0f, 0.0f, std::numeric_limits<float>::quiet_NaN()}};
  CHECK_FALSE(builder.AddVectors(odd).has_value());
  const std::vector<Vector> good = {{3.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 1.0f}};
  REQUIRE(builder.AddVectors(good).has_value());
  CHECK_FALSE(builder.AddVectors(good).has_value());
  const Result<std::shared_ptr<const Corpus>> built = std::move(builder).Build();
  REQUIRE(built.has_value());
  const Corpus& corpus = **built;
  CHECK_FALSE(MakeQuery(corpus, "x", Vector{1.0f}).has_value());
  const Result<SearchQuery> query = MakeQuery(corpus, "unrelated words", Vector{0.0f, 2.0f, 2.0f});
  REQUIRE(query.has_value());
  const std::vector<FoundChunk> found = RankCorpus(corpus, *query, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].chunk == 1);
  CHECK(found[0].dense == doctest::Approx(1.0));
}

TEST_CASE("vectors that are missing are an error, and so is an id that is there") {
  CorpusBuilder builder({.embedder = "some-model", .dimensions = 3});
  REQUIRE(builder.Add(Document("a", "One valve.")).has_value());
  CHECK_FALSE(builder.Add(Document("a", "Another.")).has_value());
  CHECK_FALSE(std::move(builder).Build().has_value());
}

TEST_CASE("without an embedder a source is answered by its beginning") {
  const auto corpus = BuildCorpus({.embedder = "none"}, {Document("a", "One valve.")});
  Map arguments;
  arguments.Append("urls", "corpus://cache/1");
  arguments.Append("query", "valve");
  const Value answer = RelevantContent(*corpus, Value(arguments), {});
  const Value* source = answer.Find("corpus://cache/1");
  REQUIRE(source != nullptr);
  CHECK(source->Find("fallback")->AsBool());
  CHECK(source->Find("content_preview")->AsString() == "One valve.");
}

TEST_CASE("a model's arguments may be of any kind") {
  const auto corpus = BuildCorpus({}, {Document("a", "One valve."), Document("b", "Two valves and a pump.")});
  const std::vector<std::string> preloaded = {"corpus://cache/1", "corpus://cache/2"};
  Map arguments;
  arguments.Append("urls", List{Value(Null()), Value(3), Value("")});
  arguments.Append("query", "valve");
  arguments.Append("max_chunks", "7");
  arguments.Append("dense_weight", 17.5);
  arguments.Append("min_relevance", Value(Null()));
  const Value answer =
      RelevantContent(*corpus, Value(arguments), {.places = ChunkPlaces::kNamed, .preloaded = preloaded});
  REQUIRE(answer.is_map());
  CHECK(answer.AsMap().size() == 2);
  CHECK(answer.Find("corpus://cache/1")->Find("chunks")->AsList()[0].Find("place")->AsString() ==
        "a.txt, line 1");
  for (const Value& junk :
       {Value("3</parameter>"), Value(List{}), Value(std::numeric_limits<double>::infinity())}) {
    Map odd = arguments;
    odd.Set("max_chunks", junk);
    const Value preview = RelevantContent(*corpus, Value(odd), {.preloaded = preloaded});
    CHECK(preview.Find("corpus://cache/2")->Find("content_preview")->AsString() == "Two valves and a pump.");
  }
  CHECK(RelevantContent(*corpus, Value("junk"), {}).Find("error") != nullptr);
  CHECK(RelevantContent(*corpus, Value(), {}).Find("error") != nullptr);
}

TEST_CASE("what a case may see is searched as if nothing else were there") {
  const std::string red = "Red pumps stop at night. Valves open.";
  const std::string blue = "Blue pumps and pumps and valves. They hum.";
  const auto alone = BuildCorpus({}, {Document("blue", blue)});
  const auto among =
      BuildCorpus({}, {Document("red", red), Document("more", red + " Pumps."), Document("blue", blue)});
  const std::vector<std::string> ids = {"gone", "blue"};
  for (const std::string_view operation : {kOpenDocuments, kFindEvidence, kRelevantContent, kFullContent}) {
    Map asked;
    asked.Append("query", "pumps and valves");
    const Result<Value> here = AnswerOf(*alone, operation, Value(asked), ids);
    const Result<Value> there = AnswerOf(*among, operation, Value(asked), ids);
    REQUIRE(here.has_value());
    CHECK(WriteJson(*here, JsonStyle::kCanonical) == WriteJson(*there, JsonStyle::kCanonical));
  }
  CHECK(alone->DigestOf(ids) == among->DigestOf(ids));
  CHECK(alone->DigestOf(ids) != among->DigestOf(std::vector<std::string>{"blue", "gone"}));
}

TEST_CASE("handles are read as they are written, and nothing else is one") {
  CHECK(HandleOf(2) == "corpus://cache/3");
  CHECK(ParseCorpusHandle("corpus://cache/3")->number == 3);
  CHECK(ParseCorpusHandle("corpus://cache/3#section=section-001")->section == "section-001");
  CHECK(ParseCorpusHandle("corpus://cache/3/s-9")->section == "s-9");
  for (const char* odd : {"corpus://cache/0", "corpus://cache/-1", "corpus://cache/1x",
                          "corpus://cache/1#section=", "corpus://cache/99999999999999999999999",
                          "corpus://other/1", "corpus://cache/"}) {
    CAPTURE(odd);
    CHECK_FALSE(ParseCorpusHandle(odd).has_value());
  }
}

TEST_CASE("the digest tells corpora apart, and equal ones are equal") {
  const auto digest = [](CorpusOptions options, std::string text) {
    return BuildCorpus(std::move(options), {Document("a", std::move(text))})
        ->DigestOf(std::vector<std::string>{"a"});
  };
  CHECK(digest({}, "One.") == digest({}, "One."));
  CHECK(digest({}, "One.") != digest({}, "Two."));
  CHECK(digest({}, "One.") != digest({.embedder = "none"}, "One."));
  CHECK(digest({}, "One.") != digest({.chunk_by = ChunkBy::kCharacters}, "One."));
}

TEST_CASE("the hashed bag of words is that of the golden sessions") {
  const Vector vector = HashEmbedding("Valve valve pump");
  CHECK(vector.size() == 64);
  float squares = 0;
  std::size_t filled = 0;
  for (const float value : vector) {
    squares += value * value;
    filled += value != 0 ? 1 : 0;
  }
  CHECK(squares == doctest::Approx(1.0));
  CHECK(filled == 2);
  CHECK(FindEmbedder("hash")->dimensions == 64);
  CHECK(FindEmbedder("no-such") == nullptr);
}

}  // namespace
}  // namespace assay
