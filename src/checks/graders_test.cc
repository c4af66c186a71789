// Tests of InfiBench's graders beyond the golden rows: calls of Python, limits, bad arguments.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "checks/check.h"
#include "checks/code/alignment.h"
#include "checks/code/rouge.h"
#include "checks/program/python_condition.h"
#include "spec/score/item_words.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "text/json/json.h"

namespace assay {
namespace {

// One component and one answer; Python's replies are put in by hand.
class Grading {
 public:
  Grading(std::string_view kind, Value args, std::string answer, bool has_python = true,
          GradingRules rules = {})
      : row_(FindCheck(kind, {std::string(kind)})), answer_text_(std::move(answer)) {
    REQUIRE(row_ != nullptr);
    Check check;
    check.kind = kind;
    check.args = std::move(args);
    const Toolchain python{
        .language = "python", .digest = "p1", .missing = has_python ? "" : "there is none"};
    args_ = row_->parse({.check = check, .grading = rules, .toolchains = {&python, 1}}, diagnostics_);
    REQUIRE(args_ != nullptr);
  }

  std::uint32_t requests_max() const { return row_->MostRequests(args_); }
  const Diagnostics& diagnostics() const { return diagnostics_; }

  Score Grade() {
    AnswerView answer(answer_text_);
    return row_->grade(Input(answer), args_, worker_);
  }

  Action Next() {
    AnswerView answer(answer_text_);
    const GradeInput input = Input(answer);
    return row_->asks->next({.grade = input, .so_far = so_far_, .tag = {}, .worker = worker_}, args_);
  }

  // The next program's input, as JSON.
  std::string Asked() {
    const Action action = Next();
    const auto* need = std::get_if<Need>(&action);
    if (need == nullptr) return "nothing is asked";
    const auto& request = std::get<ProcessRequest>(need->requests.at(0).request);
    CHECK(request.toolchain == "python");
    CHECK(request.toolchain_digest == "p1");
    CHECK(request.limits.wall == std::chrono::seconds(10));
    return request.files.at(1).bytes;
  }

  void Reply(std::string_view stdout_text, int exit_code = 0) {
    Exchange exchange;
    exchange.reply = ProcessReply{
        .exit_code = exit_code, .stdout_text = std::string(stdout_text), .stderr_text = "E\nboom\n"};
    so_far_.push_back(std::move(exchange));
  }

  Score Done() {
    const Action action = Next();
    const auto* done = std::get_if<assay::Done>(&action);
    REQUIRE(done != nullptr);
    return std::get<Score>(done->value);
  }

 private:
  GradeInput Input(AnswerView& answer) {
    return {.answer = answer, .transcript = transcript_, .variant_id = "v", .the_case = case_};
  }

