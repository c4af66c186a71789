// The tables of keys of InfiBench suites and cases.
#include "dialects/infibench/keys.h"

#include "base/limits.h"

namespace assay::infibench {

namespace {

constexpr ValueShape kText{.kinds = ValueShape::kText};
constexpr ValueShape kTextOrNull{.kinds = ValueShape::kText | ValueShape::kNull};
constexpr ValueShape kNumber{.kinds = ValueShape::kNumber};
constexpr ValueShape kNumberOrNull{.kinds = ValueShape::kNumber | ValueShape::kNull};
constexpr ValueShape kTruth{.kinds = ValueShape::kTruth};
constexpr ValueShape kCount{
    .kinds = ValueShape::kWhole | ValueShape::kNull, .least = 1, .most = limits::kAttemptsMax * 1000.0};

// --- keywords ---

constexpr std::string_view kOnRule = "it counts on the rule itself, beside its outermost `content`";
constexpr std::string_view kOnTarget = "it counts on the target, beside `content`";
constexpr std::string_view kRegexHelp = "true: the text is a regular expression of Python.";
constexpr std::string_view kCondHelp =
    "An expression of Python, such as len(match[0]) > 3, that has to hold.";
constexpr std::string_view kLowerHelp = "true: letter case does not count.";
constexpr std::string_view kWeightHelp = "The weight; the default is 1.";
constexpr std::string_view kHandlerHelp = "A Python function that changes the score: {module, func}.";

constexpr KeyRow kHandlerKeys[] = {
    {.name = "module", .help = "The module, such as cases.handlers."},
    {.name = "func", .help = "The name of the function."},
};
constexpr const KeyPlace* kHandlers[] = {&kHandler};
constexpr ValueShape kHandlerShape{.kinds = ValueShape::kText | ValueShape::kNull, .members = kHandlers};

constexpr const KeyPlace* kNestedPlaces[] = {&kNested};
constexpr ValueShape kNestedShape{.kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kList,
                                  .members = kNestedPlaces};
constexpr ValueShape kNestedList{
    .kinds = ValueShape::kText, .items = &kNestedShape, .members = kNestedPlaces};
constexpr KeyRow kRuleKeys[] = {
    {.name = "content", .help = "The text, or {or, and, content, regex, cond}.", .shape = kNestedShape},
    {.name = "weight", .help = kWeightHelp},
    {.name = "to_lower", .help = kLowerHelp, .shape = kTruth},
    {.name = "neg", .help = "true: the answer must not contain it.", .shape = kTruth},
    {.name = "post_handler", .help = kHandlerHelp, .shape = kHandlerShape},
    {.name = "regex",
     .shape = kTruth,
     .instead = "it counts inside `content`: content: {content: PATTERN, regex: true}"},
    {.name = "cond", .instead = "it counts inside `content`: content: {content: TEXT, cond: EXPRESSION}"},
    {.name = "or", .instead = "put it inside `content`"},
    {.name = "and", .instead = "put it inside `content`"},
};
constexpr KeyRow kNestedKeys[] = {
    {.name = "content", .help = "The text, or another such mapping.", .shape = kNestedList},
    {.name = "or", .help = "Alternatives, of which one has to be there.", .shape = kNestedList},
    {.name = "and", .help = "Parts that all have to be there.", .shape = kNestedList},
    {.name = "regex", .help = kRegexHelp, .shape = kTruth},
    {.name = "cond", .help = kCondHelp},
    {.name = "to_lower", .shape = kTruth, .instead = kOnRule},
    {.name = "weight", .instead = kOnRule},
    {.name = "neg", .shape = kTruth, .instead = kOnRule},
};
constexpr const KeyPlace* kRules[] = {&kRule};
constexpr ValueShape kRuleShape{.kinds = ValueShape::kText | ValueShape::kNumber, .members = kRules};

// --- blanks ---

constexpr KeyRow kAnswerKeys[] = {
    {.name = "content", .help = "The accepted text."},
    {.name = "regex", .help = kRegexHelp, .shape = kTruth},
    {.name = "cond", .help = kCondHelp},
    {.name = "to_lower", .shape = kTruth, .instead = kOnTarget},
    {.name = "weight", .instead = kOnTarget},
    {.name = "substr_match", .shape = kTruth, .instead = kOnTarget},
};
constexpr const KeyPlace* kAnswers[] = {&kAnswer};
constexpr ValueShape kAnswerShape{
    .kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kBool | ValueShape::kNull,
    .members = kAnswers};
constexpr KeyRow kTargetKeys[] = {
    {.name = "content",
     .help = "The accepted answer, or a list of them.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kBool | ValueShape::kNull |
                        ValueShape::kMap,
               .items = &kAnswerShape}},
    {.name = "weight", .help = kWeightHelp},
    {.name = "to_lower", .help = kLowerHelp, .shape = kTruth},
    {.name = "substr_match", .help = "true: the blank only has to contain the answer.", .shape = kTruth},
    {.name = "regex",
     .shape = kTruth,
     .instead = "it counts on each accepted answer: content: [{content: PATTERN, regex: true}]"},
    {.name = "cond",
     .instead = "it counts on each accepted answer: content: [{content: TEXT, cond: EXPRESSION}]"},
    {.name = "or", .instead = "list the accepted answers as `content`"},
};
constexpr const KeyPlace* kTargets[] = {&kTarget};
constexpr ValueShape kTargetShape{.kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kBool |
                                           ValueShape::kNull | ValueShape::kList,
                                  .members = kTargets};
constexpr KeyRow kBlankFillingKeys[] = {
    {.name = "template", .help = "The text that the answer follows, with [blank] for each blank."},
    {.name = "blank_str", .help = "The text that stands for a blank; the default is [blank]."},
    {.name = "escape", .help = "The characters that are cut from both ends of a blank."},
    {.name = "prefix", .help = "The text with which the answer continues."},
    {.name = "targets",
     .help = "The accepted answers, one for each blank.",
     .shape = {.items = &kTargetShape}},
    {.name = "post_handler", .help = kHandlerHelp, .shape = kHandlerShape},
};

// --- unit tests ---

constexpr KeyRow kTestKeys[] = {
    {.name = "content", .help = "The code of the test."},
    {.name = "path", .help = "The file of the test, from the case's folder."},
    {.name = "prefix", .help = "Code before the answer."},
    {.name = "prefix_path", .help = "The file of the code before the answer."},
    {.name = "cleanup_path", .help = "The file of a program that runs afterwards."},
    {.name = "weight", .help = kWeightHelp},
    {.name = "timeout", .help = "The time limit, in seconds."},
    {.name = "only_longest",
     .help = "true: only the longest code block of the answer runs.",
     .shape = kTruth},
    {.name = "only_lang", .help = "true: only code blocks of the test's language run.", .shape = kTruth},
};
constexpr const KeyPlace* kTests[] = {&kTest};
constexpr ValueShape kTestShape{.kinds = ValueShape::kText, .members = kTests};
constexpr KeyRow kUnitTestKeys[] = {
    {.name = "lang", .help = "The language of the tests; the default is the case's lang."},
    {.name = "tests", .help = "The tests, each a code or a mapping.", .shape = {.items = &kTestShape}},
};

// --- similarity and functions of your own ---

constexpr KeyRow kReferenceKeys[] = {
    {.name = "path", .help = "The file of the reference, from the case's folder."},
};
constexpr const KeyPlace* kReferences[] = {&kReference};
constexpr ValueShape kReferenceShape{.kinds = ValueShape::kText, .members = kReferences};
constexpr KeyRow kMetricKeys[] = {
    {.name = "metric",
     .help = "How a text is compared.",
     .shape = {.examples = kWords<"rouge1", "rouge2", "rougeL", "rougeLsum">}},
    {.name = "references",
     .help = "The texts that the answer should resemble, or {path: FILE}.",
     .shape = {.kinds = ValueShape::kText, .items = &kReferenceShape}},
    {.name = "max_score", .help = "The similarity from which the score is full."},
    {.name = "min_score", .help = "The similarity up to which the score is 0."},
    {.name = "weight", .help = kWeightHelp},
};
constexpr KeyRow kCustomizedKeys[] = {
    {.name = "real_metric_type", .help = "The kind of grading as which tables count it."},
    {.name = "module", .help = "The module, such as cases.handlers."},
    {.name = "func", .help = "The name of the function."},
};

constexpr const KeyPlace* kBlankFillings[] = {&kBlankFilling};
constexpr const KeyPlace* kUnitTests[] = {&kUnitTest};
constexpr const KeyPlace* kMetrics[] = {&kMetric};
constexpr const KeyPlace* kCustomizeds[] = {&kCustomized};
constexpr ValueShape kMetricShape{.members = kMetrics};
constexpr KeyRow kGradingKeys[] = {
    {.name = "max_score", .help = "The highest score of the case.", .shape = kNumber},
    {.name = "min_score", .help = "The lowest score of the case.", .shape = kNumber},
    {.name = "keywords", .shape = {.items = &kRuleShape}, .is_check = true},
    {.name = "blank_filling", .shape = {.members = kBlankFillings}, .is_check = true},
    {.name = "unit_test", .shape = {.members = kUnitTests}, .is_check = true},
    {.name = "similarity", .shape = {.items = &kMetricShape}, .is_check = true},
    {.name = "customized", .shape = {.members = kCustomizeds}, .is_check = true},
};

// --- cases ---

constexpr std::string_view kInGrading = "it counts inside `grading`";
constexpr std::string_view kInSuite = "it counts in the suite";
constexpr const KeyPlace* kGradings[] = {&kGrading};
constexpr KeyRow kCaseKeys[] = {
    {.name = "id", .help = "Names the case in results."},
    {.name = "prompt_path", .help = "The file of the question, from the case's folder."},
    {.name = "type",
     .help = "The kind of question.",
     .shape = {.examples = kWords<"code debugging", "code completion", "knowledge question-answering",
                                  "non-code debugging">}},
    {.name = "lang", .help = "The language of the answer's code."},
    {.name = "full_score", .help = "What the case is worth.", .shape = kNumber},
    {.name = "null_score", .help = "The lowest score of the case.", .shape = kNumber},
    {.name = "grading",
     .help = "How answers are graded.",
     .shape = {.members = kGradings},
     .is_required = true},
    {.name = "cluster",
     .help = "Give cases the same name if they were not drawn independently.",
     .shape = {.kinds = ValueShape::kText, .is_filled = true},
     .since = "0.1.0",
     .code = "infibench.cluster",
     .hint = "give all cases that belong together the same name"},
    {.name = "group",
     .help = "The group in which the case is reported; a list has one for each dimension.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList, .items = &kText},
     .since = "0.4.0",
     .code = "infibench.group",
     .hint = "write a name, such as web, or a list of names: [web, hard]"},
    {.name = "flaky",
     .help = "true: the case is known to pass and fail by chance, and no gate counts it.",
     .shape = {.kinds = ValueShape::kBool},
     .since = "0.4.0",
     .code = "infibench.flaky",
     .hint = "write \"flaky: true\" for a case that no gate should count"},
    // The next are for people.
    {.name = "source", .help = "Where the question comes from."},
    {.name = "description", .help = "For readers."},
    {.name = "title", .help = "For readers."},
    {.name = "author", .help = "For readers."},
    {.name = "notes", .help = "For readers."},
    {.name = "comment", .help = "For readers."},
    {.name = "url", .help = "For readers."},
    {.name = "tags", .help = "For readers."},
    {.name = "version", .help = "For readers."},
    {.name = "weight", .instead = "write weights in the suite: cases: [{path: FILE, weight: 2}]"},
    {.name = "max_score", .instead = kInGrading},
    {.name = "min_score", .instead = kInGrading},
    {.name = "keywords", .instead = kInGrading},
    {.name = "blank_filling", .instead = kInGrading},
    {.name = "unit_test", .instead = kInGrading},
    {.name = "similarity", .instead = kInGrading},
    {.name = "customized", .instead = kInGrading},
    {.name = "prompt", .instead = "name a file that holds the question: prompt_path: FILE"},
    {.name = "attempt_reduce_mode", .instead = kInSuite},
    {.name = "system_prompt", .instead = kInSuite},
    {.name = "qa_system_prompt", .instead = kInSuite},
    {.name = "temp", .instead = kInSuite},
    {.name = "top_p", .instead = kInSuite},
    {.name = "max_tokens", .instead = kInSuite},
    {.name = "sample_n", .instead = kInSuite},
};

// --- suites ---

constexpr KeyRow kEntryKeys[] = {
    {.name = "path", .help = "The file of the case.", .shape = kText, .is_required = true},
    {.name = "weight", .help = "How often the case counts; the default is 1."},
};
constexpr const KeyPlace* kEntries[] = {&kEntry};
constexpr ValueShape kEntryShape{.kinds = ValueShape::kText, .members = kEntries};
constexpr KeyRow kFromKeys[] = {
    {.name = "dataset",
     .help = "The table: a path, or a mapping as `dataset` of a blueprint.",
     .is_required = true},
    {.name = "shots",
     .help = "Rows that become examples before each question, as `shots` of a blueprint.",
     .shape = {.kinds = ValueShape::kMap | ValueShape::kNull},
     .since = "0.4.0"},
    {.name = "case",
     .help = "A case file's mapping with templates, and `prompt`, the text of its question.",
     .shape = {.kinds = ValueShape::kMap},
     .is_required = true},
};
constexpr KeyPlace kFrom{.words = "an entry of `cases_from`", .parts = {kFromKeys}};
constexpr const KeyPlace* kFroms[] = {&kFrom};
constexpr ValueShape kFromShape{.members = kFroms};
constexpr KeyRow kSuiteKeys[] = {
    {.name = "cases_from",
     .help = "Cases that the rows of tables fill in, beside `cases` or instead of them.",
     .shape = {.items = &kFromShape},
     .since = "0.4.0"},
    {.name = "cases", .help = "The files of the cases.", .shape = {.items = &kEntryShape}},
    {.name = "attempt_reduce_mode",
     .help = "How attempts at a case are combined.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kNull,
               .examples = kWords<"avg", "max", "min", "avg_max_10">}},
    {.name = "full_score_per_question",
     .help = "The full score of a case that sets none.",
     .shape = kNumberOrNull},
    {.name = "version", .help = "The version of the format."},
    {.name = "null_score_per_question",
     .help = "The score of a case that no answer should fall below.",
     .shape = kNumberOrNull},
    {.name = "system_prompt", .help = "The system prompt of every question.", .shape = kTextOrNull},
    {.name = "qa_system_prompt",
     .help = "The system prompt of questions that only similarity grades.",
     .shape = kTextOrNull},
    {.name = "temp",
     .help = "The temperature: how freely models choose their words.",
     .shape = {.kinds = ValueShape::kNumber | ValueShape::kNull, .least = 0, .most = 2}},
    {.name = "top_p",
     .help = "The share of probability from which models choose their words.",
     .shape = {.kinds = ValueShape::kNumber | ValueShape::kNull, .least = 0, .most = 1}},
    {.name = "sample_n", .help = "Attempts at each case.", .shape = kCount},
    {.name = "labels",
     .help = "The names of models in tables: {\"openai:gpt-6-sol\": \"GPT-6 Sol\"}.",
     .shape = {.kinds = ValueShape::kNull, .values = &kText},
     .since = "0.3.0"},
    {.name = "max_tokens", .help = "The token limit of an answer.", .shape = kCount, .since = "0.1.0"},
    {.name = "pass",
     .help = "The lowest score of an answer that passes, from 0 to 1; all means 1.",
     .shape =
         {.kinds = ValueShape::kText | ValueShape::kNumber, .least = 0, .most = 1, .words = kWords<"all">},
     .since = "0.4.0",
     .hint = "write a score such as 0.8, or all"},
    {.name = "pass_at_k",
     .help = "Numbers of tries: reports show how often one of so many attempts passes.",
     .shape = {.kinds = ValueShape::kList, .items = &kCount},
     .since = "0.4.0",
     .hint = "write a list of whole numbers, such as [1, 10]"},
};

}  // namespace

