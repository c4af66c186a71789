// The table of checks: one row each, in the order of `assay list checks`; and the look-up by name, with the
// checks that only one dialect offers.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "checks/check.h"
#include "checks/graders.h"
#include "checks/text/text_tests.h"

namespace assay {
namespace {

template <std::size_t size>
struct Literal {
  constexpr Literal(const char (&characters)[size]) { std::copy_n(characters, size, text); }
  char text[size];
};

// The aliases of a row: kAka<"contain">.
template <Literal... names>
constexpr std::array<std::string_view, sizeof...(names)> kAka{std::string_view(names.text)...};

// clang-format off
constexpr CheckRow kRows[] = {
    {.name = "judge", .help = "models judge how far the answer meets a criterion in words",
     .example = "- Names the capital of France", .parse = ParseJudge,
     .asks = Asking{.role = RequestRole::kJudge, .next = NextJudge, .parties = PartiesOfJudge}},

    {.name = "contains", .aliases = kAka<"contain">, .help = "the answer contains the text",
     .example = "$contains: Paris", .parse = One<kContains>, .grade = GradeOne},
    {.name = "icontains", .aliases = kAka<"icontain">, .help = "contains, in any letter case",
     .example = "$icontains: paris", .parse = One<kIcontains>, .grade = GradeOne},
    {.name = "contains_any_of", .help = "contains one of the texts",
     .example = "$contains_any_of: [Paris, Lyon]", .parse = Several<kContains>, .grade = GradeAny},
    {.name = "icontains_any_of", .aliases = kAka<"icontain_any_of">,
     .help = "contains one of the texts, in any letter case",
     .example = "$icontains_any_of: [paris, lyon]", .parse = Several<kIcontains>, .grade = GradeAny},
    {.name = "contains_all_of", .aliases = kAka<"contain_all_of">,
     .help = "the share of the texts that it contains", .example = "$contains_all_of: [Paris, Lyon]",
     .parse = Several<kContains>, .grade = GradeAll},
    {.name = "icontains_all_of", .aliases = kAka<"icontain_all_of">,
     .help = "the share of the texts that it contains, in any letter case",
     .example = "$icontains_all_of: [paris, lyon]", .parse = Several<kIcontains>, .grade = GradeAll},
    {.name = "contains_at_least_n_of", .aliases = kAka<"contain_at_least_n_of">,
     .help = "texts that it contains over n, at most 1",
     .example = "$contains_at_least_n_of: [2, [Paris, Lyon, Nice]]", .parse = Counted<kContains>,
     .grade = GradeAtLeast},
    {.name = "icontains_at_least_n_of", .aliases = kAka<"icontain_at_least_n_of">,
     .help = "texts that it contains in any letter case over n, at most 1",
     .example = "$icontains_at_least_n_of: [2, [paris, lyon, nice]]", .parse = Counted<kIcontains>,
     .grade = GradeAtLeast},
    {.name = "contains_word", .aliases = kAka<"contain_word">,
     .help = "contains the text as a word of its own", .example = "$contains_word: art",
     .parse = One<kContainsWord>, .grade = GradeOne},
    {.name = "icontains_word", .aliases = kAka<"icontain_word">,
     .help = "contains the text as a word, in any letter case", .example = "$icontains_word: Art",
     .parse = One<kIcontainsWord>, .grade = GradeOne},
    {.name = "starts_with", .help = "starts with the text", .example = "$starts_with: Dear",
     .parse = One<kStartsWith>, .grade = GradeOne},
    {.name = "istarts_with", .aliases = kAka<"istart_with">,
     .help = "starts with the text, in any letter case", .example = "$istarts_with: dear",
     .parse = One<kIstartsWith>, .grade = GradeOne},
    {.name = "ends_with", .help = "ends with the text", .example = "$ends_with: '.'",
     .parse = One<kEndsWith>, .grade = GradeOne},
    {.name = "iends_with", .aliases = kAka<"iend_with">, .help = "ends with the text, in any letter case",
     .example = "$iends_with: amen", .parse = One<kIendsWith>, .grade = GradeOne},

    {.name = "matches", .aliases = kAka<"match">,
     .help = "matches the JavaScript regular expression somewhere", .example = "$matches: '\\d{4}'",
     .parse = One<kMatches>, .grade = GradeOne},
    {.name = "imatches", .aliases = kAka<"imatch">, .help = "matches, in any letter case",
     .example = "$imatches: 'col(o|ou)r'", .parse = One<kImatches>, .grade = GradeOne},
    {.name = "matches_all_of", .aliases = kAka<"match_all_of">,
     .help = "the share of the expressions that match", .example = "$matches_all_of: ['^A', 'z$']",
     .parse = Several<kMatches>, .grade = GradeAll},
    {.name = "imatch_all_of", .help = "the share of the expressions that match, in any letter case",
     .example = "$imatch_all_of: ['^a', 'z$']", .parse = Several<kImatches>, .grade = GradeAll},
    {.name = "matches_at_least_n_of", .aliases = kAka<"match_at_least_n_of">,
     .help = "expressions that match over n, at most 1",
     .example = "$matches_at_least_n_of: [1, ['^A', 'z$']]", .parse = Counted<kMatches>,
     .grade = GradeAtLeast},
    {.name = "imatch_at_least_n_of", .help = "expressions that match in any letter case over n, at most 1",
     .example = "$imatch_at_least_n_of: [1, ['^a', 'z$']]", .parse = Counted<kImatches>,
     .grade = GradeAtLeast},

    {.name = "not_contains", .aliases = kAka<"not_contain">, .help = "does not contain the text",
     .example = "$not_contains: sorry", .parse = One<kContains>, .grade = Not<GradeOne>},
    {.name = "not_icontains", .aliases = kAka<"not_icontain">,
     .help = "does not contain the text, in any letter case", .example = "$not_icontains: sorry",
     .parse = One<kIcontains>, .grade = Not<GradeOne>},
    {.name = "not_contains_any_of", .aliases = kAka<"not_contain_any_of">,
     .help = "contains none of the texts", .example = "$not_contains_any_of: [sorry, cannot]",
     .parse = Several<kContains>, .grade = Not<GradeAny>},
    {.name = "not_icontains_any_of", .aliases = kAka<"not_icontain_any_of">,
     .help = "contains none of the texts, in any letter case",
     .example = "$not_icontains_any_of: [sorry, cannot]", .parse = Several<kIcontains>,
     .grade = Not<GradeAny>},
    {.name = "not_contains_all_of", .aliases = kAka<"not_contain_all_of">,
     .help = "the share of the texts that it does not contain",
     .example = "$not_contains_all_of: [sorry, cannot]", .parse = Several<kContains>,
     .grade = Not<GradeAll>},
    {.name = "not_icontains_all_of", .aliases = kAka<"not_icontain_all_of">,
     .help = "the share of the texts that it does not contain, in any letter case",
     .example = "$not_icontains_all_of: [sorry, cannot]", .parse = Several<kIcontains>,
     .grade = Not<GradeAll>},
    {.name = "not_contains_word", .aliases = kAka<"not_contain_word">,
     .help = "does not contain the text as a word of its own", .example = "$not_contains_word: art",
     .parse = One<kContainsWord>, .grade = Not<GradeOne>},
    {.name = "not_icontains_word", .aliases = kAka<"not_icontain_word">,
     .help = "does not contain the text as a word, in any letter case",
     .example = "$not_icontains_word: art", .parse = One<kIcontainsWord>, .grade = Not<GradeOne>},
    {.name = "not_matches", .aliases = kAka<"not_match">, .help = "the expression matches nowhere",
     .example = "$not_matches: '\\d'", .parse = One<kMatches>, .grade = Not<GradeOne>},
    {.name = "not_imatches", .aliases = kAka<"not_imatch">,
     .help = "the expression matches nowhere, in any letter case", .example = "$not_imatches: 'as an ai'",
     .parse = One<kImatches>, .grade = Not<GradeOne>},
    {.name = "not_starts_with", .aliases = kAka<"not_start_with">, .help = "does not start with the text",
     .example = "$not_starts_with: Sure", .parse = One<kStartsWith>, .grade = Not<GradeOne>},
    {.name = "not_istarts_with", .aliases = kAka<"not_istart_with">,
     .help = "does not start with the text, in any letter case", .example = "$not_istarts_with: sure",
     .parse = One<kIstartsWith>, .grade = Not<GradeOne>},
    {.name = "not_ends_with", .aliases = kAka<"not_end_with">, .help = "does not end with the text",
     .example = "$not_ends_with: '?'", .parse = One<kEndsWith>, .grade = Not<GradeOne>},
    {.name = "not_iends_with", .aliases = kAka<"not_iend_with">,
     .help = "does not end with the text, in any letter case", .example = "$not_iends_with: thanks",
     .parse = One<kIendsWith>, .grade = Not<GradeOne>},

    {.name = "is_json", .help = "the whole answer is a JSON object or array", .example = "- $is_json",
     .parse = ParseIsJson, .grade = GradeIsJson},
    {.name = "matches_schema",
     .help = "the whole answer is JSON that follows a JSON Schema; true: the prompt's response_format",
     .example = "$matches_schema: {type: object, required: [city]}", .parse = ParseMatchesSchema,
     .grade = GradeMatchesSchema},
    {.name = "word_count_between",
     .help = "the number of words is in the range; the further off, the lower the score",
     .example = "$word_count_between: [50, 100]", .parse = ParseWordCount, .grade = GradeWordCount},
    {.name = "js", .aliases = kAka<"expr">,
     .help = "the result of a JavaScript snippet: true, false, a number, {score, explain}",
     .example = "$js: r.length < 500", .parse = ParseJs, .grade = GradeJs},

    {.name = "tool_called", .help = "a TOOL_CALL line names the tool",
     .example = "$tool_called: search", .parse = ParseToolCalled, .grade = GradeToolCalled},
    {.name = "tool_args_match", .help = "a call of the tool has arguments that `where` accepts",
     .example = "$tool_args_match: {name: search, where: {q: Paris}}", .parse = ParseToolArgsMatch,
     .grade = GradeToolArgsMatch},
    {.name = "tool_call_count_between", .help = "the number of calls (of the tool) is in the range",
     .example = "$tool_call_count_between: [1, 3, search]", .parse = ParseToolCallCount,
     .grade = GradeToolCallCount},
    {.name = "tool_call_order", .help = "the tools are called in this order",
     .example = "$tool_call_order: [search, answer]", .parse = ParseToolCallOrder,
     .grade = GradeToolCallOrder},

    {.name = "call", .aliases = kAka<"external">,
     .help = "the score that a service of your own gives the answer",
     .example = "$call: {url: 'https://grader.example/score'}", .parse = ParseCall, .grade = GradeCall,
     .asks = Asking{.role = RequestRole::kService, .most_requests = RequestsOfCall, .next = NextCall}},
    {.name = "factcheck", .help = "the score that a fact-checking service gives the answer",
     .example = "$factcheck: dates and places", .parse = ParseFactcheck, .grade = GradeFactcheck,
     .asks = Asking{.role = RequestRole::kService, .most_requests = RequestsOfFactcheck,
     .next = NextFactcheck}},

    {.name = "keywords", .help = "texts and patterns that the answer contains, by weight",
     .example = "keywords: [recv, {content: {or: [select, poll]}, weight: 2}]", .parse = ParseKeywords,
     .grade = PythonRow<Keywords>::Grade, .is_offered = true, .asks = Asking{.role = RequestRole::kProgram,
     .most_requests = PythonRow<Keywords>::MostRequests, .next = PythonRow<Keywords>::Next}},
    {.name = "blank_filling", .help = "the text in the blanks of a template that the answer follows",
     .example = "blank_filling: {template: 'use [blank] here', targets: [map]}",
     .parse = ParseBlankFilling, .grade = PythonRow<Blanks>::Grade, .is_offered = true,
     .asks = Asking{.role = RequestRole::kProgram, .most_requests = PythonRow<Blanks>::MostRequests,
     .next = PythonRow<Blanks>::Next}},
    {.name = "unit_test", .help = "programs made of the answer's code and tests succeed",
     .example = "unit_test: {lang: python, tests: ['assert f(2) == 4']}", .parse = ParseUnitTest,
     .grade = GradeUnitTest, .is_offered = true, .asks = Asking{.role = RequestRole::kProgram,
     .most_requests = CountUnitTests, .next = NextUnitTest}},
    {.name = "similarity", .help = "how similar the answer is to reference texts, by ROUGE",
     .example = "similarity: [{metric: rougeL, references: ['Use a lock.']}]", .parse = ParseSimilarity,
     .grade = GradeSimilarity, .is_offered = true},
    {.name = "customized", .help = "the result of a Python function of the suite",
     .example = "customized: {module: graders, func: grade, real_metric_type: keywords}",
     .parse = ParseCustomized, .grade = PythonRow<Customized>::Grade, .is_offered = true,
     .asks = Asking{.role = RequestRole::kProgram, .most_requests = PythonRow<Customized>::MostRequests,
     .next = PythonRow<Customized>::Next}},

    {.name = "expected_contains", .help = "the answer contains the text, letter by letter",
     .example = "expected: {type: contains, text: Paris}", .parse = ParseExpectedText,
     .grade = GradeExpected, .is_offered = true},
    {.name = "expected_regex", .help = "Python's re.search finds the pattern in the answer",
     .example = "expected: {type: regex, pattern: 'Par[iy]s'}", .parse = ParseExpectedPattern,
     .grade = GradeExpected, .is_offered = true},
    {.name = "expected_numeric", .help = "a number in the answer equals the expected one, or is close to it",
     .example = "expected: {type: numeric, value: 3.5, tolerance: 0.1}", .parse = ParseExpectedNumber,
     .grade = GradeExpectedNumber, .is_offered = true},
    {.name = "expected_citation",
     .help = "the answer quotes words of the named document; spaces and hyphens may differ",
     .example = "expected: {type: citation, doc: handbook, words: 6}", .parse = ParseExpectedCitation,
     .grade = GradeExpectedCitation, .is_offered = true, .asks = Asking{.role = RequestRole::kTool,
     .most_requests = RequestsOfCitation, .next = NextExpectedCitation}},
};
// clang-format on

bool MayName(const std::vector<std::string>& offered, const CheckRow& row) {
  return !row.is_offered || std::find(offered.begin(), offered.end(), row.name) != offered.end();
}

}  // namespace

std::span<const CheckRow> CheckTable() { return kRows; }

const CheckRow* FindCheck(std::string_view name, const std::vector<std::string>& offered) {
  const auto found = std::find_if(std::begin(kRows), std::end(kRows), [&](const CheckRow& row) {
    return MayName(offered, row) &&
           (row.name == name || std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end());
  });
  return found == std::end(kRows) ? nullptr : found;
}

std::vector<std::string_view> CheckNames(const std::vector<std::string>& offered) {
  std::vector<std::string_view> names;
  for (const CheckRow& row : kRows) {
    if (!MayName(offered, row)) continue;
    names.push_back(row.name);
    names.insert(names.end(), row.aliases.begin(), row.aliases.end());
  }
  return names;
}

}  // namespace assay
