// The tables of keys of tasks.
#include "dialects/lm_eval/keys.h"

namespace assay::lm_eval {

namespace {

constexpr ValueShape kTaskText{.kinds = ValueShape::kText | ValueShape::kNull};
constexpr ValueShape kTaskTemplate{.kinds = ValueShape::kText | ValueShape::kNumber | ValueShape::kNull};
constexpr ValueShape kTaskCount{.kinds = ValueShape::kWhole | ValueShape::kNull, .least = 0};
constexpr ValueShape kTaskTruth{.kinds = ValueShape::kBool | ValueShape::kNull};
constexpr ValueShape kTaskName{.kinds = ValueShape::kText};
constexpr ValueShape kTaskNames{.kinds = ValueShape::kText | ValueShape::kNull, .items = &kTaskName};
constexpr ValueShape kRefusedKey{.kinds = ValueShape::kNever};

constexpr KeyRow kFilterStepKeys[] = {
    {.name = "function",
     .help = "The kind of step.",
     .shape = {.kinds = ValueShape::kText,
               .words = kWords<"regex", "multi_choice_regex", "take_first", "lowercase", "uppercase",
                               "remove_whitespace", "map", "majority_vote">},
     .is_required = true},
    {.name = "regex_pattern", .help = "A pattern of Python.", .shape = kTaskName},
    {.name = "group_select",
     .help = "The match that counts; -1 is the last.",
     .shape = {.kinds = ValueShape::kWhole}},
    {.name = "fallback", .help = "The answer if nothing matches.", .shape = kTaskName},
    {.name = "ignore_case", .help = "true: letters of both cases match.", .shape = kTaskTruth},
    {.name = "ignore_punctuation", .help = "true: punctuation does not matter.", .shape = kTaskTruth},
    {.name = "regexes_to_ignore", .help = "Patterns of text to cut first.", .shape = kTaskNames},
    {.name = "mapping_dict", .help = "Answers and their replacements.", .shape = {.kinds = ValueShape::kMap}},
    {.name = "default_value", .help = "The value of all other answers."},
};
constexpr KeyPlace kFilterStep{.words = "a step of a filter", .parts = {kFilterStepKeys}};
constexpr const KeyPlace* kFilterSteps[] = {&kFilterStep};
constexpr ValueShape kFilterStepShape{.members = kFilterSteps};
constexpr KeyRow kFilterKeys[] = {
    {.name = "name", .help = "The name of the point.", .shape = kTaskName},
    {.name = "filter",
     .help = "The steps, in order.",
     .shape = {.items = &kFilterStepShape},
     .is_required = true},
};
constexpr KeyPlace kTaskFilter{.words = "a filter", .parts = {kFilterKeys}};
constexpr const KeyPlace* kTaskFilters[] = {&kTaskFilter};
constexpr ValueShape kTaskFilterShape{.members = kTaskFilters};

constexpr KeyRow kTaskMetricKeys[] = {
    {.name = "metric",
     .help = "How an answer is compared.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"exact_match">},
     .is_required = true},
    {.name = "aggregation", .help = "How scores are combined; assay shows their mean."},
    {.name = "higher_is_better", .help = "For readers."},
    {.name = "ignore_case", .help = "true: letters of both cases are equal.", .shape = kTaskTruth},
    {.name = "ignore_punctuation", .help = "true: punctuation does not matter.", .shape = kTaskTruth},
    {.name = "ignore_numbers", .help = "true: digits do not matter.", .shape = kTaskTruth},
    {.name = "regexes_to_ignore",
     .help = "Patterns of Python for text that does not matter.",
     .shape = kTaskNames},
};
constexpr KeyPlace kTaskMetric{.words = "a metric", .parts = {kTaskMetricKeys}};
constexpr const KeyPlace* kTaskMetrics[] = {&kTaskMetric};
constexpr ValueShape kTaskMetricShape{.members = kTaskMetrics};

constexpr KeyRow kTaskShotsKeys[] = {
    {.name = "samples",
     .help = "The examples, as rows.",
     .shape = {.kinds = ValueShape::kList | ValueShape::kNull}},
    {.name = "split", .help = "The split that the examples are drawn from.", .shape = kTaskText},
    {.name = "sampler",
     .help = "first_n takes the first rows; otherwise examples are drawn once.",
     .shape = {.kinds = ValueShape::kText, .examples = kWords<"first_n", "default">}},
    {.name = "num_fewshot", .help = "The number of examples before each question.", .shape = kTaskCount},
};
constexpr KeyPlace kTaskShots{.words = "fewshot_config", .parts = {kTaskShotsKeys}};
constexpr const KeyPlace* kTaskShotsPlaces[] = {&kTaskShots};

constexpr KeyRow kTaskGenerationKeys[] = {
    {.name = "until", .help = "Texts at which the answer is cut before it is graded.", .shape = kTaskNames},
    {.name = "temperature",
     .help = "How freely models choose their words.",
     .shape = {.kinds = ValueShape::kNumber, .least = 0}},
    {.name = "do_sample", .help = "false: the temperature is 0.", .shape = kTaskTruth},
    {.name = "max_gen_toks", .help = "The token limit of an answer.", .shape = kTaskCount},
};
constexpr KeyPlace kTaskGeneration{.words = "generation_kwargs", .parts = {kTaskGenerationKeys}};
constexpr const KeyPlace* kTaskGenerations[] = {&kTaskGeneration};

constexpr KeyRow kTaskDataKeys[] = {
    {.name = "data_files",
     .help = "The file of rows, or one for each split.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kMap}},
    {.name = "field", .help = "The member of a JSON document that contains the rows.", .shape = kTaskName},
    {.name = "delimiter", .help = "The character between cells of CSV.", .shape = kTaskName},
    {.name = "sep", .help = "The character between cells of CSV.", .shape = kTaskName},
};
constexpr KeyPlace kTaskData{.words = "dataset_kwargs", .parts = {kTaskDataKeys}};
constexpr const KeyPlace* kTaskDatas[] = {&kTaskData};

constexpr KeyRow kTaskKeys[] = {
    {.name = "task",
     .help = "The name of the task; of a group, its tasks.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kNull}},
    {.name = "task_alias", .help = "For readers.", .shape = kTaskText},
    {.name = "tag", .help = "For readers."},
    {.name = "group", .help = "The name of a group of tasks."},
    {.name = "group_alias", .help = "For readers."},
    {.name = "include",
     .help = "A file of the folder that this one adds to, or a list of them.",
     .shape = kTaskNames},
    {.name = "dataset_path",
     .help = "json or csv, with files in dataset_kwargs; a name of a hub needs --data TASK=FILE.",
     .shape = kTaskText},
    {.name = "dataset_name", .help = "The name of a part of the dataset."},
    {.name = "dataset_kwargs",
     .help = "The files of rows.",
     .shape = {.kinds = ValueShape::kNull, .members = kTaskDatas}},
    {.name = "training_split", .help = "The split of rows for training.", .shape = kTaskText},
    {.name = "validation_split",
     .help = "The split that is asked if there is no test_split.",
     .shape = kTaskText},
    {.name = "test_split", .help = "The split that is asked.", .shape = kTaskText},
    {.name = "fewshot_split", .help = "The split that examples come from.", .shape = kTaskText},
    {.name = "doc_to_text",
     .help = "The question: a template, or the name of a column.",
     .shape = kTaskTemplate},
    {.name = "doc_to_target", .help = "The wanted answer: a template, a column, or a list.", .shape = {}},
    {.name = "doc_to_choice", .help = "The choices: a template, a column, or a list.", .shape = {}},
    {.name = "description", .help = "The text before each question.", .shape = kTaskText},
    {.name = "target_delimiter",
     .help = "The text between an example's question and its answer.",
     .shape = kTaskText},
    {.name = "fewshot_delimiter", .help = "The text between two examples.", .shape = kTaskText},
    {.name = "fewshot_config",
     .help = "Where examples come from.",
     .shape = {.kinds = ValueShape::kNull, .members = kTaskShotsPlaces}},
    {.name = "num_fewshot", .help = "The number of examples before each question.", .shape = kTaskCount},
    {.name = "metric_list",
     .help = "How answers are compared.",
     .shape = {.kinds = ValueShape::kNull, .items = &kTaskMetricShape}},
    {.name = "output_type",
     .help = "generate_until: the model writes a text.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"generate_until">}},
    {.name = "generation_kwargs",
     .help = "How answers are requested, and where they are cut.",
     .shape = {.kinds = ValueShape::kNull, .members = kTaskGenerations}},
    {.name = "repeats",
     .help = "Attempts at each question.",
     .shape = {.kinds = ValueShape::kWhole | ValueShape::kNull, .least = 1, .most = 1'000}},
    {.name = "filter_list",
     .help = "The part of an answer that is compared; each filter is a point.",
     .shape = {.kinds = ValueShape::kNull, .items = &kTaskFilterShape}},
    {.name = "metadata", .help = "For readers."},
    {.name = "should_decontaminate", .help = "It has no effect here."},
    {.name = "doc_to_decontamination_query", .help = "It has no effect here."},
    {.name = "aggregate_metric_list", .help = "It has no effect here."},
    {.name = "unsafe_code", .help = "It has no effect here."},
    {.name = "class", .shape = kRefusedKey},
    {.name = "custom_dataset", .shape = kRefusedKey},
    {.name = "process_docs", .shape = kRefusedKey},
    {.name = "process_results", .shape = kRefusedKey},
    {.name = "use_prompt", .shape = kRefusedKey},
    {.name = "doc_to_image", .shape = kRefusedKey},
    {.name = "doc_to_audio", .shape = kRefusedKey},
    {.name = "gen_prefix", .shape = kRefusedKey},
};

}  // namespace

constexpr KeyPlace kTask{.words = "a task", .parts = {kTaskKeys}};

}  // namespace assay::lm_eval
