// Suites of other formats in the terms of a blueprint: what reads their files makes a header and prompts,
// whose values keep their places there. From then on, they are read as blueprints are.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dialects/blueprint/read/parse.h"
#include "dialects/blueprint/rows/datasets.h"
#include "dialects/dialect.h"

namespace assay::blueprint {

struct ForeignSuite {
  std::string_view dialect;
  std::span<const std::string_view> checks = {};  // that only this dialect offers
  Map header;
  std::vector<PromptEntry> entries;  // datasets are expanded
  Span whole;                        // the place of the file
};

// Where datasets of the file start, and what the command line says of their rows.
DatasetReading DatasetsOf(const ReadInput& input);

// A Suite; nothing after an error (but see ReadOptions::reads_on). A check of the dialect's own that has
// `name` among its arguments is told under that name.
std::optional<Suite> ReadForeign(ForeignSuite foreign, DatasetReading& reading, const ReadInput& input,
                                 FileId file, std::string_view text);

}  // namespace assay::blueprint
