// The tables of keys of datasets and matrices.
#include "dialects/research/keys.h"

namespace assay::research {

namespace {

constexpr ValueShape kText{.kinds = ValueShape::kText};
constexpr ValueShape kNumber{.kinds = ValueShape::kNumber};
constexpr ValueShape kTruth{.kinds = ValueShape::kTruth};

// --- what a test expects ---

constexpr const KeyPlace* kExpectations[] = {&kContains, &kRegex, &kAllOf,   &kAnyOf,
                                             &kNot,      &kJudge, &kNumeric, &kCitation};
constexpr ValueShape kExpectation{.members = kExpectations};

// A row for the type of each place, with its name as an example: any letter case counts.
template <KeyLiteral name>
constexpr KeyRow kType{.name = "type",
                       .help = "The kind of expectation.",
                       .shape = {.kinds = ValueShape::kText, .examples = kWords<name>},
                       .is_required = true};
constexpr std::string_view kTextHelp = "The text that the answer contains.";
constexpr std::string_view kPatternHelp = "The regular expression that the answer matches.";

constexpr KeyRow kContainsKeys[] = {
    kType<"contains">,
    {.name = "text", .help = kTextHelp, .shape = kText, .is_required = true},
    {.name = "pattern", .help = kPatternHelp},
};
constexpr KeyRow kRegexKeys[] = {
    kType<"regex">,
    {.name = "text", .help = kTextHelp},
    {.name = "pattern", .help = kPatternHelp, .shape = kText, .is_required = true},
};
constexpr KeyRow kParts{.name = "of",
                        .help = "The expectations that it combines.",
                        .shape = {.items = &kExpectation},
                        .since = "0.1.0",
                        .is_required = true};
constexpr KeyRow kAllOfKeys[] = {kType<"all_of">, kParts};
constexpr KeyRow kAnyOfKeys[] = {kType<"any_of">, kParts};
constexpr KeyRow kNotKeys[] = {
    kType<"not">,
    {.name = "of",
     .help = "The expectation that must not hold.",
     .shape = kExpectation,
     .since = "0.1.0",
     .is_required = true},
};
constexpr KeyRow kJudgeKeys[] = {
    kType<"judge">,
    {.name = "criterion",
     .help = "The criterion that judges look for in the answer.",
     .shape = kText,
     .since = "0.1.0",
     .is_required = true},
    {.name = "threshold",
     .help = "The score from which the expectation holds.",
     .shape = {.kinds = ValueShape::kNumber, .least = 0},
     .since = "0.1.0"},
};
constexpr KeyRow kNumericKeys[] = {
    kType<"numeric">,
    {.name = "value",
     .help = "The number that the answer contains.",
     .shape = kNumber,
     .since = "0.1.0",
     .is_required = true},
    {.name = "tolerance",
     .help = "How far a number may be from it; the default is 0.",
     .shape = {.kinds = ValueShape::kNumber, .least = 0},
     .since = "0.1.0"},
};
constexpr KeyRow kCitationKeys[] = {
    kType<"citation">,
    {.name = "doc",
     .help = "The id of the quoted document; the default is any document of the test.",
     .shape = kText,
     .since = "0.1.0"},
    {.name = "words",
     .help = "How many words in a row make a quotation; the default is 6.",
     .shape = {.kinds = ValueShape::kNumber, .least = 2},
     .since = "0.1.0"},
};

// --- datasets ---

constexpr KeyRow kDocumentKeys[] = {
    {.name = "id", .help = "The name of the document.", .shape = kText, .is_required = true},
    {.name = "title", .help = "The title of the document.", .shape = kText, .is_required = true},
    {.name = "url", .help = "The address of the document.", .shape = kText, .is_required = true},
};
constexpr KeyRow kTestKeys[] = {
    {.name = "id", .help = "The name of the test.", .shape = kText, .is_required = true},
    {.name = "doc_id", .help = "The document that the question is about."},
    {.name = "doc_ids",
     .help = "The documents that the question is about.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNull, .items = &kText}},
    {.name = "query", .help = "The question.", .shape = kText, .is_required = true},
    {.name = "expected",
     .help = "The expected content of the answer.",
     .shape = kExpectation,
     .is_required = true},
    {.name = "tags",
     .help = "Words of your own about the test, which a program under test gets too.",
     .since = "0.4.0"},
    {.name = "group",
     .help = "The group in which the test is reported; a list has one for each dimension.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kNull, .items = &kText},
     .since = "0.4.0"},
};
constexpr const KeyPlace* kDocuments[] = {&kDocument};
constexpr const KeyPlace* kTests[] = {&kTest};
constexpr ValueShape kDocumentShape{.members = kDocuments};
constexpr ValueShape kTestShape{.members = kTests};
constexpr KeyRow kTestsFromKeys[] = {
    {.name = "dataset",
     .help = "The table: a path, or a mapping as `dataset` of a blueprint.",
     .is_required = true},
    {.name = "shots",
     .help = "Rows that become examples in the text of each question, as `shots` of a blueprint.",
     .shape = {.kinds = ValueShape::kMap | ValueShape::kNull},
     .since = "0.4.0"},
    {.name = "test",
     .help = "A test with templates.",
     .shape = {.kinds = ValueShape::kMap},
     .is_required = true},
};
constexpr KeyPlace kTestsFromEntry{.words = "an entry of `tests_from`", .parts = {kTestsFromKeys}};
constexpr const KeyPlace* kTestsFroms[] = {&kTestsFromEntry};
constexpr ValueShape kTestsFromShape{.members = kTestsFroms};
constexpr KeyRow kDatasetKeys[] = {
    {.name = "id", .help = "The name of the dataset; the default is the name of its file."},
    {.name = "docs", .help = "The documents.", .shape = {.items = &kDocumentShape}, .is_required = true},
    {.name = "tests", .help = "The questions.", .shape = {.items = &kTestShape}},
    {.name = "tests_from",
     .help = "Questions that the rows of tables fill in, beside `tests` or instead of them.",
     .shape = {.items = &kTestsFromShape},
     .since = "0.4.0"},
};

// --- matrices ---

constexpr KeyRow kLimitKeys[] = {
    {.name = "seconds", .help = "The time of the requests of a turn.", .shape = kNumber, .since = "0.1.0"},
    {.name = "tokens",
     .help = "The tokens of a turn.",
     .shape = {.kinds = ValueShape::kNumber, .least = 1},
     .since = "0.1.0"},
    {.name = "usd", .help = "The price of a turn, in US dollars.", .shape = kNumber, .since = "0.1.0"},
};
constexpr const KeyPlace* kLimitPlaces[] = {&kLimits};
constexpr KeyRow kRunKeys[] = {
    {.name = "id", .help = "The name of the profile.", .shape = kText, .is_required = true},
    {.name = "label",
     .help = "The name of the profile in tables and pages.",
     .shape = kText,
     .since = "0.3.0"},
    {.name = "model_alias",
     .help = "The model that answers: provider:model, or an alias of assay.toml.",
     .shape = kText,
     .is_required = true},
    {.name = "source_provider",
     .help = "Where documents come from; auto follows research_mode.",
     .shape = {.kinds = ValueShape::kText,
               .examples = kWords<"auto", "live_web", "local_snapshot", "mock_web">}},
    {.name = "research_mode",
     .help = "true, the default: the model works with documents of this machine.",
     .shape = kTruth},
    {.name = "lean", .help = "true: the model gets no tools, no pages and no status.", .shape = kTruth},
    {.name = "preload_local_sources",
     .help = "true, the default: documents are searched beforehand.",
     .shape = kTruth},
    {.name = "preload_shortlist", .help = "true: a list of pages is gathered beforehand.", .shape = kTruth},
    {.name = "save_history", .help = "true: conversations are stored.", .shape = kTruth},
    {.name = "disabled_tools",
     .help = "Tools that the model does not get: a list, or names between commas.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList, .items = &kText}},
    {.name = "limits",
     .help = "The limits of a turn: seconds, tokens, usd.",
     .shape = {.members = kLimitPlaces},
     .since = "0.1.0"},
    {.name = "mock_web_fixtures", .help = "The file of a simulated web.", .shape = kText, .since = "0.1.0"},
    {.name = "additional_source_context", .help = "More sources for the model, as a text.", .shape = kText},
    {.name = "query_prefix", .help = "The text before each question.", .shape = kText},
    {.name = "query_suffix", .help = "The text after each question.", .shape = kText},
    {.name = "parameters",
     .help = "Other values to send to the model: {temperature = 0.2}.",
     .shape = {.kinds = ValueShape::kMap}},
};
constexpr const KeyPlace* kRuns[] = {&kRun};
constexpr ValueShape kRunShape{.members = kRuns};
constexpr KeyRow kMatrixKeys[] = {
    {.name = "dataset", .help = "The file of the dataset.", .shape = kText},
    {.name = "snapshot_root", .help = "The folder of downloaded documents.", .shape = kText},
    {.name = "output_root", .help = "The folder of results.", .shape = kText},
    {.name = "runs",
     .help = "The profiles, each under [[runs]].",
     .shape = {.items = &kRunShape},
     .is_required = true},
};

}  // namespace

constexpr KeyPlace kContains{.name = "contains", .words = "an expectation", .parts = {kContainsKeys}};
constexpr KeyPlace kRegex{.name = "regex", .words = "an expectation", .parts = {kRegexKeys}};
constexpr KeyPlace kAllOf{.name = "all_of", .words = "an expectation", .parts = {kAllOfKeys}};
constexpr KeyPlace kAnyOf{.name = "any_of", .words = "an expectation", .parts = {kAnyOfKeys}};
constexpr KeyPlace kNot{.name = "not", .words = "an expectation", .parts = {kNotKeys}};
constexpr KeyPlace kJudge{.name = "judge", .words = "an expectation", .parts = {kJudgeKeys}};
constexpr KeyPlace kNumeric{.name = "numeric", .words = "an expectation", .parts = {kNumericKeys}};
constexpr KeyPlace kCitation{.name = "citation", .words = "an expectation", .parts = {kCitationKeys}};
constexpr KeyPlace kDocument{.words = "a document", .parts = {kDocumentKeys}};
constexpr KeyPlace kTest{.words = "a test", .parts = {kTestKeys}};
constexpr KeyPlace kDataset{.words = "the dataset", .parts = {kDatasetKeys}};
constexpr KeyPlace kLimits{.words = "limits", .parts = {kLimitKeys}};
constexpr KeyPlace kRun{.words = "a run", .parts = {kRunKeys}};
constexpr KeyPlace kMatrix{.words = "the matrix", .parts = {kMatrixKeys}};

}  // namespace assay::research