  const CheckRow* row_;
  std::string answer_text_;
  Diagnostics diagnostics_;
  CheckArgs args_;
  Transcript transcript_;
  Case case_;
  WorkerState worker_;
  std::vector<Exchange> so_far_;
};

Value Json(std::string_view text) {
  Result<Value> value = ParseJson(text);
  REQUIRE(value.has_value());
  return *value;
}

TEST_CASE("a number is read wherever it stands, at the very end too") {
  const Value wanted = Json(R"({"value":12.5})");
  for (const char* answer :
       {"12.5", "It is 12.5", "12.50", "7 or 12.5", "1,2 and 12.5e0", "12.5 metres", "12.5.", "12,5"})
    CHECK(Grading("expected_numeric", wanted, answer).Grade().value == 1);
  for (const char* answer : {"", "42", "-12.5", "12.", "12.5e", "12.5e-", "1,234.5", "e", "."})
    CHECK(Grading("expected_numeric", wanted, answer).Grade().value ==
          (std::string_view(answer).starts_with("12.5e")));
}

TEST_CASE("a condition beyond the small evaluator is asked of Python, with what it may see") {
  Grading grading("keywords",
                  Json(R"(["a", {"content": {"content": "b", "cond": "len(context) + 1 == 2"}}])"), "ab");
  CHECK(grading.requests_max() == 1);
  const std::string asked = grading.Asked();
  CHECK(asked.find(R"("expression":"len(context) + 1 == 2")") != std::string::npos);
  CHECK(asked.find(R"("context":["match"])") != std::string::npos);
  CHECK(asked.find(R"("response":"ab")") != std::string::npos);
  grading.Reply("noise\n{\"value\": true}\n");
  const Score score = grading.Done();
  CHECK(score.state == ScoreState::kScored);
  CHECK(score.value == 2);
  CHECK(score.max == 2);
}

TEST_CASE("a blank's condition sees what the original's function knows") {
  // `matched_rate` and `n_blank` used to be errors of the case, and whole numbers were floats in Python.
  const struct {
    std::string_view condition;
    bool holds;
  } rows[] = {
      {"matched_rate > 0.9 and n_blank == 1", true},
      {"matched_rate > 1.5", false},
      {"blank_places[0] == 4 and no == 0 and s[0] == 0", true},
      {"now_score == 0 and tot_score == 2 and weight == 2", true},
      {"template.startswith('x = ') and blank_str == '[blank]' and len(targets) == 1", true},
      {"response.count('5') == 1 and ans['content'] == '5' and ans_cond.startswith('response')", true},
      {"to_lower or substr_match or matched or post_handler", false},
      {"now_status.endswith('5') and target['weight'] == 2 and len(anses) == 1", true},
      {"matched_rate < 0.5 or 0.25 < 0.3", true},
  };
  for (const auto& row : rows) {
    CAPTURE(row.condition);
    Map alternative;
    alternative.Append("content", "5");
    alternative.Append("cond", row.condition);
    Map target;
    target.Append("content", List{Value(std::move(alternative))});
    target.Append("weight", std::int64_t{2});
    Map args;
    args.Append("template", "x = [blank]; y");
    args.Append("targets", List{Value(std::move(target))});
    Grading grading("blank_filling", Value(std::move(args)), "x = 5; y");
    const Score score = grading.Done();
    CHECK(score.state == ScoreState::kScored);
    CHECK(score.value == (row.holds ? 2 : 0));
  }
  Grading asks("blank_filling", Json(R"({"template": "x = [blank]; y",
                        "targets": [{"content": [{"content": "5", "cond": "{n_blank} == {1}"}]}]})"),
               "x = 5; y");
  CHECK(asks.Asked().find(R"("n_blank":{"__int":"1"})") != std::string::npos);
}

TEST_CASE("nothing is asked where no node with such a condition matches") {
  Grading grading("keywords", Json(R"([{"content": {"content": "b", "cond": "re.match('x', response) or 0"
}
}])"),
                  "a");
  CHECK(grading.requests_max() == 1);
  CHECK(grading.Done().value == 0);
}

TEST_CASE("a post_handler replaces score and total, and its detail keeps Python's kinds of numbers") {
  Grading grading(
      "keywords",
      Json(R"(["a", "b", {"post_handler": {"module": "m.n", "func": "f", "source": "def f(*a): pass"}}])"),
      "a");
  const std::string asked = grading.Asked();
  CHECK(asked == R"({"module":"m.n","func":"f","arguments":[1,2,["match","unmatch"]]})");
  grading.Reply(R"({"value": [{"__int": "3"}, 4.5, {"n": {"__int": "2"}, "x": 2.0}]})");
  const Score score = grading.Done();
  CHECK(score.value == 3);
  CHECK(score.max == 4.5);
  CHECK(score.items.size() == 2);  // what is no text is not told
  CHECK(score.remark.Find("n")->kind() == ValueKind::kInt);
  CHECK(score.remark.Find("x")->kind() == ValueKind::kDouble);
}