// The words stand in messages.
constexpr KeyPlace kSuite{.words = "a suite", .parts = {kSuiteKeys}};
constexpr KeyPlace kEntry{.words = "an entry of `cases`", .parts = {kEntryKeys}};
constexpr KeyPlace kCase{.words = "a case", .parts = {kCaseKeys}};
constexpr KeyPlace kGrading{.words = "grading", .parts = {kGradingKeys}};
constexpr KeyPlace kRule{.words = "a rule of `keywords`", .parts = {kRuleKeys}};
constexpr KeyPlace kNested{.name = "nested", .words = "a nested keyword", .parts = {kNestedKeys}};
constexpr KeyPlace kBlankFilling{.words = "`blank_filling`", .parts = {kBlankFillingKeys}};
constexpr KeyPlace kTarget{.words = "a target", .parts = {kTargetKeys}};
constexpr KeyPlace kAnswer{.words = "an accepted answer", .parts = {kAnswerKeys}};
constexpr KeyPlace kUnitTest{.words = "`unit_test`", .parts = {kUnitTestKeys}};
constexpr KeyPlace kTest{.words = "a test", .parts = {kTestKeys}};
constexpr KeyPlace kMetric{.words = "a metric of `similarity`", .parts = {kMetricKeys}};
constexpr KeyPlace kReference{.words = "a reference", .parts = {kReferenceKeys}};
constexpr KeyPlace kCustomized{.words = "`customized`", .parts = {kCustomizedKeys}};
constexpr KeyPlace kHandler{.words = "`post_handler`", .parts = {kHandlerKeys}};

}  // namespace assay::infibench
