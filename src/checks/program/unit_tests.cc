// Runs the program that an answer's code and each test make together: `unit_test: {lang?, tests: [...]}` of
// InfiBench, `$unit_test` with `lang` in it elsewhere. A test is a text, or {content, prefix, prefix_text,
// cleanup_text, weight, timeout, only_longest, only_lang}; what stands in files was put in by the reader.
//   passed  the program ends with status 0; by --strict it must also prove that it came to its end
//   score   the weights of the tests that passed, of all weights; with `total`, their share of that
//   items   a test each: its program and what came of it, which the format's files word
//   source  InfiBench's evaluator (spec infibench 7); known deviations: output that is no UTF-8 fails
//           nothing, the launcher has mended it; a time-out is told alike in all languages
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "base/wire/sandbox_words.h"
#include "checks/args.h"
#include "checks/code/code_blocks.h"
#include "checks/graders.h"
#include "checks/limits.h"
#include "checks/program/program.h"
#include "spec/exchange/exchange.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "text/found.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

constexpr std::string_view kCleanupFile = "assay_cleanup.py";

struct UnitTest {
  std::string name = {};         // for people
  std::string prefix = {};       // before the answer
  std::string prefix_text = {};  // before its code
  std::string test = {};
  std::string cleanup = {};  // Python; "" for none
  double weight = 1;
  std::chrono::milliseconds timeout{0};
  FencedCode which = FencedCode::kAll;
};

struct UnitTests {
  const LanguageRow* language = nullptr;
  std::vector<UnitTest> tests = {};
  std::string toolchain_digest = {};
  std::string missing = {};              // why no program can run; "" if it can
  std::vector<std::string> absent = {};  // packages that programs do without
  ProgramRules rules;
  // An extraction gives the code: it is taken as it stands, and no fence is looked for.
  bool is_extracted = false;
  std::optional<double> shared_max = {};  // `total`: what all tests give together; nothing: their weights

  double Total() const {
    double total = 0;
    for (const UnitTest& test : tests) total += test.weight;
    return total;
  }
};

// --- arguments ---

bool IsTrueInPython(const Value& value) {
  if (value.is_list()) return !value.AsList().empty();
  if (value.is_map()) return !value.AsMap().empty();
  if (value.is_number()) return value.AsNumber() != 0;
  return value.Truthy();
}

// A member that has to be a text if it is there. What is wrong is added to `problem`.
std::string TextMember(const Value& map, std::string_view name, std::string& problem) {
  if (const std::string* text = FindText(map, name)) return *text;
  if (const Value* other = map.Find(name))
    problem = fmt::format("`{}` of a test is {}; expected a text", name, KindName(*other));
  return {};
}

double NumberMember(const Value& map, std::string_view name, double otherwise, std::string& problem) {
  if (const std::optional<bool> truth = map.BoolAt(name)) return *truth ? 1 : 0;
  if (const auto number = map.NumberAt(name); number && std::isfinite(*number)) return *number;
  if (const Value* other = map.Find(name))
    problem = fmt::format("`{}` of a test is {}; expected a number", name, KindName(*other));
  return otherwise;
}

// Its file, or the first line of its text.
std::string NameOfTest(const Value& value) {
  constexpr std::size_t kNameBytesMax = 120;
  const Value* given = &value;
  for (const std::string_view key : {"path", "content"}) {
    const Value* member = value.Find(key);
    if (member == nullptr || !member->is_string()) continue;
    given = member;
    break;
  }
  std::string name(given->is_string() ? given->AsString() : "test");
  name.erase(0, std::min(name.find_first_not_of(" \t\n"), name.size()));
  name.resize(std::min(name.find('\n'), name.size()));
  return std::string(CutToBytes(name, kNameBytesMax));
}

