// The tables of keys of exports.
#include "dialects/openai_hosted/keys.h"

namespace assay::hosted {

namespace {

constexpr ValueShape kExportText{.kinds = ValueShape::kText};
constexpr ValueShape kExportTexts{.kinds = ValueShape::kList, .items = &kExportText};
constexpr ValueShape kExportNumber{.kinds = ValueShape::kNumber};
constexpr ValueShape kExportNumbers{.kinds = ValueShape::kList, .items = &kExportNumber};

constexpr KeyRow kMessageKeys[] = {
    {.name = "role",
     .help = "The speaker.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"user", "assistant", "system", "developer">}},
    {.name = "content",
     .help = "A text with {{item.COLUMN}}, or {type: input_text, text}.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kMap},
     .is_required = true},
};
constexpr KeyPlace kExportMessage{.words = "a message", .parts = {kMessageKeys}};
constexpr const KeyPlace* kExportMessagePlaces[] = {&kExportMessage};
constexpr ValueShape kExportMessageShape{.members = kExportMessagePlaces};

// What graders of every type have.
constexpr KeyRow kGraderKeys[] = {
    {.name = "name", .help = "The name of the point.", .shape = kExportText},
    {.name = "pass_threshold", .help = "The mark from which the grader gives 1.", .shape = kExportNumber},
};
constexpr KeyRow kStringKeys[] = {
    {.name = "type",
     .help = "string_check compares two texts.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"string_check">},
     .is_required = true},
    {.name = "operation",
     .help = "eq and ne compare whole texts, like and ilike look for a part.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"eq", "ne", "like", "ilike">},
     .is_required = true},
    {.name = "input", .help = "The text to compare: {{sample.output_text}}.", .is_required = true},
    {.name = "reference", .help = "The other text: {{item.COLUMN}}.", .is_required = true},
};
constexpr KeyRow kSimilarityKeys[] = {
    {.name = "type",
     .help = "text_similarity measures how alike two texts are.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"text_similarity">},
     .is_required = true},
    {.name = "evaluation_metric",
     .help = "The measure.",
     .shape = {.kinds = ValueShape::kText,
               .words = kWords<"fuzzy_match", "bleu", "rouge_1", "rouge_2", "rouge_l">},
     .is_required = true},
    {.name = "input", .help = "The text to compare: {{sample.output_text}}.", .is_required = true},
    {.name = "reference", .help = "The other text: {{item.COLUMN}}.", .is_required = true},
};
constexpr KeyRow kLabelKeys[] = {
    {.name = "type",
     .help = "label_model asks a model for a label.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"label_model">},
     .is_required = true},
    {.name = "labels", .help = "The labels.", .shape = kExportTexts, .is_required = true},
    {.name = "passing_labels", .help = "The labels that pass.", .shape = kExportTexts, .is_required = true},
};
constexpr KeyRow kScoreKeys[] = {
    {.name = "type",
     .help = "score_model asks a model for a number.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"score_model">},
     .is_required = true},
    {.name = "range", .help = "The least and the largest number.", .shape = kExportNumbers},
};
constexpr KeyRow kModelKeys[] = {
    {.name = "model", .help = "The model that grades.", .shape = kExportText, .is_required = true},
    {.name = "input",
     .help = "The messages for that model.",
     .shape = {.items = &kExportMessageShape},
     .is_required = true},
};
constexpr KeyPlace kStringCheck{
    .name = "string_check", .words = "a grader", .parts = {kStringKeys, kGraderKeys}};
constexpr KeyPlace kSimilarity{
    .name = "text_similarity", .words = "a grader", .parts = {kSimilarityKeys, kGraderKeys}};
constexpr KeyPlace kLabelModel{
    .name = "label_model", .words = "a grader", .parts = {kLabelKeys, kModelKeys, kGraderKeys}};
constexpr KeyPlace kScoreModel{
    .name = "score_model", .words = "a grader", .parts = {kScoreKeys, kModelKeys, kGraderKeys}};
constexpr const KeyPlace* kGraders[] = {&kStringCheck, &kSimilarity, &kLabelModel, &kScoreModel};
constexpr ValueShape kGraderShape{.members = kGraders};
constexpr KeyRow kMultiKeys[] = {
    {.name = "type",
     .help = "multi calculates with other graders.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"multi">},
     .is_required = true},
    {.name = "graders",
     .help = "Graders by their names.",
     .shape = {.values = &kGraderShape},
     .is_required = true},
    {.name = "calculate_output",
     .help = "A formula of their names, + - * / and brackets.",
     .shape = kExportText,
     .is_required = true},
};
constexpr KeyPlace kMulti{.name = "multi", .words = "a grader", .parts = {kMultiKeys, kGraderKeys}};
constexpr const KeyPlace* kCriteria[] = {&kStringCheck, &kSimilarity, &kLabelModel, &kScoreModel, &kMulti};
constexpr ValueShape kCriterionShape{.members = kCriteria};

constexpr KeyRow kInputKeys[] = {
    {.name = "type",
     .help = "template: messages. item_reference: a member of the item that has them.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"template", "item_reference">}},
    {.name = "template", .help = "The messages.", .shape = {.items = &kExportMessageShape}},
    {.name = "item_reference", .help = "The member of the item: item.input.", .shape = kExportText},
};
constexpr KeyPlace kInput{.words = "input_messages", .parts = {kInputKeys}};
constexpr const KeyPlace* kInputs[] = {&kInput};
constexpr KeyRow kSourceKeys[] = {
    {.name = "type",
     .help = "Where answers come from.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"completions", "responses">}},
    {.name = "model", .help = "The model that answers; -m names another one.", .shape = kExportText},
    {.name = "input_messages", .help = "The questions.", .shape = {.members = kInputs}, .is_required = true},
    {.name = "sampling_params",
     .help = "The temperature, the limit of tokens and the format of answers.",
     .shape = {.kinds = ValueShape::kMap | ValueShape::kNull}},
    {.name = "source",
     .help = "The rows: {type: file_content, content: [{item}]}. Other rows: --data items=FILE.",
     .shape = {.kinds = ValueShape::kMap}},
};
constexpr KeyPlace kRunSource{.name = "data_source", .words = "data_source", .parts = {kSourceKeys}};
constexpr const KeyPlace* kRunSources[] = {&kRunSource};
constexpr ValueShape kRunSourceShape{.members = kRunSources};
constexpr KeyRow kRunKeys[] = {
    {.name = "data_source",
     .help = "The questions, and the model that answers.",
     .shape = kRunSourceShape,
     .is_required = true},
};
constexpr KeyPlace kExportRun{.words = "a run", .parts = {kRunKeys}};
constexpr const KeyPlace* kExportRuns[] = {&kExportRun};
constexpr ValueShape kExportRunShape{.members = kExportRuns};

constexpr KeyRow kConfigKeys[] = {
    {.name = "type",
     .help = "custom: the rows are items.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"custom">}},
    {.name = "item_schema", .help = "For readers."},
    {.name = "include_sample_schema", .help = "For readers."},
};
constexpr KeyPlace kSourceConfig{.words = "data_source_config", .parts = {kConfigKeys}};
constexpr const KeyPlace* kSourceConfigs[] = {&kSourceConfig};
constexpr KeyRow kExportKeys[] = {
    {.name = "name", .help = "The title.", .shape = {.kinds = ValueShape::kText | ValueShape::kNull}},
    {.name = "id", .help = "For readers."},
    {.name = "metadata", .help = "For readers."},
    {.name = "data_source_config", .help = "The form of the rows.", .shape = {.members = kSourceConfigs}},
    {.name = "testing_criteria",
     .help = "The graders; each is a point.",
     .shape = {.items = &kCriterionShape},
     .is_required = true},
    {.name = "data_source", .help = "The questions, and the model that answers.", .shape = kRunSourceShape},
    {.name = "run", .help = "A run, which has the data_source.", .shape = kExportRunShape},
    {.name = "runs",
     .help = "Runs, of which the first is read.",
     .shape = {.items = &kExportRunShape, .members = kExportRuns}},
};

}  // namespace

constexpr KeyPlace kExport{.words = "an exported eval", .parts = {kExportKeys}};

}  // namespace assay::hosted
