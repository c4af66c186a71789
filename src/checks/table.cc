// The checks: one row each, in the order of `assay list checks`.
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

constexpr bool kOffered = true;

// clang-format off
constexpr CheckRow kRows[] = {
    {"judge", {}, "models judge how far the answer meets a criterion in words", "- Names the capital of France",
     ParseJudge, nullptr, nullptr, NextJudge, RequestRole::kJudge, {}, PartiesOfJudge},

    {"contains", kAka<"contain">, "the answer contains the text", "$contains: Paris", One<kContains>, GradeOne},
    {"icontains", kAka<"icontain">, "contains, in any letter case", "$icontains: paris", One<kIcontains>, GradeOne},
    {"contains_any_of", {}, "contains one of the texts", "$contains_any_of: [Paris, Lyon]",
     Several<kContains>, GradeAny},
    {"icontains_any_of", kAka<"icontain_any_of">, "contains one of the texts, in any letter case",
     "$icontains_any_of: [paris, lyon]", Several<kIcontains>, GradeAny},
    {"contains_all_of", kAka<"contain_all_of">, "the share of the texts that it contains",
     "$contains_all_of: [Paris, Lyon]", Several<kContains>, GradeAll},
    {"icontains_all_of", kAka<"icontain_all_of">, "the share of the texts that it contains, in any letter case",
     "$icontains_all_of: [paris, lyon]", Several<kIcontains>, GradeAll},
    {"contains_at_least_n_of", kAka<"contain_at_least_n_of">, "texts that it contains over n, at most 1",
     "$contains_at_least_n_of: [2, [Paris, Lyon, Nice]]", Counted<kContains>, GradeAtLeast},
    {"icontains_at_least_n_of", kAka<"icontain_at_least_n_of">,
     "texts that it contains in any letter case over n, at most 1",
     "$icontains_at_least_n_of: [2, [paris, lyon, nice]]", Counted<kIcontains>, GradeAtLeast},
    {"contains_word", kAka<"contain_word">, "contains the text as a word of its own", "$contains_word: art",
     One<kContainsWord>, GradeOne},
    {"icontains_word", kAka<"icontain_word">, "contains the text as a word, in any letter case",
     "$icontains_word: Art", One<kIcontainsWord>, GradeOne},
    {"starts_with", {}, "starts with the text", "$starts_with: Dear", One<kStartsWith>, GradeOne},
    {"istarts_with", kAka<"istart_with">, "starts with the text, in any letter case", "$istarts_with: dear",
     One<kIstartsWith>, GradeOne},
    {"ends_with", {}, "ends with the text", "$ends_with: '.'", One<kEndsWith>, GradeOne},
    {"iends_with", kAka<"iend_with">, "ends with the text, in any letter case", "$iends_with: amen",
     One<kIendsWith>, GradeOne},

    {"matches", kAka<"match">, "matches the JavaScript regular expression somewhere", "$matches: '\\d{4}'",
     One<kMatches>, GradeOne},
    {"imatches", kAka<"imatch">, "matches, in any letter case", "$imatches: 'col(o|ou)r'", One<kImatches>, GradeOne},
    {"matches_all_of", kAka<"match_all_of">, "the share of the expressions that match",
     "$matches_all_of: ['^A', 'z$']", Several<kMatches>, GradeAll},
    {"imatch_all_of", {}, "the share of the expressions that match, in any letter case",
     "$imatch_all_of: ['^a', 'z$']", Several<kImatches>, GradeAll},
    {"matches_at_least_n_of", kAka<"match_at_least_n_of">, "expressions that match over n, at most 1",
     "$matches_at_least_n_of: [1, ['^A', 'z$']]", Counted<kMatches>, GradeAtLeast},
    {"imatch_at_least_n_of", {}, "expressions that match in any letter case over n, at most 1",
     "$imatch_at_least_n_of: [1, ['^a', 'z$']]", Counted<kImatches>, GradeAtLeast},

    {"not_contains", kAka<"not_contain">, "does not contain the text", "$not_contains: sorry", One<kContains>,
     Not<GradeOne>},
    {"not_icontains", kAka<"not_icontain">, "does not contain the text, in any letter case",
     "$not_icontains: sorry", One<kIcontains>, Not<GradeOne>},
    {"not_contains_any_of", kAka<"not_contain_any_of">, "contains none of the texts",
     "$not_contains_any_of: [sorry, cannot]", Several<kContains>, Not<GradeAny>},
    {"not_icontains_any_of", kAka<"not_icontain_any_of">, "contains none of the texts, in any letter case",
     "$not_icontains_any_of: [sorry, cannot]", Several<kIcontains>, Not<GradeAny>},
    {"not_contains_all_of", kAka<"not_contain_all_of">, "the share of the texts that it does not contain",
     "$not_contains_all_of: [sorry, cannot]", Several<kContains>, Not<GradeAll>},
    {"not_icontains_all_of", kAka<"not_icontain_all_of">,
     "the share of the texts that it does not contain, in any letter case", "$not_icontains_all_of: [sorry, cannot]",
     Several<kIcontains>, Not<GradeAll>},
    {"not_contains_word", kAka<"not_contain_word">, "does not contain the text as a word of its own",
     "$not_contains_word: art", One<kContainsWord>, Not<GradeOne>},
    {"not_icontains_word", kAka<"not_icontain_word">, "does not contain the text as a word, in any letter case",
     "$not_icontains_word: art", One<kIcontainsWord>, Not<GradeOne>},
    {"not_matches", kAka<"not_match">, "the expression matches nowhere", "$not_matches: '\\d'", One<kMatches>,
     Not<GradeOne>},
    {"not_imatches", kAka<"not_imatch">, "the expression matches nowhere, in any letter case",
     "$not_imatches: 'as an ai'", One<kImatches>, Not<GradeOne>},
    {"not_starts_with", kAka<"not_start_with">, "does not start with the text", "$not_starts_with: Sure",
     One<kStartsWith>, Not<GradeOne>},
    {"not_istarts_with", kAka<"not_istart_with">, "does not start with the text, in any letter case",
     "$not_istarts_with: sure", One<kIstartsWith>, Not<GradeOne>},
    {"not_ends_with", kAka<"not_end_with">, "does not end with the text", "$not_ends_with: '?'", One<kEndsWith>,
     Not<GradeOne>},
    {"not_iends_with", kAka<"not_iend_with">, "does not end with the text, in any letter case",
     "$not_iends_with: thanks", One<kIendsWith>, Not<GradeOne>},

    {"is_json", {}, "the whole answer is a JSON object or array", "- $is_json", ParseIsJson, GradeIsJson},
    {"word_count_between", {}, "the number of words lies in the range; less the further off",
     "$word_count_between: [50, 100]", ParseWordCount, GradeWordCount},
    {"js", kAka<"expr">, "what a JavaScript snippet says: true, false, a number, {score, explain}",
     "$js: r.length < 500", ParseJs, GradeJs},

    {"tool_called", {}, "some TOOL_CALL line names the tool", "$tool_called: search", ParseToolCalled,
     GradeToolCalled},
    {"tool_args_match", {}, "some call of the tool has arguments that `where` accepts",
     "$tool_args_match: {name: search, where: {q: Paris}}", ParseToolArgsMatch, GradeToolArgsMatch},
    {"tool_call_count_between", {}, "the number of calls (of the tool) lies in the range",
     "$tool_call_count_between: [1, 3, search]", ParseToolCallCount, GradeToolCallCount},
    {"tool_call_order", {}, "the tools are called in this order", "$tool_call_order: [search, answer]",
     ParseToolCallOrder, GradeToolCallOrder},

    {"call", kAka<"external">, "the score that a service of your own gives the answer",
     "$call: {url: 'https://grader.example/score'}", ParseCall, GradeCall, RequestsOfCall, NextCall},
    {"factcheck", {}, "the score that a fact-checking service gives the answer", "$factcheck: dates and places",
     ParseFactcheck, GradeFactcheck, RequestsOfFactcheck, NextFactcheck},

    {"keywords", {}, "texts and patterns that the answer has, by weight",
     "keywords: [recv, {content: {or: [select, poll]}, weight: 2}]", ParseKeywords, GradeKeywords,
     RequestsOfKeywords, NextKeywords, RequestRole::kProgram, kOffered},
    {"blank_filling", {}, "what stands in the blanks of a template that the answer follows",
     "blank_filling: {template: 'use [blank] here', targets: [map]}", ParseBlankFilling, GradeBlankFilling,
     RequestsOfBlankFilling, NextBlankFilling, RequestRole::kProgram, kOffered},
    {"unit_test", {}, "programs made of the answer's code and tests end well",
     "unit_test: {lang: python, tests: ['assert f(2) == 4']}", ParseUnitTest, GradeUnitTest, CountUnitTests,
     NextUnitTest, RequestRole::kProgram, kOffered},
    {"similarity", {}, "how near the answer comes to reference texts, by ROUGE",
     "similarity: [{metric: rougeL, references: ['Use a lock.']}]", ParseSimilarity, GradeSimilarity,
     nullptr, nullptr, RequestRole::kService, kOffered},
    {"customized", {}, "what a Python function of the suite says",
     "customized: {module: graders, func: grade, real_metric_type: keywords}", ParseCustomized, GradeCustomized,
     RequestsOfCustomized, NextCustomized, RequestRole::kProgram, kOffered},

    {"expected_contains", {}, "the answer contains the text, letter by letter",
     "expected: {type: contains, text: Paris}",
     ParseExpectedText, GradeExpected, nullptr, nullptr, RequestRole::kService, kOffered},
    {"expected_regex", {}, "Python's re.search finds the pattern in the answer",
     "expected: {type: regex, pattern: 'Par[iy]s'}", ParseExpectedPattern, GradeExpected, nullptr, nullptr,
     RequestRole::kService, kOffered},
    {"expected_numeric", {}, "a number of the answer is the one that is wanted, or near it",
     "expected: {type: numeric, value: 3.5, tolerance: 0.1}", ParseExpectedNumber, GradeExpectedNumber, nullptr,
     nullptr, RequestRole::kService, kOffered},
    {"expected_citation", {}, "the answer quotes words of the named document, blanks and hyphenation folded",
     "expected: {type: citation, doc: handbook, words: 6}", ParseExpectedCitation, GradeExpectedCitation,
     RequestsOfCitation, NextExpectedCitation, RequestRole::kTool, kOffered},
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
