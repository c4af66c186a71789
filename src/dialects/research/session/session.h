// Reads the folder that a run of a matrix leaves behind, and makes its Markdown files again from its rows.
//   source  asky-cli 14f1a9e, evals/research_pipeline/report.py (spec: research, 8)
//   cases   golden research/report_cases
//
//   <session>/<run>/artifacts/{results.jsonl, results.md, summary.json}
//   <session>/{summary.json, report.md}
#pragma once

#include <string>
#include <string_view>

#include "dialects/dialect.h"

namespace assay::research {

// results.md of every run with a summary, and report.md, runs by the names of their folders. `shown` is the
// session's folder as the files name it. kNotFound: no run has a summary; kInvalidInput, kCorrupt: a file
// that is no JSON, or lacks what the tables need, with its path.
Result<RebuiltFiles> RebuildSession(const std::string& folder, std::string_view shown,
                                    std::string_view dataset_id, FileReader& files);
// The dataset that the session's own summary.json names; "" if it names none.
std::string DatasetOfSession(const std::string& folder, FileReader& files);
// The same for the dataset that --dataset names, else the session itself. The diagnostics have an error where
// that dataset cannot be used.
Result<RebuiltFiles> RebuildResearch(const RebuildInput& input);

}  // namespace assay::research