TEST_CASE("what was wanted and found is told rule by rule") {
  const auto told = [](const std::vector<ScoreItem>& items) {
    std::string text;
    for (const ScoreItem& item : items)
      text += fmt::format("{}|{}|{:g}|{:g}|{:g}|{}\n", item.wanted, FoundText(item), item.share, item.points,
                          item.weight, item.sentence);
    return text;
  };
  CHECK(told(Grading("keywords",
                     Json(R"(["sorted", {"content": {"or": ["a", {"and": ["b", "c"]}]}, "weight": 2},
                                          {"content": "eval(", "neg": true, "weight": 3},
                                          {"content": "x", "neg": true},
                                          {"content": {"content": "\\d+", "regex": true}}])"),
                     "sorted eval(")
                 .Done()
                 .items) ==
        "“sorted”|it is there|1|1|1|\n"
        "“a” or (“b” and “c”)|it is there|1|2|2|\n"
        "not: “eval(”|it is there|0|-3|0|\n"
        "not: “x”|it is not there|1|0|0|\n"
        "the pattern “\\d+”|it is not there|0|0|1|\n");
  CHECK(told(Grading("blank_filling", Json(R"({"template": "x = [blank];", "targets":
                     [{"content": ["two", {"content": "o.*", "regex": true}], "weight": 2}]})"),
                     "x = one;")
                 .Done()
                 .items) == "“two” or the pattern “o.*”|given: “one”|1|2|2|\n");
  CHECK(told(Grading("similarity", Json(R"([{"metric": "rouge1", "weight": 2, "references": ["a lock"]}])"),
                     "a lock")
                 .Grade()
                 .items) == "rouge1|1.000 with the closest reference|1|2|2|\n");
}

TEST_CASE("what is told is typed: nobody has to read it out of a sentence") {
  const std::vector<ScoreItem> rules =
      Grading("keywords", Json(R"(["a", {"content": "b", "neg": true}, {"content": "c", "neg": true},
                                 {"content": {"or": []}}])"),
              "a b")
          .Done()
          .items;
  REQUIRE(rules.size() == 4);
  CHECK(rules[0].is_there());
  CHECK(rules[1].is_there());
  CHECK(rules[1].is_unwanted);
  CHECK(!rules[2].is_there());
  CHECK(!rules[3].is_there());
  CHECK(!rules[3].is_alone());
  const std::vector<ScoreItem> blanks =
      Grading("blank_filling",
              Json(R"({"template": "x = [blank];", "targets": [{"content": ["two", "One"]}]})"), "x = one;")
          .Done()
          .items;
  CHECK(blanks[0].given == "one");
  CHECK(blanks[0].against == "One");
  CHECK(BlankLine(blanks[0]) == "unmatched: response string: one, ans: One");
  const Score metric =
      Grading("similarity", Json(R"([{"metric": "rouge2", "references": ["a lock"]}])"), "a key").Grade();
  REQUIRE(metric.items[0].measures.size() == 4);
  CHECK(metric.items[0].measures[0].name == "rouge1");
  CHECK(metric.items[0].measures[0].value == 0.5);
  CHECK(metric.items[0].measures[1].value == 0);
}

TEST_CASE("a blank's handler sees the lines of the detail") {
  Grading grading("blank_filling", Json(R"({"template": "use [blank] here", "targets": ["map"],
                           "post_handler": {"module": "m", "func": "f", "source": "x"}})"),
                  "use map here");
  CHECK(grading.Asked().find(R"([1,1,["matched: response string: map, ans: map"]])") != std::string::npos);
  grading.Reply(R"({"value": [0.5, 1.0, null]})");
  CHECK(grading.Done().value == 0.5);
}