// The format's own tool does not know `only_lang`.
UnitTest ReadTest(const Value& value, const LanguageRow& language, const ProgramRules& rules,
                  std::string& problem) {
  UnitTest test{.name = NameOfTest(value), .timeout = language.timeout};
  if (value.is_string()) {
    test.test = value.AsString();
    return test;
  }
  if (!value.is_map()) {
    problem = fmt::format("a test is {}; expected a text or a map", KindName(value));
    return test;
  }
  if (const std::string* unread = FindText(value, "problem")) {
    problem = *unread;
    return test;
  }
  if (value.Find("content") == nullptr) problem = "a test has neither `path` nor `content`";
  test.test = TextMember(value, "content", problem);
  test.prefix = TextMember(value, "prefix", problem);
  test.prefix_text = TextMember(value, "prefix_text", problem);
  test.cleanup = TextMember(value, "cleanup_text", problem);
  test.weight = NumberMember(value, "weight", 1, problem);
  const double most_s = std::chrono::duration<double>(limits::kProgramWallMax).count();
  const double timeout_s =
      NumberMember(value, "timeout", std::chrono::duration<double>(language.timeout).count(), problem);
  const double within_s = std::clamp(timeout_s, 0.001, most_s);
  test.timeout = std::chrono::milliseconds(std::llround(within_s * 1000));
  const Value* only_longest = value.Find("only_longest");
  const Value* only_lang = value.Find("only_lang");
  const bool is_longest = only_longest != nullptr && IsTrueInPython(*only_longest);
  if (only_lang != nullptr && IsTrueInPython(*only_lang) && !rules.only_original_languages) {
    test.which = is_longest ? FencedCode::kLongestOfLanguage : FencedCode::kOfLanguage;
  } else if (is_longest) {
    test.which = FencedCode::kOnlyLongest;
  }
  return test;
}

std::string UnknownLanguage(const Value& lang, const ProgramRules& rules) {
  if (!lang.is_string())
    return fmt::format("`lang` is {}; expected the name of a language",
                       lang.is_undefined() ? "absent" : KindName(lang));
  if (rules.only_original_languages && FindLanguage(lang.AsString(), {}) != nullptr)
    return fmt::format("programs in {} are not run like the format's own tool; leave out --compat",
                       Quoted(lang.AsString()));
  const std::string_view near = DidYouMean(lang.AsString(), LanguageNames());
  return fmt::format("programs in {} cannot be run; {}", Quoted(lang.AsString()),
                     near.empty() ? "`assay list languages` names those that can"
                                  : fmt::format("did you mean \"{}\"?", near));
}

void FindToolchain(const ParseInput& input, UnitTests& tests) {
  const auto found =
      std::find_if(input.toolchains.begin(), input.toolchains.end(),
                   [&](const Toolchain& toolchain) { return toolchain.language == tests.language->name; });
  if (found == input.toolchains.end()) {
    tests.missing = "nobody looked for it";
  } else {
    tests.missing = found->missing;
    tests.toolchain_digest = found->digest;
    if (!tests.rules.missing_fails) tests.absent = found->absent;
  }
}

// --- programs ---

// Where replies may be shared; "" for everywhere.
std::string ScopeOf(const AskInput& input, const UnitTests& tests, std::size_t position) {
  if (tests.rules.memo) return {};
  return fmt::format("{}\n{}\n{}\n{}\n{}", input.grade.the_case.id, input.grade.variant_id, input.tag.attempt,
                     input.tag.check, position);
}

// What the code is taken from.
std::string PrefixedAnswer(const UnitTest& test, std::string_view answer) {
  return test.prefix + "\n" + std::string(answer);
}

// Without the language's header.
std::string BodyOf(const UnitTests& tests, const UnitTest& test, std::string_view answer) {
  const std::string given = PrefixedAnswer(test, answer);
  if (tests.is_extracted) return test.prefix_text + "\n" + given;
  std::string code = ExtractCode(*tests.language, given, test.which);
  // The rule for bare code continues a function that the prompt begins: it leaves nothing of a whole one.
  if (tests.shared_max && JsTrim(code).empty()) code = given;
  return test.prefix_text + "\n" + code;
}

std::string ProgramOf(const UnitTests& tests, const UnitTest& test, std::string_view answer) {
  return tests.language->assemble(HeaderWithout(*tests.language, tests.absent), BodyOf(tests, test, answer));
}

// The program as results show it, with all that the format puts before it, so that files do not differ by
// machine: the evaluator leaves the test out, the harness does not.
std::string ShownProgram(const UnitTests& tests, const UnitTest& test, std::string_view answer) {
  std::string program = tests.language->assemble(tests.language->header, BodyOf(tests, test, answer));
  return tests.rules.shows_tests ? program + "\n" + test.test : program;
}

