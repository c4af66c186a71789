// The keys of `dataset:`, in a header and in a prompt (docs/datasets.md).
#pragma once

#include "dialects/keys/key.h"

namespace assay::blueprint {

inline constexpr ValueShape kAnyTextShape{.kinds = ValueShape::kText};
inline constexpr ValueShape kRowShape{.kinds = ValueShape::kMap};

inline constexpr KeyRow kSampleKeys[] = {
    {.name = "n",
     .help = "The number of rows; with per, of each group.",
     .shape = {.kinds = ValueShape::kWhole}},
    {.name = "seed", .help = "Another seed draws another sample.", .shape = {.kinds = ValueShape::kWhole}},
    {.name = "per", .help = "A column: n rows of each of its values.", .shape = kAnyTextShape},
};
inline constexpr KeyPlace kSample{.name = "sample", .words = "a sample", .parts = {kSampleKeys}};
inline constexpr const KeyPlace* kSamples[] = {&kSample};

inline constexpr KeyRow kDatasetKeys[] = {
    {.name = "path",
     .help = "The file, from the blueprint's folder; a list of files; a pattern with *, ? and **.",
     .shape = {.kinds = ValueShape::kText, .items = &kAnyTextShape}},
    {.name = "rows", .help = "Rows written here, in place of a file.", .shape = {.items = &kRowShape}},
    {.name = "format",
     .help = "The format of the file; by default its name decides.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"csv", "tsv", "json", "jsonl">}},
    {.name = "encoding",
     .help = "The encoding of the file; the default is utf-8.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"utf-8", "utf-16", "windows-1252", "latin-1">}},
    {.name = "delimiter",
     .help = "The character between cells; by default the first line decides.",
     .shape = kAnyTextShape},
    {.name = "header",
     .help = "The names of the columns if the first line is a row; none: c1, c2, ...",
     .shape = {.kinds = ValueShape::kText, .items = &kAnyTextShape}},
    {.name = "columns",
     .help = "Other names for columns: {new: old}.",
     .shape = {.kinds = ValueShape::kMap, .values = &kAnyTextShape}},
    {.name = "types",
     .help = "The types of cells, per CSV column: text, number, integer, boolean, list or json.",
     .shape = {.kinds = ValueShape::kMap}},
    {.name = "nulls",
     .help = "Texts that mean an empty cell.",
     .shape = {.kinds = ValueShape::kText, .items = &kAnyTextShape}},
    {.name = "empty",
     .help = "The meaning of an empty cell; the default is null.",
     .shape = {.kinds = ValueShape::kText | ValueShape::kNull, .words = kWords<"null", "text">}},
    {.name = "at", .help = "The member of a JSON document that contains the rows.", .shape = kAnyTextShape},
    {.name = "file_column", .help = "A column for the name of the file.", .shape = kAnyTextShape},
    {.name = "id",
     .help = "The id of a row, a template; the default comes from its content.",
     .shape = kAnyTextShape},
    {.name = "duplicates",
     .help = "drop: leave out rows that the table contains twice.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"drop">}},
    {.name = "where",
     .help = "The rows that become cases: {column: value}.",
     .shape = {.kinds = ValueShape::kMap}},
    {.name = "sample",
     .help = "A number of rows, chosen by their ids.",
     .shape = {.kinds = ValueShape::kWhole, .members = kSamples}},
    {.name = "shuffle",
     .help = "A seed for another order of the rows.",
     .shape = {.kinds = ValueShape::kWhole}},
    {.name = "limit", .help = "The first rows alone.", .shape = {.kinds = ValueShape::kWhole}},
    {.name = "keep",
     .help = "Columns that the exports jsonl and csv show as row.NAME.",
     .shape = {.kinds = ValueShape::kText, .items = &kAnyTextShape}},
};
inline constexpr ValueShape kSeedShape{.kinds = ValueShape::kWhole};
inline constexpr KeyRow kShotKeys[] = {
    {.name = "n",
     .help = "The number of examples.",
     .shape = {.kinds = ValueShape::kWhole, .least = 0},
     .is_required = true},
    {.name = "assistant",
     .help = "The answer of an example, a template: \"{{answer}}\".",
     .shape = kAnyTextShape},
    {.name = "user",
     .help = "The question of an example, a template; the default is the prompt's own text.",
     .shape = kAnyTextShape},
    {.name = "seed",
     .help = "Another seed draws other examples; several seeds are variants.",
     .shape = {.kinds = ValueShape::kWhole, .items = &kSeedShape}},
    {.name = "pick",
     .help = "seeded: the same examples for every row; first: those at the start; each: others for each row.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"seeded", "first", "each">}},
    {.name = "per", .help = "A column: examples with the same value as the row.", .shape = kAnyTextShape},
    {.name = "spread",
     .help = "A column: one example of each of its values in turn.",
     .shape = kAnyTextShape},
    {.name = "as",
     .help = "turns of the conversation, or a text in place of {{shots}}.",
     .shape = {.kinds = ValueShape::kText, .words = kWords<"turns", "text">}},
    {.name = "text", .help = "One example as text, a template.", .shape = kAnyTextShape},
    {.name = "separator",
     .help = "Between examples as text; the default is an empty line.",
     .shape = kAnyTextShape},
    {.name = "shown",
     .help = "false: judges do not see the examples.",
     .shape = {.kinds = ValueShape::kBool}},
};
inline constexpr KeyPlace kShots{.name = "shots", .words = "shots", .parts = {kShotKeys, kDatasetKeys}};
inline constexpr const KeyPlace* kShotsPlaces[] = {&kShots};
inline constexpr ValueShape kShotsShape{.kinds = ValueShape::kNull, .members = kShotsPlaces};
inline constexpr std::string_view kShotsHelp =
    "Examples before the question: rows of the same table or of another one.";

inline constexpr KeyPlace kDataset{.name = "dataset", .words = "a dataset", .parts = {kDatasetKeys}};
inline constexpr const KeyPlace* kDatasets[] = {&kDataset};
inline constexpr ValueShape kDatasetShape{.kinds = ValueShape::kText | ValueShape::kList | ValueShape::kNull,
                                          .members = kDatasets};
inline constexpr std::string_view kDatasetHelp =
    "A table: each of its rows fills the prompt's {{COLUMN}} in and is a case.";

}  // namespace assay::blueprint