TEST_CASE("like the original, what goes wrong in a program is the error of this answer") {
  const struct {
    std::string_view reply;
    int exit_code;
    std::string_view error;
  } rows[] = {
      {R"({"error": "KeyError: 'x'"})", 0, "Python raised KeyError: 'x'"},
      {"", 1, "Python ended with status 1 and gave no result: \"boom\""},
      {R"({"value": [1, 2]})", 0, "a handler must return (score, total, detail) with two numbers"},
      {R"({"value": ["1", 2, 3]})", 0, "a handler must return (score, total, detail) with two numbers"},
      {R"({"value": [{"__number": "NaN"}, 1, null]})", 0, "the score is no number: nan of 1"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.reply);
    Grading grading("customized", Json(R"({"module": "m", "func": "f", "source": "x"})"), "answer", true,
                    {.python_words = true});
    CHECK(grading.requests_max() == 1);
    CHECK(grading.Asked() == R"({"module":"m","func":"f","arguments":["answer"]})");
    grading.Reply(row.reply, row.exit_code);
    const Score score = grading.Done();
    CHECK(score.state == ScoreState::kError);
    CHECK(score.error == row.error);
  }
}

TEST_CASE(
    "an answer that makes the suite's own function fail has no point; a function that fails is an error") {
  constexpr std::string_view kRaises = R"({"error": "KeyError: 'x'", "suites_fault": false})";
  constexpr std::string_view kBroken = R"({"error": "NameError: name 'y'", "suites_fault": true})";
  constexpr std::string_view kWell = R"({"value": [0, 3, null]})";
  constexpr std::string_view kNothing;  // killed, or out of time
  const struct {
    std::string_view answers, of_nothing;
    double total;  // 0: an error
  } rows[] = {
      {kRaises, kWell, 3},
      {kRaises, kRaises, 1},
      {kRaises, kBroken, 1},
      {kRaises, kNothing, 1},
      {kBroken, kWell, 3},
      {kBroken, kRaises, 1},
      {kBroken, kBroken, 0},
      {kNothing, kWell, 3},
      {kNothing, kNothing, 0},
      {kNothing, kBroken, 0},
      {R"({"value": null})", kWell, 3},
      {R"({"value": [1, 2]})", kWell, 3},
      {R"({"value": [0, 0, "nothing there"]})", kWell, 3},
      {R"({"value": [{"__number": "NaN"}, 1, null]})", kWell, 3},
      {R"({"value": [1, {"__number": "Infinity"}, null]})", kRaises, 1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.answers);
    CAPTURE(row.of_nothing);
    Grading grading("customized", Json(R"({"module": "m", "func": "f", "source": "x"})"), "answer");
    CHECK(grading.Asked() == R"({"module":"m","func":"f","arguments":["answer"]})");
    grading.Reply(row.answers, row.answers.empty() ? 1 : 0);
    CHECK(grading.Asked() == R"({"module":"m","func":"f","arguments":[""]})");
    grading.Reply(row.of_nothing, row.of_nothing.empty() ? 1 : 0);
    const Score score = grading.Done();
    CHECK((score.state == ScoreState::kError) == (row.total == 0));
    if (row.total == 0) continue;
    CHECK(score.value == 0);
    CHECK(score.max == row.total);
    CHECK(score.explanation.starts_with("no credit: "));
    CHECK(score.items.size() == 1);
  }
}

TEST_CASE(
    "a handler that an answer makes fail costs what the rules give, and is asked of an answer of nothing") {
  Grading keywords("keywords", Json(R"(["a", {"content": "b", "weight": 2}, {"content": "c", "neg": true},
               {"post_handler": {"module": "m", "func": "f", "source": "x"}}])"),
                   "ab");
  CHECK(keywords.requests_max() == 2);
  keywords.Reply(R"({"error": "ZeroDivisionError: division by zero", "suites_fault": false})");
  CHECK(keywords.Asked() == R"({"module":"m","func":"f","arguments":[0,3,["unmatch","unmatch","unmatch"]]})");
  keywords.Reply(R"({"value": [0, 5, ""]})");
  CHECK(keywords.Done().value == 0);
  CHECK(keywords.Done().max == 5);
  Grading blanks("blank_filling", Json(R"({"template": "use [blank] here", "targets": ["map"],
                           "post_handler": {"module": "m", "func": "f", "source": "x"}})"),
                 "use map here");
  blanks.Reply("", 1);
  CHECK(blanks.Asked().find(R"("arguments":[0,1,["unmatched: match rate too low - 0.0"]])") !=
        std::string::npos);
}