ProcessRequest RequestOf(const UnitTests& tests, const UnitTest& test, std::string_view answer) {
  const LanguageRow& language = *tests.language;
  ProcessRequest request =
      ProgramRequest(language, ProgramOf(tests, test, answer) + "\n" + test.test, test.timeout, tests.absent);
  request.toolchain_digest = tests.toolchain_digest;
  if (test.cleanup.empty()) return request;
  request.files.push_back({std::string(kCleanupFile), test.cleanup});
  request.after_argv = {"python3", std::string(kCleanupFile)};
  request.after_limits = request.limits;
  request.after_limits.wall = limits::kCleanupWall;
  request.after_limits.cpu = limits::kCleanupWall;
  return request;
}

// --- outcomes ---

struct TestOutcome {
  bool passed = false;
  bool suspicious = false;  // status 0 without proof of the end
  bool refused = false;     // it failed, and the sandbox had refused it something
  std::string text;
  std::string remark;                        // for people; "" if there is nothing to say
  const InjectedPackage* lacking = nullptr;  // it failed for want of a package that this machine is to have
};

TestOutcome OutcomeOf(const UnitTests& tests, const ProcessReply& reply) {
  const bool exited_well = ExitedWell(reply);
  TestOutcome outcome;
  outcome.suspicious = exited_well && !reply.reached_end.value_or(true);
  outcome.passed = exited_well && !(tests.rules.strict && outcome.suspicious);
  outcome.text = ProgramResultText(*tests.language, reply);
  if (!exited_well) outcome.lacking = MissingPackage(*tests.language, tests.absent, outcome.text);
  if (outcome.suspicious) {
    outcome.remark = "suspicious: it ended with status 0, but not at its end";
    if (!outcome.passed) outcome.text = "failed: ended with status 0 before its end";
  } else if (!reply.limit.empty()) {
    outcome.remark = fmt::format("ended by the limit of {}", reply.limit);
  }
  if (const std::string_view refused = RefusedBySandbox(reply.sandbox); !refused.empty() && !outcome.passed) {
    outcome.refused = true;
    outcome.remark +=
        fmt::format("{}failed after it had asked for {}, which this level of the sandbox refuses",
                    outcome.remark.empty() ? "" : "; ", refused);
  }
  if (reply.after_exit_code.value_or(0) != 0) {
    outcome.remark += fmt::format("{}cleanup ended with status {}", outcome.remark.empty() ? "" : "; ",
                                  *reply.after_exit_code);
  }
  return outcome;
}

// Where all tests together give so much, each gives its share of that.
void ShareOut(const UnitTests& tests, Score& score) {
  score.max = tests.Total();
  if (!tests.shared_max) return;
  const double factor = score.max > 0 ? *tests.shared_max / score.max : 0;
  score.value *= factor;
  score.max = *tests.shared_max;
  for (ScoreItem& item : score.items) {
    item.points *= factor;
    item.weight *= factor;
  }
}

Score ScoreOf(const UnitTests& tests, std::string_view answer, const std::vector<TestOutcome>& outcomes) {
  Score score = Score::Of(0);
  std::size_t suspicious = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const UnitTest& test = tests.tests[i];
    const TestOutcome& outcome = outcomes[i];
    if (outcome.passed) score.value += test.weight;
    suspicious += outcome.suspicious ? 1 : 0;
    refused += outcome.refused ? 1 : 0;
    std::string remark = outcome.remark;
    if (!outcome.passed && !tests.is_extracted) {
      const std::string taken = TakenWords(*tests.language, PrefixedAnswer(test, answer), test.which);
      if (!taken.empty()) remark += (remark.empty() ? "" : "; ") + taken;
    }
    score.items.push_back({.wanted = test.name,
                           .found = outcome.text,
                           .sentence = std::move(remark),
                           .share = outcome.passed ? 1.0 : 0.0,
                           .points = outcome.passed ? test.weight : 0,
                           .weight = test.weight,
                           .program = ShownProgram(tests, test, answer)});
  }
  ShareOut(tests, score);
  if (!tests.tests.empty() && !tests.is_extracted) {
    const UnitTest& first = tests.tests.front();
    score.block =
        BlockOf(*tests.language, PrefixedAnswer(first, answer), first.which, first.prefix.size() + 1);
  }
  if (suspicious > 0) {
    score.explanation = fmt::format("suspicious: {} of {} programs ended with status 0 before their end",
                                    suspicious, outcomes.size());
  }
  if (refused > 0) {
    score.explanation +=
        fmt::format("{}refused: {} of {} programs failed after asking for what the sandbox forbids",
                    score.explanation.empty() ? "" : "; ", refused, outcomes.size());
  }
  return score;
}

