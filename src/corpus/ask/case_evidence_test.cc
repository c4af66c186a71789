// Tests of the evidence path: in the corpus, retrieved, read, used, and the passages behind it.
#include "corpus/ask/case_evidence.h"

#include <doctest/doctest.h>

#include "corpus/ask/operations.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {
namespace {

std::string Manual() {
  std::string text = "Valves are blue and open to the left. ";
  for (int i = 0; i < 60; ++i) text += "Line " + std::to_string(i) + " says nothing of note.\n";
  return text + "After the repair the pressure is 37.9 bar, which holds for all pumps of the house.\n";
}

std::shared_ptr<const Corpus> Documents() {
  CorpusBuilder builder({.chunk_size = {.size = 40, .overlap = 0}});
  CorpusDocument manual;
  manual.id = "manual";
  manual.title = "manual.txt";
  manual.content = DecodePlainText(Manual());
  REQUIRE(builder.Add(std::move(manual)).has_value());
  builder.AddProblem("scan", "it has no text");
  return std::move(builder).Build().value();
}

Case CaseWith(std::string kind, Value args, std::vector<std::string> documents = {"manual"}) {
  Case the_case;
  for (std::string& id : documents) the_case.documents.edit().emplace_back().id = std::move(id);
  Check& check = the_case.checks.emplace_back();
  check.kind = std::move(kind);
  check.args = std::move(args);
  return the_case;
}

Exchange Replied(Value answer) {
  Exchange exchange;
  exchange.role = RequestRole::kTool;
  exchange.reply = CorpusReply{std::move(answer)};
  return exchange;
}

Exchange Asked(const Corpus& corpus, std::string_view operation, std::string_view arguments) {
  const std::vector<std::string> ids{"manual"};
  return Replied(AnswerOf(corpus, operation, ParseJson(arguments).value(), ids).value());
}

std::string Known(const std::optional<bool>& known) { return known ? *known ? "yes" : "no" : "?"; }

// "in the corpus, retrieved, read, used".
std::string PathText(const AttemptEvidence& evidence) {
  REQUIRE(evidence.paths.size() == 1);
  const EvidencePath& path = evidence.paths.front();
  return Known(path.in_corpus) + " " + Known(path.retrieved) + " " + Known(path.read) + " " +
         Known(path.used);
}

std::string PassageTexts(const AttemptEvidence& evidence, PassageKind kind) {
  const std::string text = Manual();
  std::string told;
  for (const DocumentPassage& passage : evidence.passages) {
    if (passage.kind == kind)
      told += text.substr(passage.range.from, passage.range.to - passage.range.from) + "|";
  }
  return told;
}

}  // namespace

TEST_CASE("evidence is followed from the documents into the answer") {
  const auto corpus = Documents();
  const Case the_case = CaseWith("expected_regex", Value(R"(37\.9\s+bar)"));
  const CaseEvidence evidence(*corpus, the_case);
  const Exchange hit = Asked(*corpus, kRelevantContent, R"({"query": "pressure after the repair"})");
  const Exchange miss = Asked(*corpus, kRelevantContent, R"({"query": "valves blue left", "max_chunks": 1})");
  const Exchange whole = Asked(*corpus, kFullContent, "{}");
  const Exchange grep = Asked(*corpus, kGrepDocuments, R"({"pattern": "37"})");

  const AttemptEvidence found = evidence.Of(std::span(&hit, 1), "It is 37.9 bar.");
  CHECK(PathText(found) == "yes yes yes yes");
  CHECK(found.paths[0].retrieved_at.starts_with("manual.txt, line"));
  CHECK(PassageTexts(found, PassageKind::kNeeded) == "37.9 bar|");
  CHECK(PassageTexts(found, PassageKind::kRetrieved).find("37.9 bar") != std::string::npos);
  CHECK(PathText(evidence.Of(std::span(&miss, 1), "It is 38.")) == "yes no no no");
  CHECK(PathText(evidence.Of(std::span(&whole, 1), "It is 37.9 bar.")) == "yes ? yes yes");
  CHECK(PathText(evidence.Of(std::span(&grep, 1), "")) == "yes ? yes no");
  CHECK(PathText(evidence.Of({}, "It is 37.9 bar.")) == "yes ? ? yes");
}

TEST_CASE("a part that was found and cut before what is needed was retrieved, not read") {
  const auto corpus = Documents();
  const CaseEvidence evidence(*corpus, CaseWith("icontains", Value("ALL PUMPS")));
  const auto found_by = [&](std::size_t shown_bytes) {
    ChunkIndex chunk = 0;
    while (corpus->ChunkTextOf(chunk).find("all pumps") == std::string::npos) ++chunk;
    Map hit;
    hit.Append("handle", "corpus://cache/1");
    hit.Append("relevance", "0.9");
    hit.Append("text", corpus->ChunkTextOf(chunk).substr(0, shown_bytes) + "...");
    hit.Append("place", "manual.txt, line 61");
    Map reply;
    reply.Append("evidence", List{Value(hit)});
    const Exchange asked = Replied(Value(reply));
    return evidence.Of(std::span(&asked, 1), "");
  };
  CHECK(PathText(found_by(20)) == "yes yes no no");
  CHECK(found_by(20).paths[0].retrieved_at == "manual.txt, line 61");
  CHECK(PathText(found_by(2'000)) == "yes yes yes no");
}

TEST_CASE("what the documents lack, and what cannot be told, are two things") {
  const auto corpus = Documents();
  CHECK(PathText(CaseEvidence(*corpus, CaseWith("contains", Value("green"))).Of({}, "green")) ==
        "no ? ? yes");
  CHECK(
      PathText(CaseEvidence(*corpus, CaseWith("contains", Value("green"), {"manual", "scan"})).Of({}, "")) ==
      "? ? ? no");
  CHECK(CaseEvidence(*corpus, CaseWith("judge", Value("is friendly"))).Of({}, "x").paths.empty());
  CHECK(CaseEvidence(*corpus, CaseWith("matches", Value("("))).Of({}, "x").paths.empty());
}

TEST_CASE("a citation is evidence of its document, and quotes are found word by word") {
  const auto corpus = Documents();
  const CaseEvidence evidence(
      *corpus, CaseWith("expected_citation", ParseJson(R"({"documents": ["manual"], "words": 4})").value()));
  const Exchange hit = Asked(*corpus, kRelevantContent, R"({"query": "valves blue"})");
  const std::string answer =
      "It says: valves are blue. And: the pressure is 37.9 bar, which holds for all pumps.";
  const AttemptEvidence found = evidence.Of(std::span(&hit, 1), answer);
  CHECK(PathText(found) == "yes yes yes yes");
  CHECK(PassageTexts(found, PassageKind::kQuoted) == "the pressure is 37.9 bar, which holds for all pumps|");
  CHECK(PassageTexts(found, PassageKind::kNeeded).empty());
  CHECK(PathText(evidence.Of(std::span(&hit, 1), "Blue.")) == "yes yes yes no");
}

}  // namespace assay