TEST_CASE("a condition that fails costs the answer that it looks at, and is else an error") {
  constexpr std::string_view kRaises = R"({"error": "ValueError: no", "suites_fault": false})";
  constexpr std::string_view kBroken = R"({"error": "NameError: name 'y'", "suites_fault": true})";
  const struct {
    std::string_view condition, reply;  // of Python; "": none is asked
    bool is_lost;
  } rows[] = {
      {"response[9] == 'x'", "", true},
      {"context[-3] == 'match'", "", false},
      {"reponse[0] == 'x'", "", false},
      {"int(response)", kRaises, true},
      {"int(response)", kBroken, false},
      {"int(context[0])", kRaises, false},
      {"re.search('(b+)+c', response)", "nothing", true},
  };
  for (const auto& row : rows) {
    CAPTURE(row.condition);
    Map node;
    node.Append("content", "b");
    node.Append("cond", row.condition);
    Map rule;
    rule.Append("content", std::move(node));
    for (const bool like_original : {false, true}) {
      Grading grading("keywords", List{Value("a"), Value(rule)}, "b", true, {.python_words = like_original});
      if (!row.reply.empty()) grading.Reply(row.reply);
      const Score score = grading.Done();
      const bool is_lost = row.is_lost && !like_original;
      CHECK(score.state == (is_lost ? ScoreState::kScored : ScoreState::kError));
      if (is_lost) CHECK(score.max == 2);
      if (is_lost) CHECK(score.value == 0);
    }
  }
}

TEST_CASE("a customized score is the function's, and so is its remark") {
  Grading grading("customized", Json(R"({"module": "m", "func": "f", "source": "x"})"), "answer");
  CHECK(grading.requests_max() == 2);
  grading.Reply(R"({"value": [true, 1.0, "good"]})");
  const Score score = grading.Done();
  CHECK(score.value == 1);
  CHECK(score.max == 1);
  CHECK(score.remark.AsString() == "good");
  // Files of the original's tools have the numbers as the function gave them.
  REQUIRE(score.answer.is_list());
  CHECK(score.answer.AsList()[0].is_bool());
  CHECK(score.answer.AsList()[1].kind() == ValueKind::kDouble);
}

TEST_CASE("without Python nothing is asked, and what needs it is an error") {
  Grading grading("customized", Json(R"({"module": "m", "func": "f", "source": "x"})"), "answer", false);
  CHECK(grading.requests_max() == 0);
  const Score score = grading.Grade();
  CHECK(score.state == ScoreState::kError);
  CHECK(score.error == "runtime missing: python: there is none");
}

TEST_CASE("arguments that make every answer an error are warned of") {
  const struct {
    std::string_view kind, args;
  } rows[] = {
      {"keywords", "[404]"},
      {"keywords", "null"},
      {"keywords", R"([{"weight": 2}])"},
      {"keywords", R"([{"content": {"or": null}}])"},
      {"keywords", R"([{"content": {"content": "\\q", "regex": true}}])"},
      {"keywords", R"([{"content": "a", "weight": "heavy"}])"},
      {"keywords", R"([{"post_handler": {"module": "m", "func": "f", "problem": "m.py is not there"}}])"},
      {"blank_filling", R"({"template": "a [blank]b", "targets": []})"},
      {"blank_filling", R"({"template": "", "targets": []})"},
      {"blank_filling", R"({"template": "aaa b", "blank_str": "aa", "targets": ["x", "y"]})"},
      {"blank_filling", R"({"targets": ["x"]})"},
      {"similarity", R"([{"metric": "bleu", "references": ["a"]}])"},
      {"similarity", R"([{"metric": "rouge1", "references": []}])"},
      {"similarity", R"([{"metric": "rouge1", "references": ["a"], "min_score": 1, "max_score": 1}])"},
      {"similarity",
       R"([{"metric": "rouge1", "references": [{"path": "r.txt", "problem": "r.txt is not there"}]}])"},
      {"customized", R"({"module": "m"})"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.args);
    Grading grading(row.kind, Json(row.args), "a");
    CHECK(grading.diagnostics().WarningCount() == 1);
    CHECK(grading.requests_max() == 0);
    CHECK(grading.Grade().state == ScoreState::kError);
  }
}

