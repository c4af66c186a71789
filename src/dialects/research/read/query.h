// Builds the text that a system under test is asked: the sources of a question, the question, and what a
// profile puts around it.
//   source  asky-cli 14f1a9e, evals/research_pipeline/source_providers.py (spec: research, 5)
//   cases   golden research/units.jsonl, kinds build_query and query_affixes
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "dialects/research/read/dataset.h"

namespace assay::research {

struct BuiltQuery {
  std::string text;
  std::vector<std::string> sources;  // paths or URLs, one for each document
};

// `snapshots`: the absolute path of each document by its id; absent if none were loaded. An error names what
// is missing, or that the provider asks nobody.
Result<BuiltQuery> BuildQuery(std::string_view provider, const std::vector<const Document*>& docs,
                              const std::optional<std::map<std::string, std::string>>& snapshots,
                              std::string_view question);

}  // namespace assay::research
