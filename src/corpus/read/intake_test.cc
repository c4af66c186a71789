// Tests of taking in documents: what each needs, and that every bad answer becomes a sentence about its
// document.
#include "corpus/read/intake.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "corpus/limits.h"
#include "spec/suite/case.h"

namespace assay {
namespace {

CaseDocument PinnedDocument(std::string path, std::string bytes) {
  CaseDocument document{.id = "d", .title = {}, .url = {}, .path = std::move(path), .sha256 = {}};
  document.blob = std::make_shared<const Blob>(Blob{.sha256 = "ab", .bytes = std::move(bytes)});
  return document;
}

Exchange Printed(std::string text) {
  ProcessReply reply;
  reply.exit_code = 0;
  reply.stdout_text = std::move(text);
  Exchange exchange;
  exchange.reply = std::move(reply);
  return exchange;
}

Exchange Ended(int exit_code, std::string errors, std::string limit = {}) {
  ProcessReply reply;
  reply.exit_code = exit_code;
  reply.stderr_text = std::move(errors);
  reply.limit = std::move(limit);
  Exchange exchange;
  exchange.reply = std::move(reply);
  return exchange;
}

Exchange Embedded(std::vector<std::vector<double>> vectors) {
  EmbedReply reply;
  reply.vectors = std::move(vectors);
  Exchange exchange;
  exchange.reply = std::move(reply);
  return exchange;
}

CorpusSettings WithEndpoint() {
  CorpusSettings settings{.embedder = "openai:e", .endpoint = {}};
  Embedder& endpoint = settings.endpoint.emplace();
  endpoint.provider = "openai";
  endpoint.model = "e";
  return settings;
}

std::string ProblemAfter(const CaseDocument& document, const CorpusSettings& settings,
                         const std::vector<Exchange>& asked) {
  const Result<Intake> intake =
      TakeIn({.document = document, .settings = settings, .pdf_toolchain = {}}, asked);
  return intake ? std::string() : intake.error().message;
}

bool Says(const std::string& message, std::string_view part) {
  return message.find(part) != std::string::npos;
}

TEST_CASE("a plain document needs nobody, a PDF its program, and an endpoint its chunks in batches") {
  const CorpusSettings own;
  const CaseDocument notes = PinnedDocument("/a/notes.txt", "Frost comes in May.");
  Result<Intake> intake = TakeIn({.document = notes, .settings = own, .pdf_toolchain = {}}, {});
  REQUIRE(intake.has_value());
  CHECK(intake->needs.empty());
  CHECK(intake->content.text == "Frost comes in May.");

  const CaseDocument pdf = PinnedDocument("/a/blob.bin", "%PDF-1.7 and so on");  // its first bytes decide
  CHECK(NeedsProgram(pdf));
  intake = TakeIn({.document = pdf, .settings = own, .pdf_toolchain = "t1"}, {});
  REQUIRE(intake.has_value());
  REQUIRE(intake->needs.size() == 1);
  const auto& request = std::get<ProcessRequest>(intake->needs.front());
  CHECK(request.toolchain == "pdftotext");
  CHECK(request.toolchain_digest == "t1");
  REQUIRE(request.files.size() == 1);
  CHECK(request.files.front().blob == pdf.blob);
  intake = TakeIn({.document = pdf, .settings = own, .pdf_toolchain = "t1"},
                  std::vector{Printed("One.\n\fTwo.\n\f")});
  REQUIRE(intake.has_value());
  CHECK(intake->content.page_starts.size() == 2);

  const CorpusSettings outside = WithEndpoint();
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "Word " + std::to_string(i) + " of many. ";
  const CaseDocument book = PinnedDocument("/a/book.md", text);
  intake = TakeIn({.document = book, .settings = outside, .pdf_toolchain = {}}, {});
  REQUIRE(intake.has_value());
  REQUIRE(intake->needs.size() > 1);
  std::vector<Exchange> answers;
  std::size_t chunks = 0;
  for (const Request& need : intake->needs) {
    const auto& embed = std::get<EmbedRequest>(need);
    CHECK(embed.provider == "openai");
    CHECK(embed.texts.size() <= limits::kEmbeddedTextsMax);
    chunks += embed.texts.size();
    answers.push_back(Embedded(std::vector<std::vector<double>>(embed.texts.size(), {3.0, 4.0})));
  }
  intake = TakeIn({.document = book, .settings = outside, .pdf_toolchain = {}}, answers);
  REQUIRE(intake.has_value());
  CHECK(intake->needs.empty());
  CHECK(intake->vectors.size() == chunks);
  answers.erase(answers.begin());  // one was never asked
  CHECK(!ProblemAfter(book, outside, answers).empty());
  // A PDF's text comes first, its vectors in the second round.
  intake = TakeIn({.document = pdf, .settings = outside, .pdf_toolchain = {}}, std::vector{Printed("One.")});
  REQUIRE(intake.has_value());
  CHECK(intake->needs.size() == 1);
  intake = TakeIn({.document = pdf, .settings = outside, .pdf_toolchain = {}},
                  std::vector{Printed("One."), Embedded({{1, 0}})});
  REQUIRE(intake.has_value());
  CHECK(intake->vectors.size() == 1);
}

TEST_CASE("PDFs that cannot be read are told") {
  const CorpusSettings own;
  const CaseDocument pdf = PinnedDocument("/a/x.pdf", "%PDF-1.7");
  const auto problem = [&](Exchange exchange) { return ProblemAfter(pdf, own, {std::move(exchange)}); };
  CHECK(Says(problem(Ended(1, "Command Line Error: Incorrect password\n")), "encrypted"));
  CHECK(Says(problem(Ended(1, "Syntax Error: Couldn't read xref table\nmore")), "no whole PDF"));
  CHECK(!Says(problem(Ended(1, "first\nsecond")), "second"));
  CHECK(Says(problem(Ended(3, "")), "forbids"));
  CHECK(Says(problem(Ended(-1, "", "CPU time")), "CPU time"));
  CHECK(Says(problem(Printed("\f\f")), "without any"));
  CHECK(Says(problem(Printed(std::string(limits::kPdfTextBytesMax, 'x'))), "expected at most"));
  Exchange lost;
  lost.error = Error{ErrorCode::kUnsupported, "no sandbox works"};
  CHECK(problem(lost) == "no sandbox works");
  CHECK(Says(problem(Embedded({{1}})), "not from a program"));
}

TEST_CASE("what is no document is told") {
  const CorpusSettings own;
  CHECK(
      Says(ProblemAfter(PinnedDocument("/a/x.bin", std::string("\0\1\2", 3)), own, {}), "nothing reads it"));
  CHECK(Says(ProblemAfter(PinnedDocument("/a/x.txt", ""), own, {}), "without any"));
  CHECK(Says(ProblemAfter(PinnedDocument("/a/x.html", "<script>only()</script>"), own, {}), "without any"));
  CHECK(
      Says(ProblemAfter(PinnedDocument("/a/x.txt", std::string(limits::kDocumentBytesMax + 1, 'x')), own, {}),
           "split it"));
  CHECK(!ProblemAfter(PinnedDocument("/a/x.epub", "no archive"), own, {}).empty());
  // Bytes of another encoding are left out, what is left is read.
  const CaseDocument latin = PinnedDocument("/a/x.txt", "caf\xe9 au lait");
  const Result<Intake> intake = TakeIn({.document = latin, .settings = own, .pdf_toolchain = {}}, {});
  REQUIRE(intake.has_value());
  CHECK(intake->content.text == "caf au lait");
  CHECK(intake->content.dropped_bytes == 1);
}

TEST_CASE("embedders that answer wrongly are told") {
  const CorpusSettings outside = WithEndpoint();
  const CaseDocument notes = PinnedDocument("/a/notes.txt", "One sentence.");
  const auto problem = [&](std::vector<std::vector<double>> vectors) {
    return ProblemAfter(notes, outside, {Embedded(std::move(vectors))});
  };
  CHECK(Says(problem({}), "0 vectors for 1 texts"));
  CHECK(Says(problem({{1}, {2}}), "2 vectors for 1 texts"));
  CHECK(Says(problem({{}}), "expected an embedding of 1 to"));
  CHECK(Says(problem({{1, std::nan("")}}), "finite"));
  CHECK(Says(problem({{1, 1e300}}), "finite"));
  CHECK(
      Says(problem({std::vector<double>(limits::kDimensionsMax + 1, 1.0)}), "expected an embedding of 1 to"));
  CHECK(problem({{0, 0}}).empty());  // near nothing, and no harm
  Exchange refused;
  refused.error = Error{ErrorCode::kNetwork, "nobody listens"};
  CHECK(Says(ProblemAfter(notes, outside, {refused}), "nobody listens"));
  std::string two;
  for (int i = 0; i < 400; ++i) two += "Word " + std::to_string(i) + " here. ";
  const CaseDocument longer = PinnedDocument("/a/longer.txt", two);
  const Result<Intake> intake = TakeIn({.document = longer, .settings = outside, .pdf_toolchain = {}}, {});
  REQUIRE(intake.has_value());
  const std::size_t chunks = std::get<EmbedRequest>(intake->needs.front()).texts.size();
  REQUIRE(chunks > 1);
  std::vector<std::vector<double>> mixed(chunks, {1, 0});
  mixed.back() = {1, 0, 0};
  CHECK(Says(ProblemAfter(longer, outside, {Embedded(mixed)}), "of 2 and of 3 numbers"));
}

TEST_CASE("the corpus says what became of each document") {
  CorpusBuilder builder(CorpusOptionsOf({}, 0));
  DocumentText content;
  content.text = "Fr\xc3\xb6ste im Mai.";
  REQUIRE(builder.Add({.id = "a", .title = "a.txt", .content = content}).has_value());
  builder.SetTime(2.5);
  static const std::vector<std::string> kAsked = {"a", "b"};
  const Digest unsaid = [] {
    CorpusBuilder other(CorpusOptionsOf({}, 0));
    DocumentText same;
    same.text = "Fr\xc3\xb6ste im Mai.";
    CHECK(other.Add({.id = "a", .title = "a.txt", .content = same}).has_value());
    return (*std::move(other).Build())->DigestOf(kAsked);
  }();
  builder.AddProblem("b", "it is empty");
  const Result<std::shared_ptr<const Corpus>> corpus = std::move(builder).Build();
  REQUIRE(corpus.has_value());
  const Ingestion ingestion = (*corpus)->IngestionOf(0);
  CHECK(ingestion.characters == 14);
  CHECK(ingestion.chunks == 1);
  CHECK(ingestion.ms == 2.5);
  REQUIRE((*corpus)->ProblemOf("b") != nullptr);
  CHECK(*(*corpus)->ProblemOf("b") == "it is empty");
  CHECK((*corpus)->ProblemOf("a") == nullptr);
  CHECK((*corpus)->DigestOf(kAsked) == unsaid);  // why it is not there tells a search nothing
  CHECK((*corpus)->DigestOf(kAsked) != (*corpus)->DigestOf(std::vector<std::string>{"a"}));
}

TEST_CASE("chunks are cut as the settings say") {
  CHECK((CorpusOptionsOf({}, 0).chunk_by == ChunkBy::kSentences));
  const CorpusSettings plain{.embedder = "none", .endpoint = {}, .by_characters = true};
  CHECK((CorpusOptionsOf(plain, 0).chunk_by == ChunkBy::kCharacters));
  CHECK(CorpusOptionsOf(plain, 0).chunk_size.size == 256);
}

}  // namespace
}  // namespace assay