Score ScoreReplies(const UnitTests& tests, const AskInput& input) {
  std::vector<TestOutcome> outcomes;
  const InjectedPackage* lacking = nullptr;
  for (const Exchange& exchange : input.so_far) {
    if (exchange.error) return Score::Missing(exchange.error->message);
    const auto* reply = std::get_if<ProcessReply>(&exchange.reply);
    if (reply == nullptr) return Score::Missing("what answered was no program");
    outcomes.push_back(OutcomeOf(tests, *reply));
    if (outcomes.back().lacking != nullptr) lacking = outcomes.back().lacking;
  }
  if (lacking != nullptr) return Score::Failure(MissingPackageError(*lacking));
  return ScoreOf(tests, input.grade.answer.text(), outcomes);
}

// Without its tools no program runs. The original starts them all the same: a shell reports that it found no
// command, anything else fails the case.
Score ScoreWithoutRuntime(const UnitTests& tests, std::string_view answer) {
  const std::string why = fmt::format("runtime missing: {}: {}", tests.language->name, tests.missing);
  if (!tests.rules.missing_fails || !tests.language->through_shell) return Score::Failure(why);
  const TestOutcome failed{.text = "failed: returncode: 127 stderr: " + why, .remark = why};
  return ScoreOf(tests, answer, std::vector(tests.tests.size(), failed));
}

Score GradeUnrun(const GradeInput& input, const UnitTests& tests, WorkerState&) {
  if (!tests.missing.empty()) return ScoreWithoutRuntime(tests, input.answer.text());
  return ScoreOf(tests, input.answer.text(), {});
}

const ParsedArgs<UnitTests>& ArgsOf(const CheckArgs& args) {
  return *static_cast<const ParsedArgs<UnitTests>*>(args.get());
}

}  // namespace

CheckArgs ParseUnitTest(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const List* list = FindList(args, "tests");
  if (list == nullptr)
    return UnusableArgs<UnitTests>(TellUnexpected(input, "{lang, tests} with a list of tests", diagnostics));
  UnitTests tests{.rules = input.programs};
  const Value* lang = args.Find("lang");
  if (lang == nullptr) lang = args.Find("case_lang");
  const Value none;
  if (lang == nullptr) lang = &none;
  tests.language = LanguageOfTests(args, input.programs);
  tests.shared_max = args.NumberAt("total");
  tests.is_extracted = !input.check.extract->is_undefined();
  std::string told;  // the first problem
  const auto tell = [&](std::string_view problem, Span where) {
    std::string each = TellBroken(input, problem, where, diagnostics);
    if (told.empty()) told = std::move(each);
  };
  const auto place_of = [&](const Value& value) {
    return value.span.file == FileId::kNone ? ArgsSpan(input.check) : value.span;
  };
  if (tests.language == nullptr) tell(UnknownLanguage(*lang, input.programs), place_of(*lang));
  const LanguageRow& language = tests.language == nullptr ? *LanguageTable().front() : *tests.language;
  for (const Value& value : *list) {
    std::string problem;
    tests.tests.push_back(ReadTest(value, language, input.programs, problem));
    if (!problem.empty()) tell(problem, place_of(value));
  }
  if (!told.empty()) return UnusableArgs<UnitTests>(std::move(told));
  FindToolchain(input, tests);
  return MakeArgs(std::move(tests));
}

Score GradeUnitTest(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<UnitTests, GradeUnrun>(input, args, worker);
}

std::uint32_t CountUnitTests(const CheckArgs& args) {
  const ParsedArgs<UnitTests>& parsed = ArgsOf(args);
  const bool runs = parsed.problem.empty() && parsed.value.missing.empty();
  return runs ? static_cast<std::uint32_t>(parsed.value.tests.size()) : 0;
}

Action NextUnitTest(const AskInput& input, const CheckArgs& args) {
  const UnitTests& tests = ArgsOf(args).value;
  if (input.so_far.size() >= tests.tests.size()) return Done{ScoreReplies(tests, input)};
  Need need;
  for (std::size_t i = 0; i < tests.tests.size(); ++i) {
    ProcessRequest request = RequestOf(tests, tests.tests[i], input.grade.answer.text());
    request.scope = ScopeOf(input, tests, i);
    need.requests.push_back({.request = std::move(request), .tag = input.tag});
  }
  return need;
}

}  // namespace assay