TEST_CASE("whoever gets lost in a pattern has no point, and with the original an error") {
  const Value rules = Json(R"(["a", {"content": {"content": "(a+)+$", "regex": true}, "neg": true}])");
  const std::string text = std::string(40, 'a') + "b";
  const Score score = Grading("keywords", rules, text).Grade();
  CHECK(score.value == 0);
  CHECK(score.max == 1);
  CHECK(score.explanation.starts_with("no credit: regex limit"));
  CHECK(Grading("keywords", rules, text, true, {.python_words = true})
            .Grade()
            .error.starts_with("regex limit"));
  const Value blanks = Json(R"({"template": "x = [blank];", "targets":
                                [{"content": [{"content": "(a+)+$", "regex": true}], "weight": 2}]})");
  const Score blank = Grading("blank_filling", blanks, "x = " + text + ";").Done();
  CHECK(blank.value == 0);
  CHECK(blank.max == 2);
}

TEST_CASE("conditions: what is understood, and what is left to Python") {
  Map names;
  names.Append("context", List{Value("match"), Value("unmatch")});
  names.Append("ans", true);
  names.Append("text", "caf\xc3\xa9");
  Map rule;
  rule.Append("content", "");
  names.Append("rule", std::move(rule));
  const struct {
    std::string_view text;
    char want;  // '1', '0', 'e': raises, '?': not understood
  } rows[] = {
      {"context[-1].startswith('match')", '0'},
      {"context[0].startswith(\"match\")", '1'},
      {"context[2]", 'e'},
      {"context[-3]", 'e'},
      {"'unmatch' not in context", '0'},
      {"len(text) == 4 and text[3] == '\xc3\xa9'", '1'},
      {"text.count('') == 5", '1'},
      {"context.count('match') == 1", '1'},
      {"not ans or 0", '0'},
      {"not not ans", '1'},
      {"1 < 2 < 3", '1'},
      {"1 < 2 > 3", '0'},
      {"rule['content'] == ''", '1'},
      {"rule['missing']", 'e'},
      {"True == 1", '1'},
      {"None", '0'},
      {"'a' < 1", 'e'},
      {"nobody", 'e'},
      {"nobody and 0", 'e'},
      {"0 and nobody", '0'},
      {"(ans)", '1'},
      {"-1 < 0", '1'},
      {"1 + 1", '?'},
      {"1 +", '?'},
      {"", '?'},
      {"any(c for c in context)", '?'},
      {"re.search('a', text)", '?'},
      {"ans is True", '?'},
      {"text.upper()", '?'},
      {"'a\\n' in text", '?'},
      {"r'a' in text", '?'},
      {"1.5", '1'},
      {"0.0", '0'},
      {"1.5 > 1 and 0.25 == 0.250", '1'},
      {"context[1.0]", 'e'},
      {"1.", '?'},
      {"1.5e3", '?'},
      {"01", '?'},
      {"ans if ans else 0", '?'},
      {"f(1)", '?'},
      {"context[0:1]", '?'},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const PythonCondition condition(row.text);
    REQUIRE(condition.is_understood() == (row.want != '?'));
    if (!condition.is_understood()) continue;
    const Result<bool> value = condition.Evaluate(names);
    CHECK((value.has_value() ? (*value ? '1' : '0') : 'e') == row.want);
  }
  CHECK_FALSE(PythonCondition(std::string(5000, '(') + "1" + std::string(5000, ')')).is_understood());
}

