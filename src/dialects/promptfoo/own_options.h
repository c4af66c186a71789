// The command-line options that only promptfoo's configs have, as promptfoo names them. What assay calls
// otherwise stays so: --attempts is its --repeat, -j its --max-concurrency.
#pragma once

#include "dialects/dialect.h"
#include "dialects/dialect_option.h"
#include "dialects/promptfoo/options.h"

namespace assay::promptfoo {

inline constexpr std::string_view kConfigOption = "config";
inline constexpr std::string_view kTestsOption = "tests";
inline constexpr std::string_view kPromptsOption = "prompts";
inline constexpr std::string_view kProvidersOption = "providers";
inline constexpr std::string_view kVariableOption = "var";
inline constexpr std::string_view kGraderOption = "grader";
inline constexpr std::string_view kFirstTestsOption = "filter-first-n";
inline constexpr std::string_view kTestRangeOption = "filter-range";
inline constexpr std::string_view kPatternOption = "filter-pattern";
inline constexpr std::string_view kProviderPatternOption = "filter-providers";
inline constexpr std::string_view kPromptPatternOption = "filter-prompts";
inline constexpr std::string_view kMetadataOption = "filter-metadata";
inline constexpr std::string_view kPrefixOption = "prompt-prefix";
inline constexpr std::string_view kSuffixOption = "prompt-suffix";
inline constexpr std::string_view kEnvFileOption = "env-file";
inline constexpr std::string_view kSkipCodeOption = "skip-code";

Result<std::string> ReadPairOption(std::string_view text);   // NAME=VALUE
Result<std::string> ReadCountOption(std::string_view text);  // a whole number from 1
Result<std::string> ReadRangeOption(std::string_view text);  // BEGIN:END, one of them at least

inline constexpr DialectOption kPromptfooOptions[] = {
    {.name = kConfigOption,
     .value = "FILE",
     .help = "another config, joined with the first one; repeatable",
     .commands = " run grade plan check ",
     .behind = "--resume",
     .repeatable = true,
     .reads = OptionReads::kFolderOfFile},
    {.name = kTestsOption,
     .value = "FILE",
     .help = "tests of this file instead of those of the config",
     .commands = " run grade plan check ",
     .reads = OptionReads::kFolderOfFile},
    {.name = kPromptsOption,
     .value = "PROMPT",
     .help = "a prompt, or a file of prompts, instead of those of the config; repeatable",
     .commands = " run grade plan check ",
     .repeatable = true},
    {.name = kProvidersOption,
     .value = "ID",
     .help = "a provider as a config names it, instead of those of the config; repeatable",
     .commands = " run grade plan check ",
     .repeatable = true},
    {.name = kVariableOption,
     .value = "NAME=VALUE",
     .help = "a variable of all tests that do not have one of this name; repeatable",
     .commands = " run grade plan check ",
     .repeatable = true,
     .read = ReadPairOption},
    {.name = kGraderOption,
     .value = "ID",
     .help = "the provider that grades, unless a test or an assertion names another",
     .commands = " run grade plan check "},
    {.name = kFirstTestsOption,
     .value = "N",
     .help = "only the first N tests, each with all of its variables (--limit counts cases)",
     .commands = " run grade plan check ",
     .narrows = true,
     .read = ReadCountOption},
    {.name = kTestRangeOption,
     .value = "A:B",
     .help = "only the tests from A, counted from 0, to before B",
     .commands = " run grade plan check ",
     .narrows = true,
     .read = ReadRangeOption},
    {.name = kPatternOption,
     .value = "REGEX",
     .help = "only the tests whose description matches",
     .commands = " run grade plan check ",
     .narrows = true},
    {.name = kMetadataOption,
     .value = "NAME=VALUE",
     .help = "only the tests with this metadata; repeat it for more names",
     .commands = " run grade plan check ",
     .repeatable = true,
     .narrows = true,
     .read = ReadPairOption},
    {.name = kProviderPatternOption,
     .value = "REGEX",
     .help = "only the providers whose id or label matches",
     .commands = " run grade plan check ",
     .narrows = true},
    {.name = kPromptPatternOption,
     .value = "REGEX",
     .help = "only the prompts whose label or id matches",
     .commands = " run grade plan check ",
     .narrows = true},
    {.name = kPrefixOption,
     .value = "TEXT",
     .help = "text before each prompt",
     .commands = " run grade plan check "},
    {.name = kSuffixOption,
     .value = "TEXT",
     .help = "text after each prompt",
     .commands = " run grade plan check "},
    {.name = kEnvFileOption,
     .value = "FILE",
     .help = "variables of the environment, instead of those of .env; repeatable",
     .commands = " run grade plan check ",
     .repeatable = true,
     .reads = OptionReads::kFolderOfFile},
    {.name = kSkipCodeOption,
     .value = "",
     .help = "leave out what needs programs of your own, and run the rest",
     .commands = " run grade plan check "},
};

// What the command line, the environment and files of variables say of the config at `input`; a file that
// cannot be read is a problem. Paths count from the current folder.
EvalOptions EvalOptionsOf(const ReadInput& input);
// The config that the user names and those of --config, in their order.
std::vector<std::string> ConfigPathsOf(const ReadInput& input);

}  // namespace assay::promptfoo
