// The tables of keys of registry entries.
#include "dialects/openai_evals/keys.h"

namespace assay::evals {

namespace {

constexpr ValueShape kEntryText{.kinds = ValueShape::kText};
constexpr ValueShape kEntryCount{.kinds = ValueShape::kWhole, .least = 0};

constexpr KeyRow kArgKeys[] = {
    {.name = "samples_jsonl",
     .help = "The file of samples, {input, ideal}, from this file's folder or from ../data.",
     .shape = kEntryText,
     .is_required = true},
    {.name = "num_few_shot",
     .help = "The number of examples before each sample; for the class Match.",
     .shape = {.kinds = ValueShape::kWhole, .least = 0, .most = 1'000}},
    {.name = "few_shot_jsonl", .help = "The file of examples, {sample}.", .shape = kEntryText},
    {.name = "ignore_case",
     .help = "true: letters of both cases are equal; for the class Includes.",
     .shape = {.kinds = ValueShape::kBool}},
    {.name = "max_tokens", .help = "The token limit of an answer.", .shape = kEntryCount},
    {.name = "modelgraded_spec", .shape = {.kinds = ValueShape::kNever}},
    {.name = "eval_type", .shape = {.kinds = ValueShape::kNever}},
};
constexpr KeyPlace kArgs{.words = "args", .parts = {kArgKeys}};
constexpr const KeyPlace* kArgPlaces[] = {&kArgs};
constexpr KeyRow kRegistryKeys[] = {
    {.name = "id", .help = "The name of the entry that this one stands for.", .shape = kEntryText},
    {.name = "description", .help = "For readers, and for judges as background.", .shape = kEntryText},
    {.name = "disclaimer", .help = "For readers."},
    {.name = "metrics", .help = "For readers."},
    {.name = "class",
     .help = "How answers are graded.",
     .shape = {.kinds = ValueShape::kText,
               .examples = kWords<"evals.elsuite.basic.match:Match", "evals.elsuite.basic.includes:Includes",
                                  "evals.elsuite.basic.fuzzy_match:FuzzyMatch",
                                  "evals.elsuite.basic.json_match:JsonMatch">}},
    {.name = "args", .help = "The samples, and how they are asked.", .shape = {.members = kArgPlaces}},
    {.name = "choice_strings", .shape = {.kinds = ValueShape::kNever}},
};
constexpr KeyPlace kRegistryEntry{.words = "an entry of the registry", .parts = {kRegistryKeys}};
constexpr const KeyPlace* kRegistryEntries[] = {&kRegistryEntry};

}  // namespace

constexpr ValueShape kRegistryEntryShape{.members = kRegistryEntries};

}  // namespace assay::evals