// The table as the specification words it.
Alignment PlainAlignment(std::u32string_view pattern, std::u32string_view text) {
  const std::size_t m = pattern.size();
  const std::size_t n = text.size();
  std::vector<std::vector<std::size_t>> f(m, std::vector<std::size_t>(n));
  std::vector<std::vector<std::size_t>> b(m, std::vector<std::size_t>(n));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool is_match = pattern[i] == text[j];
      if (is_match) {
        f[i][j] = i > 0 && j > 0 ? f[i - 1][j - 1] + 1 : 1;
        b[i][j] = j;
      } else if (i > 0 && j > 0) {
        f[i][j] = std::max(f[i][j - 1], f[i - 1][j]);
        if (f[i][j - 1] >= f[i - 1][j]) b[i][j] = b[i][j - 1];
        if (f[i - 1][j] >= f[i][j - 1]) b[i][j] = std::max(b[i][j], b[i - 1][j]);
      }
    }
  }
  Alignment alignment{.matched = static_cast<std::uint32_t>(f[m - 1][n - 1]),
                      .places = std::vector<std::uint32_t>(m)};
  std::size_t p = b[m - 1][n - 1];
  for (std::size_t i = m; i-- > 0;) {
    const bool is_match = pattern[i] == text[p];
    alignment.places[i] = static_cast<std::uint32_t>(is_match ? p : p + 1);
    if (is_match && i > 0) p = b[i - 1][p == 0 ? n - 1 : p - 1];
  }
  return alignment;
}

TEST_CASE("the fast alignment is the plain one, for texts short, long and beyond 65,535 characters") {
  std::uint64_t state = 7;
  const auto draw = [&](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  const auto make = [&](std::size_t size, std::size_t letters) {
    std::u32string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char32_t>('a' + draw(letters));
    return text;
  };
  for (int round = 0; round < 400; ++round) {
    const std::size_t letters = 1 + draw(5);
    const bool is_long = round % 100 == 99;
    const std::u32string pattern = make(1 + draw(round < 300 ? 8 : 90), letters);
    const std::u32string text = is_long ? make(66'000 + draw(50), letters + 3) : make(1 + draw(90), letters);
    const Result<Alignment> fast = Align(pattern, text);
    const Alignment plain = PlainAlignment(pattern, text);
    REQUIRE(fast.has_value());
    REQUIRE(fast->matched == plain.matched);
    REQUIRE(fast->places == plain.places);
  }
  CHECK_FALSE(Align(std::u32string(1000, 'a'), std::u32string(1'000'000, 'a')).has_value());
}

TEST_CASE("words of ROUGE: ASCII letters of the lower-case text") {
  const RougeWords words("Na\xc3\xafve_K2 \xe2\x84\xaa\xc4\xb0x\n \n-Tail");
  std::vector<std::string> found;
  for (std::size_t i = 0; i < words.size(); ++i) found.emplace_back(words.word(i));
  CHECK(found == std::vector<std::string>{"na", "ve", "k2", "ki", "x", "tail"});
  CHECK(words.sentences() == std::vector<std::uint32_t>{0, 5});
}

TEST_CASE("sentences of more than 64 words cross the words of the bit vectors") {
  std::string reference;
  std::string answer;
  for (int i = 0; i < 200; ++i) {
    reference += "w" + std::to_string(i) + " ";
    if (i % 3 != 0) answer += "w" + std::to_string(i) + " ";
  }
  const RougeScores scores = RougeReference(reference).Score(RougeWords(answer));
  for (const std::size_t i : {0u, 2u, 3u}) {
    CHECK(scores[i].precision == 1);
    CHECK(scores[i].recall == 133.0 / 200);
  }
}

}  // namespace
}  // namespace assay
