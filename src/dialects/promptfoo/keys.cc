// The tables of keys of configs.
#include "dialects/promptfoo/keys.h"

#include <fmt/core.h>

namespace assay::promptfoo {

namespace {

constexpr KeyRow kConfigKeys[] = {
    {.name = "description", .help = "A name of the run."},
    {.name = "prompts", .help = "Texts, files, or a mapping of files to labels."},
    {.name = "providers", .help = "The models that are asked."},
    {.name = "targets", .help = "Another name of providers."},
    {.name = "tests", .help = "Tests, or files of them."},
    {.name = "defaultTest", .help = "What every test has unless it says otherwise."},
    {.name = "scenarios", .help = "Configurations that are each combined with tests."},
    {.name = "env", .help = "Variables of the environment."},
    {.name = "evaluateOptions", .help = "How the run goes."},
    {.name = "commandLineOptions", .help = "Options of the command line that hold unless it says others."},
    {.name = "derivedMetrics", .help = "Metrics that are computed from others."},
    {.name = "outputPath", .help = "The file, or the files, of results."},
    {.name = "nunjucksFilters", .help = "Filters of templates, each a file of JavaScript."},
    {.name = "extensions", .help = "Functions of JavaScript that are called as the run goes."},
    {.name = "assertionTemplates", .help = "Assertions that $ref names."},
    {.name = "tags", .help = "For readers."},
    {.name = "metadata", .help = "For readers."},
    {.name = "sharing", .help = "It has no effect here."},
    {.name = "writeLatestResults", .help = "It has no effect here."},
    {.name = "tracing", .help = "It has no effect here."},
    {.name = "redteam", .help = "It has no effect here."},
    {.name = "$schema", .help = "For editors."},
};

constexpr KeyRow kPromptKeys[] = {
    {.name = "id", .help = "The text or the file."},
    {.name = "raw", .help = "The text or the file."},
    {.name = "label", .help = "The name of the prompt."},
    {.name = "config", .help = "Parameters over those of the provider."},
    {.name = "description", .help = "For readers."},
    {.name = "display", .help = "The name of the prompt, as older files have it."},
    {.name = "template", .help = "For readers."},
};

constexpr KeyRow kProviderKeys[] = {
    {.name = "id", .help = "The model."},
    {.name = "label", .help = "The name of the column."},
    {.name = "config", .help = "Its parameters."},
    {.name = "prompts", .help = "The labels of prompts that it is asked."},
    {.name = "transform", .help = "An expression over the answer."},
    {.name = "delay", .help = "Milliseconds between two questions."},
    {.name = "env", .help = "Variables of its environment."},
    {.name = "inputs", .help = "The names of what it takes."},
};

constexpr KeyRow kTestKeys[] = {
    {.name = "description", .help = "A name of the test."},
    {.name = "vars", .help = "The variables of its prompts, or files of them."},
    {.name = "assert", .help = "What is expected of the answer."},
    {.name = "options", .help = "How it is asked and graded."},
    {.name = "threshold", .help = "The least score of a test that passes."},
    {.name = "metadata", .help = "For filters and readers."},
    {.name = "prompts", .help = "The labels of its prompts."},
    {.name = "providers", .help = "The labels or ids of its providers."},
    {.name = "provider", .help = "The provider that is asked in place of others."},
    {.name = "providerOutput", .help = "The answer; nobody is asked."},
    {.name = "assertScoringFunction", .help = "A function that scores the test."},
    {.name = "tags", .help = "For readers."},
    {.name = "id", .help = "For readers."},
};

constexpr KeyRow kScenarioKeys[] = {
    {.name = "description", .help = "For readers."},
    {.name = "config", .help = "Tests that are combined with each of the tests."},
    {.name = "tests", .help = "The tests."},
};

constexpr KeyRow kAssertionKeys[] = {
    {.name = "type", .help = "The kind of assertion."},
    {.name = "value", .help = "What it compares with."},
    {.name = "threshold", .help = "The least or greatest value that passes."},
    {.name = "weight", .help = "How much it counts."},
    {.name = "metric", .help = "The name of the metric that it counts for."},
    {.name = "transform", .help = "An expression over the answer."},
    {.name = "contextTransform", .help = "An expression that gives the context."},
    {.name = "provider", .help = "The model that grades."},
    {.name = "rubricPrompt", .help = "The prompt of the model that grades."},
    {.name = "config", .help = "For code."},
    {.name = "assert", .help = "The assertions of a set."},
    {.name = "description", .help = "For readers."},
};

constexpr KeyRow kEvaluateOptionsKeys[] = {
    {.name = "repeat", .help = "How often each test runs."},
    {.name = "maxConcurrency", .help = "Questions at once."},
    {.name = "delay", .help = "Milliseconds between two questions."},
    {.name = "cache", .help = "false: answers are not kept."},
    {.name = "timeoutMs", .help = "The time limit of a test."},
    {.name = "maxEvalTimeMs", .help = "The time limit of the run."},
    {.name = "showProgressBar", .help = "For the terminal."},
    {.name = "generateSuggestions", .help = "It has no effect here."},
    {.name = "interactiveProviders", .help = "It has no effect here."},
};

constexpr KeyRow kCommandLineKeys[] = {
    {.name = "repeat", .help = "How often each test runs."},
    {.name = "maxConcurrency", .help = "Questions at once."},
    {.name = "delay", .help = "Milliseconds between two questions."},
    {.name = "cache", .help = "false: answers are not kept."},
    {.name = "var", .help = "Variables that tests have unless they say others."},
    {.name = "promptPrefix", .help = "A text before each prompt."},
    {.name = "promptSuffix", .help = "A text behind each prompt."},
    {.name = "filterFirstN", .help = "The first tests alone."},
    {.name = "filterRange", .help = "A range of tests."},
    {.name = "filterPattern", .help = "A pattern of descriptions."},
    {.name = "filterProviders", .help = "A pattern of providers."},
    {.name = "filterTargets", .help = "A pattern of providers."},
    {.name = "filterPrompts", .help = "A pattern of prompts."},
    {.name = "filterMetadata", .help = "Metadata that tests must have."},
    {.name = "filterSample", .help = "The number of tests of a sample."},
    {.name = "filterFailing", .help = "It has no effect here."},
    {.name = "filterErrorsOnly", .help = "It has no effect here."},
    {.name = "grader", .help = "The model that grades."},
    {.name = "output", .help = "The files of results."},
    {.name = "table", .help = "For the terminal."},
    {.name = "tableCellMaxLength", .help = "For the terminal."},
    {.name = "progressBar", .help = "For the terminal."},
    {.name = "verbose", .help = "For the terminal."},
    {.name = "envPath", .help = "A file of variables of the environment."},
    {.name = "envFile", .help = "A file of variables of the environment."},
    {.name = "write", .help = "It has no effect here."},
    {.name = "share", .help = "It has no effect here."},
    {.name = "watch", .help = "It has no effect here."},
    {.name = "suggestPrompts", .help = "It has no effect here."},
    {.name = "generateSuggestions", .help = "It has no effect here."},
    {.name = "retryErrors", .help = "It has no effect here."},
    {.name = "resume", .help = "It has no effect here."},
    {.name = "extension", .help = "Functions of JavaScript that are called as the run goes."},
};

}  // namespace

constexpr KeyPlace kConfigPlace{.words = "a config", .parts = {kConfigKeys}};
constexpr KeyPlace kPromptPlace{.words = "a prompt", .parts = {kPromptKeys}};
constexpr KeyPlace kProviderPlace{.words = "a provider", .parts = {kProviderKeys}};
constexpr KeyPlace kTestPlace{.words = "a test", .parts = {kTestKeys}};
constexpr KeyPlace kScenarioPlace{.words = "a scenario", .parts = {kScenarioKeys}};
constexpr KeyPlace kAssertionPlace{.words = "an assertion", .parts = {kAssertionKeys}};
constexpr KeyPlace kEvaluateOptionsPlace{.words = "evaluateOptions", .parts = {kEvaluateOptionsKeys}};
constexpr KeyPlace kCommandLinePlace{.words = "commandLineOptions", .parts = {kCommandLineKeys}};

void WarnOfUnknownKeys(const Map& owner, const KeyPlace& place, Diagnostics& diagnostics) {
  for (const Member& member : owner) {
    if (FindKey(place, member.key) != nullptr) continue;
    const std::string_view near = NearKey(place, member.key);
    diagnostics.Warning("promptfoo.unknown-key",
                        fmt::format("unknown key {} of {}", Quoted(member.key), place.words), member.key_span,
                        near.empty() ? "it is ignored" : fmt::format("did you mean {}?", near));
  }
}

}  // namespace assay::promptfoo
