// The keys of `extract:`, a row for each step of text/extract/steps.h (docs/datasets.md).
#pragma once

#include "dialects/keys/key.h"

namespace assay::blueprint {

inline constexpr ValueShape kStepTextShape{.kinds = ValueShape::kText, .is_filled = true};
inline constexpr ValueShape kStepTrueShape{.kinds = ValueShape::kBool};
inline constexpr ValueShape kStepPickShape{
    .kinds = ValueShape::kText | ValueShape::kWhole, .least = 1, .examples = kWords<"first", "last", "only">};

inline constexpr KeyRow kExtractKeys[] = {
    {.name = "regex",
     .help = "A JavaScript pattern: its first group, or its match.",
     .shape = kStepTextShape},
    {.name = "number",
     .help = "last or first: a number with its sign, power, scale word and percent sign.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kBool, .examples = kWords<"last", "first", "only">}},
    {.name = "boxed", .help = "true: what stands in \\boxed{...} or \\fbox{...}.", .shape = kStepTrueShape},
    {.name = "tag", .help = "What stands between <NAME> and </NAME>.", .shape = kStepTextShape},
    {.name = "drop_tag",
     .help = "The text without what stands between <NAME> and </NAME>.",
     .shape = kStepTextShape},
    {.name = "code",
     .help = "A fenced block of this language; true: of any.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kBool}},
    {.name = "json",
     .help = "A value of the JSON in the answer, by its path; true: all of it.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kBool, .examples = kWords<"$.answer">}},
    {.name = "choice",
     .help = "The letter of a choice: of how many, of which letters, or of which texts.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kWhole | ValueShape::kList}},
    {.name = "after",
     .help = "The rest of the line behind this text, or else the next line.",
     .shape = kStepTextShape},
    {.name = "line",
     .help = "A line that is not blank: last, first, or its number.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kWhole,
               .least = 1,
               .examples = kWords<"last", "first">}},
    {.name = "pick",
     .help = "Which of several counts: first, last, only, or a number.",
     .shape = kStepPickShape},
};
inline constexpr KeyPlace kExtractStep{
    .name = "extraction", .words = "an extraction", .parts = {kExtractKeys}};
inline constexpr const KeyPlace* kExtractSteps[] = {&kExtractStep};

}  // namespace assay::blueprint
