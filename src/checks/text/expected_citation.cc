// A document that an answer is expected to quote: a run of its words, blanks and hyphenation folded.
//   args    {documents: [ids], words: the least number of words of the run}
//   asks    one request: the documents of the run whether the answer has such a run (corpus/ask/operations.h,
//           "quote"); workers answer it, and it is stored like every exchange
//   score   1 or 0; a document that could not be read, where no other has the run, is an error
#include <fmt/core.h>

#include "checks/graders.h"
#include "spec/suite/check.h"
#include "spec/turn/turn_details.h"
#include "text/found.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kOperation = "quote";

struct ExpectedCitation {
  std::vector<std::string> documents;
  double words = 1;
};

std::string CitedNames(const std::vector<std::string>& documents) {
  std::string names;
  for (const std::string& id : documents) names += fmt::format("{}{}", names.empty() ? "" : " or ", id);
  return names;
}

Score ScoreOfQuote(const ExpectedCitation& expected, const Value& told, std::string_view answer) {
  if (const std::string* quote = FindText(told, "quote")) {
    Score score = Score::Of(1);
    score.explanation = fmt::format("quotes {}: {}", told.TextAt("place"), *quote);
    // Where it stands in the answer with the blanks and hyphens of the document.
    const std::string_view words = *quote;
    if (const std::size_t at = answer.find(words); at != std::string_view::npos)
      AddMark({at, at + words.size()}, score.marks);
    return score;
  }
  if (const List& problems = told.ListAt("problems"); !problems.empty()) {
    const Value& first = problems.front();
    return Score::Failure(
        fmt::format("document {} cannot be read: {}", first.TextAt("id"), first.TextAt("reason")));
  }
  Score score = Score::Of(0);
  score.explanation =
      fmt::format("quotes no {} words in a row of {}", expected.words, CitedNames(expected.documents));
  return score;
}

}  // namespace

CheckArgs ParseExpectedCitation(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  ExpectedCitation expected;
  for (const Value& id : args.ListAt("documents")) {
    if (id.is_string()) expected.documents.push_back(id.AsString());
  }
  expected.words = args.NumberAt("words").value_or(0);
  if (expected.documents.empty() || !(expected.words >= 1)) {
    diagnostics.Error("check.argument", "expected {documents, words}: ids and a number from 1", args.span);
    return nullptr;
  }
  return std::make_shared<ExpectedCitation>(std::move(expected));
}

// It always asks.
Score GradeExpectedCitation(const GradeInput&, const CheckArgs&, WorkerState&) {
  return Score::Failure("the documents were not asked");
}

std::uint32_t RequestsOfCitation(const CheckArgs&) { return 1; }

Action NextExpectedCitation(const AskInput& input, const CheckArgs& args) {
  const auto& expected = *static_cast<const ExpectedCitation*>(args.get());
  const std::string_view answer = input.grade.answer.text();
  if (const auto halt = HaltOf(input.grade.transcript.told); halt && answer.empty()) {
    Score score = Score::Of(0);
    score.explanation = fmt::format("run halted before answer: {}", *halt);
    return Done{std::move(score)};
  }
  if (input.so_far.empty()) {
    CorpusRequest request{.operation = std::string(kOperation),
                          .arguments = Object{{"text", answer}, {"words", expected.words}},
                          .documents = expected.documents};
    return Need{{{.request = std::move(request), .tag = input.tag}}};
  }
  const Exchange& exchange = input.so_far.front();
  if (exchange.error) return Done{Score::Failure(exchange.error->message)};
  const auto* reply = std::get_if<CorpusReply>(&exchange.reply);
  if (reply == nullptr) return Done{Score::Failure("the documents gave no answer")};
  return Done{ScoreOfQuote(expected, reply->answer, answer)};
}

}  // namespace assay
