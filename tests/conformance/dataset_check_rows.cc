// Golden rows of the checks that tables of questions need: equality, numbers, letters of choices, measures of
// similarity, counting, IFEval's instructions and mathematics.
#include <cmath>

#include "checks/check.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "tests/conformance/conformance.h"
#include "text/numbers/wanted_number.h"
#include "text/object.h"
#include "text/prose/items.h"
#include "text/prose/letters_of.h"
#include "text/prose/sentences.h"

namespace assay::conformance {
namespace {

constexpr double kRounding = 1e-9;

struct Graded {
  Score score;
  std::string error;  // the code of an error of the arguments
};

Graded GradeAnswer(std::string_view kind, const Value& args, const std::string& text) {
  const CheckRow* row = FindCheck(kind, {std::string(kind)});
  if (row == nullptr || row->grade == nullptr) return {.score = {}, .error = "there is no such check"};
  Check check;
  check.kind = kind;
  check.args = args;
  Diagnostics diagnostics;
  const CheckArgs parsed = row->parse({.check = check, .refuses_broken = true}, diagnostics);
  if (diagnostics.ErrorCount() > 0) return {.score = {}, .error = diagnostics.All().front().code};
  AnswerView answer(text);
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  return {.score = row->grade({answer, transcript, "test:model", the_case}, parsed, worker), .error = ""};
}

bool IsNear(const Value& want, double got) {
  return want.is_number() &&
         std::abs(want.AsNumber() - got) <= kRounding * std::max(1.0, std::abs(want.AsNumber()));
}

// The row's `out` is a number, or {error: code}.
void CompareScore(std::string_view what, const Value& want, const Graded& got, Outcome& outcome) {
  if (!got.error.empty()) {
    outcome.Same(what, want, Object{{"error", got.error}});
  } else if (got.score.state == ScoreState::kScored && IsNear(want, got.score.value)) {
    outcome.Pass();
  } else {
    outcome.Fail(std::string(what) + ": want " + Show(want) + ", got " + Show(Value(got.score.value)) + " " +
                 got.score.error);
  }
}

// {answer, arg} -> score, of the check that the kind names.
void RunArgument(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const std::string kind = GetText(row, "kind");
  CompareScore(kind, Get(row, "out"), GradeAnswer(kind, Get(in, "arg"), GetText(in, "answer")), outcome);
}

void RunFuzzyMatch(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Value& out = Get(row, "out");
  const std::string answer = GetText(in, "answer");
  const struct {
    std::string_view kind;
    std::string_view member;
  } kKinds[] = {{"starts_with_any_of", "match"}, {"contains_any_of", "includes"}, {"fuzzy_match", "fuzzy"}};
  Map got;
  for (const auto& each : kKinds)
    got.Append(std::string(each.member), GradeAnswer(each.kind, Get(in, "ideal"), answer).score.value);
  outcome.Same("openai_match", out, Value(std::move(got)));
}

// {operation, input, reference} -> score.
void RunStringCheck(const Value& row, Outcome& outcome) {
  CompareScore("string_check", Get(row, "out"), GradeAnswer("string_check", Get(row, "in"), ""), outcome);
}

void RunScript(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Value& arg = Get(in, "arg");
  const Value& out = Get(row, "out");
  std::vector<int> scripts;
  const Value& names = arg.is_map() ? Get(arg, "of") : arg;
  const List one{names};
  for (const Value& name : names.is_list() ? names.AsList() : one)
    scripts.push_back(ScriptOf(name.AsString()).value_or(-1));
  const std::optional<double> share = ShareInScripts(GetText(in, "answer"), scripts);
  if (share.has_value() == Get(out, "share").is_null() || (share && !IsNear(Get(out, "share"), *share)))
    return outcome.Fail("script: another share");
  CompareScore("script", Get(out, "score"), GradeAnswer("script", arg, GetText(in, "answer")), outcome);
}

void RunNumeric(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Graded graded = GradeAnswer("numeric", Get(in, "arg"), GetText(in, "answer"));
  if (!graded.error.empty()) return CompareScore("numeric", Get(row, "out"), graded, outcome);
  const Result<WantedNumber> wanted = ReadWantedNumber(Get(in, "arg"));
  const std::optional<FoundNumber> found = PickNumber(GetText(in, "answer"), *wanted);
  outcome.Same("numeric", Get(row, "out"),
               Object{{"score", graded.score.value}, {"found", found ? Value(found->value) : Value(Null{})}});
}

void RunUse(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Value& used = Get(in, "use");
  AttemptUse use;
  if (const auto ms = used.NumberAt("latency_ms")) use.duration_us = std::llround(*ms * 1e3);
  if (const auto usd = used.NumberAt("cost_usd")) use.nano_usd = std::llround(*usd * 1e9);
  if (const auto tokens = used.NumberAt("output_tokens"))
    use.usage = {.output_tokens = std::llround(*tokens), .known = true};
  Check check;
  check.kind = "use";
  check.args = Object{{"of", Get(in, "of")}, {"at_most", Get(in, "at_most")}};
  const CheckRow* row_of = FindCheck("use");
  if (row_of == nullptr || !row_of->reads_use) return outcome.Fail("use: no such check");
  Diagnostics diagnostics;
  const CheckArgs args = row_of->parse({.check = check, .refuses_broken = true}, diagnostics);
  if (diagnostics.ErrorCount() > 0) return outcome.Fail("use: " + diagnostics.All().front().message);
  AnswerView answer("");
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  Graded graded{.score = row_of->grade({answer, transcript, "test:model", the_case, {}, use}, args, worker),
                .error = ""};
  if (graded.score.failed()) graded.error = graded.score.error.substr(0, graded.score.error.find(':'));
  CompareScore("use", Get(row, "out"), graded, outcome);
}

void RunChoice(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Graded graded = GradeAnswer("choice", Get(in, "arg"), GetText(in, "answer"));
  if (!graded.error.empty()) return CompareScore("choice", Get(row, "out"), graded, outcome);
  constexpr std::string_view kFound = "the choice ";
  const std::string& told = graded.score.explanation;
  const Value found = told.starts_with(kFound) ? Value(told.substr(kFound.size())) : Value(Null{});
  outcome.Same("choice", Get(row, "out"), Object{{"score", graded.score.value}, {"found", found}});
}

void RunSquad(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Value& out = Get(row, "out");
  const std::string answer = GetText(in, "answer");
  const Graded exact = GradeAnswer("squad_exact", Get(in, "want"), answer);
  const Graded f1 = GradeAnswer("squad_f1", Get(in, "want"), answer);
  if (!IsNear(Get(out, "exact"), exact.score.value)) return outcome.Fail("squad_exact");
  CompareScore("squad_f1", Get(out, "f1"), f1, outcome);
}

void RunItems(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Value& out = Get(row, "out");
  const Graded graded = GradeAnswer("items", Get(in, "arg"), GetText(in, "answer"));
  if (!graded.error.empty()) return CompareScore("items", out, graded, outcome);
  const List items = ArrayOf(ItemsOf(GetText(in, "answer"), GetText(Get(in, "arg"), "separator")));
  if (!SameValue(Get(out, "items"), Value(items))) return outcome.Same("items", Get(out, "items"), items);
  CompareScore("items", Get(out, "score"), graded, outcome);
}

void RunCount(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  const Value& out = Get(row, "out");
  const Graded graded = GradeAnswer("count", Get(in, "arg"), GetText(in, "answer"));
  if (!graded.error.empty()) return CompareScore("count", out, graded, outcome);
  const std::string counted = "the count is " + Show(Get(out, "count"));
  if (graded.score.explanation != counted)
    return outcome.Fail(graded.score.explanation + ", want " + counted);
  CompareScore("count", Get(out, "score"), graded, outcome);
}

void RunSentences(const Value& row, Outcome& outcome) {
  const std::string text = GetText(Get(row, "in"), "text");
  outcome.Same("sentences", Get(row, "out"), ArrayOf(SentencesOf(text)));
}

// {answer, to, words? | metric?} -> share, of the check that the kind names.
void RunShare(const Value& row, Outcome& outcome) {
  Map args = Get(row, "in").AsMap();
  const std::string answer = GetText(Get(row, "in"), "answer");
  args.Erase("answer");
  const std::string kind = GetText(row, "kind");
  CompareScore(kind, Get(row, "out"), GradeAnswer(kind, Value(std::move(args)), answer), outcome);
}

void RunIfeval(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  Map args = in.AsMap();
  args.Erase("answer");
  const Graded graded = GradeAnswer("ifeval", Value(std::move(args)), GetText(in, "answer"));
  if (!graded.error.empty()) return outcome.Fail(graded.error);
  outcome.Same("ifeval", Get(row, "out"),
               ArrayOf(graded.score.items, [](const ScoreItem& item) { return item.share; }));
}

void RunMath(const Value& row, Outcome& outcome) {
  const Value& in = Get(row, "in");
  CompareScore("math", Get(row, "out"), GradeAnswer("math", Get(in, "want"), GetText(in, "answer")), outcome);
}

}  // namespace

std::span<const KindRow> DatasetCheckKinds() {
  static constexpr KindRow kKinds[] = {
      {"datasets/equals.jsonl", "equals", RunArgument},
      {"datasets/openai_match.jsonl", "openai_match", RunFuzzyMatch},
      {"datasets/string_check.jsonl", "string_check", RunStringCheck},
      {"datasets/letter_case.jsonl", "letter_case", RunArgument},
      {"datasets/is_valid.jsonl", "is_valid", RunArgument},
      {"datasets/script.jsonl", "script", RunScript},
      {"datasets/numeric.jsonl", "numeric", RunNumeric},
      {"datasets/choice.jsonl", "choice", RunChoice},
      {"datasets/squad.jsonl", "squad", RunSquad},
      {"datasets/edit_distance.jsonl", "edit_distance", RunArgument},
      {"datasets/items.jsonl", "items", RunItems},
      {"datasets/json_equals.jsonl", "json_equals", RunArgument},
      {"datasets/count.jsonl", "count", RunCount},
      {"datasets/sentences.jsonl", "sentences", RunSentences},
      {"datasets/bleu.jsonl", "bleu", RunShare},
      {"datasets/chrf.jsonl", "chrf", RunShare},
      {"datasets/rouge.jsonl", "rouge", RunShare},
      {"datasets/ifeval.jsonl", "ifeval", RunIfeval},
      {"datasets/math.jsonl", "math", RunMath},
      {"datasets/use.jsonl", "use", RunUse},
  };
  return kKinds;
}

}  // namespace assay::conformance
