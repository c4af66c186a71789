// The keys of blueprints, one row for each place where they stand: prompts and headers here, what they
// contain in the files beside this one. Readers, warnings, the JSON Schema and docs/reference/keys.md follow
// these rows.
#pragma once

#include "dialects/blueprint/keys/criteria.h"
#include "dialects/blueprint/keys/datasets.h"
#include "dialects/blueprint/keys/models.h"

namespace assay::blueprint {

// --- prompts ---

inline constexpr KeyRow kPromptKeys[] = {
    {.name = "id",
     .help = "Names the prompt in results. The default is a name made from its content.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kNothing}},
    {.name = "prompt", .help = "The question.", .aliases = kWords<"promptText">},
    {.name = "messages",
     .help = "A conversation; the model answers at `assistant: null`.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNothing, .items = &kMessageShape}},
    {.name = "description", .help = "For readers; Markdown."},
    {.name = "ideal",
     .help = "A model answer. If there are no criteria, key points are extracted from it.",
     .aliases = kWords<"idealResponse">},
    {.name = "system",
     .help = "A system prompt instead of the header's; null for none.",
     .shape = kTextOrNullShape,
     .code = "blueprint.system"},
    {.name = "noCache", .help = "Kept in the results; it has no effect in assay.", .instead = kFreshHint},
    {.name = "citation", .help = kSourceHelp, .aliases = kWords<"reference">, .shape = kSourceShape},
    {.name = "weight",
     .help = kWeightHelp,
     .aliases = kWords<"importance", "multiplier">,
     .shape = kWeightShape,
     .code = "blueprint.weight"},
    {.name = "render_as", .help = "How answers are shown.", .shape = kRenderAsShape},
    {.name = "temperature",
     .help = "A temperature of its own, if the header sets none.",
     .shape = kNumberShape,
     .code = "blueprint.temperature"},
    {.name = "requiredTools",
     .help = kKeptHelp,
     .shape = {.kinds = ValueShape::kList},
     .instead = "write a criterion: $tool_called: NAME",
     .code = "blueprint.tools"},
    {.name = "prohibitedTools",
     .help = kKeptHelp,
     .shape = {.kinds = ValueShape::kList},
     .instead = "write under should_not: $tool_called: NAME",
     .code = "blueprint.tools"},
    {.name = "maxCalls",
     .help = kKeptHelp,
     .shape = {.kinds = ValueShape::kNumber, .least = 0},
     .instead = "write a criterion: $tool_call_count_between: [0, N]",
     .code = "blueprint.tools"},
    {.name = "should",
     .help = "The criteria of a good answer, one per item.",
     .aliases = kWords<"points", "expect", "expects", "expectations">,
     .shape = kRubricShape},
    {.name = "should_not", .help = "Criteria that a good answer must not meet.", .shape = kRubricShape},
    {.name = "tags",
     .help = "A list of words.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNull, .items = &kTextShape},
     .since = "0.4.0",
     .code = "blueprint.tags",
     .hint = kTagsHint},
    {.name = "response_format", .help = kSchemaHelp, .shape = kJsonSchemaShape, .since = "0.1.0"},
    {.name = "dataset", .help = kDatasetHelp, .shape = kDatasetShape, .since = "0.4.0"},
    {.name = "shots", .help = kShotsHelp, .shape = kShotsShape, .since = "0.4.0"},
    {.name = "extract", .help = kExtractHelp, .shape = kExtractShape, .since = "0.4.0"},
    {.name = "cluster",
     .help = "Give prompts the same name if they were not drawn independently, such as rewordings of one "
             "question.",
     .shape = {.kinds = ValueShape::kText, .is_filled = true},
     .since = "0.1.0",
     .code = "blueprint.cluster",
     .hint = "give all prompts that belong together the same name"},
    {.name = "flaky",
     .help = "true: the prompt is known to pass and fail by chance, and no gate counts it.",
     .shape = {.kinds = ValueShape::kBool},
     .since = "0.4.0",
     .code = "blueprint.flaky",
     .hint = "write \"flaky: true\" for a prompt that no gate should count"},
};
// Keys of the header that a prompt must not have: assay would ignore them there.
inline constexpr KeyRow kNotOfPrompts[] = {
    {.name = "models", .shape = {.kinds = ValueShape::kNever}},
    {.name = "prompts", .shape = {.kinds = ValueShape::kNever}},
};
inline constexpr KeyPlace kPrompt{
    .name = "prompt", .words = "a prompt", .parts = {kPromptKeys, kMediaKeys, kNotOfPrompts}};
inline constexpr const KeyPlace* kPrompts[] = {&kPrompt};
inline constexpr ValueShape kPromptShape{.kinds = ValueShape::kText | ValueShape::kNull, .members = kPrompts};

// --- headers ---

inline constexpr std::string_view kToolsHint =
    "no model is offered them: describe them in `system`, and grade with $tool_called";
inline constexpr KeyRow kHeaderKeys[] = {
    {.name = "id", .help = "Names the evaluation in results.", .aliases = kWords<"configId">},
    {.name = "title", .help = "For readers.", .aliases = kWords<"configTitle">},
    {.name = "description", .help = "For readers, and for judges as background. Markdown."},
    {.name = "tags",
     .help = "A list of words.",
     .shape = kTagsShape,
     .code = "blueprint.tags",
     .hint = kTagsHint},
    {.name = "models",
     .help = "The models that answer: provider:model, collections, or models of your own.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNothing, .items = &kModelShape}},
    {.name = "system",
     .help = "The system prompt of every prompt; a list means systems.",
     .aliases = kWords<"systemPrompt">,
     .shape = {.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kNothing}},
    {.name = "systems",
     .help = "Several system prompts: every prompt is sent with each. null means none.",
     .shape = {.kinds = ValueShape::kList, .items = &kTextOrNullShape}},
    {.name = "concurrency", .help = "The number of answers requested at once; the default is 10."},
    {.name = "temperature",
     .help = "How freely models choose their words; the default is 0.",
     .shape = kNumberShape,
     .code = "blueprint.temperature"},
    {.name = "temperatures",
     .help = "Several temperatures: every prompt is sent at each.",
     .shape = {.kinds = ValueShape::kList, .items = &kNumberShape},
     .code = "blueprint.temperature",
     .hint = "write [0, 0.5]"},
    {.name = "evaluationConfig",
     .help = "The judges.",
     .shape = {.kinds = ValueShape::kNull, .members = kEvaluations}},
    {.name = "embeddingModel", .help = "The model that compares answers with the ideal one."},
    {.name = "point_defs",
     .help = "Named criteria, which $ref puts into a rubric.",
     .aliases = kWords<"defs">},
    {.name = "author",
     .help = "A name, or {name, url, image_url}.",
     .shape = {.kinds = ValueShape::kText, .members = kAuthors}},
    {.name = "reference",
     .help = "The sources: a text, {title, url}, or a list of these.",
     .aliases = kWords<"citation", "references", "citations">,
     .shape = kSourcesShape},
    {.name = "render_as", .help = "How the answers to all prompts are shown.", .shape = kRenderAsShape},
    {.name = "externalServices",
     .help = "Services that grade answers: {NAME: {url, method, headers}}.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kNothing,
               .values = &kServiceShape}},
    {.name = "dataset", .help = kDatasetHelp, .shape = kDatasetShape, .since = "0.4.0"},
    {.name = "shots", .help = kShotsHelp, .shape = kShotsShape, .since = "0.4.0"},
    {.name = "extract", .help = kExtractHelp, .shape = kExtractShape, .since = "0.4.0"},
    {.name = "response_format", .help = kSchemaHelp, .shape = kJsonSchemaShape, .since = "0.3.0"},
    kSentKeys[0],
    kSentKeys[1],
    {.name = "tools",
     .help = kKeptHelp,
     .shape = {.kinds = ValueShape::kList | ValueShape::kNothing},
     .instead = kToolsHint,
     .code = "blueprint.tools"},
    {.name = "toolUse",
     .help = kKeptHelp,
     .instead = "no model is offered tools: describe them in `system`, and grade with $tool_called"},
    {.name = "context", .help = kKeptHelp, .instead = "write what models should know into `system`"},
    {.name = "noCache",
     .help = "true: weval sends every request again. In assay, use --fresh.",
     .instead = kFreshHint},
    {.name = "prompts",
     .help = "The prompts, if header and prompts are one document.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNothing, .items = &kPromptShape}},
    {.name = "$schema", .help = "The address of this schema, for editors."},
};
inline constexpr KeyPlace kHeaderOfWeval{.words = "the header", .parts = {kHeaderKeys}};
inline constexpr KeyPlace kHeader{
    .name = "header", .words = "the header", .parts = {kHeaderKeys, kOptionKeys}};
// A header, or a prompt alone.
inline constexpr KeyPlace kDocument{
    .name = "document", .words = "a document", .parts = {kHeaderKeys, kOptionKeys, kPromptKeys, kMediaKeys}};
inline constexpr const KeyPlace* kDocuments[] = {&kDocument};
inline constexpr ValueShape kDocumentShape{
    .kinds = ValueShape::kNull, .items = &kPromptShape, .members = kDocuments};

}  // namespace assay::blueprint
