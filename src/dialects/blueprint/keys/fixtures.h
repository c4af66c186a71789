// The keys of fixtures of blueprints: hand-written replies.
#pragma once

#include "dialects/blueprint/keys/criteria.h"

namespace assay::blueprint {

inline constexpr KeyRow kFixtureEntryKeys[] = {
    {.name = "default", .help = "The answer, or a list of answers, of every model."},
    {.name = "byModel", .help = "Answers by model, which come before the default."},
    {.name = "notes", .help = "For readers."},
};
inline constexpr KeyPlace kFixtureEntry{.words = "the answers to a prompt", .parts = {kFixtureEntryKeys}};
inline constexpr const KeyPlace* kFixtureEntries[] = {&kFixtureEntry};
inline constexpr ValueShape kFixtureEntryShape{.members = kFixtureEntries};
inline constexpr ValueShape kKeyPointsShape{.kinds = ValueShape::kList, .items = &kTextShape};

inline constexpr KeyRow kFixtureKeys[] = {
    {.name = "version", .help = "The version of the format."},
    {.name = "strategy",
     .help = "How one of several answers is chosen.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"seeded", "round-robin", "first">}},
    {.name = "seed", .help = "A number or text that changes what seeded chooses."},
    {.name = "responses",
     .help = "Answers by prompt: {PROMPT: {default: TEXT}}.",
     .shape = {.values = &kFixtureEntryShape}},
    {.name = "judges",
     .help = "Replies of judges by prompt and criterion: {PROMPT: {CRITERION: {class: MAJOR}}}.",
     .shape = {.kinds = ValueShape::kMap}},
    {.name = "keyPoints",
     .help = "The key points of ideal answers by prompt.",
     .shape = {.values = &kKeyPointsShape}},
};
inline constexpr KeyPlace kFixtures{.words = "fixtures", .parts = {kFixtureKeys}};

}  // namespace assay::blueprint
