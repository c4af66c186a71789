// Matrix: reads a research matrix: which profiles are run over a dataset.
//   source  asky-cli 14f1a9e, evals/research_pipeline/matrix.py (spec: research, 2)
//   cases   golden research/matrix_cases.jsonl
//   known deviations: ids that leave their folder are errors; every problem is told, not the first one alone
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "dialects/paths.h"
#include "spec/report/profile.h"
#include "spec/suite/agent_settings.h"
#include "text/value.h"

namespace assay::research {

struct RunProfile {
  std::string id;
  std::string label;  // what tables and pages call it; "": its id
  Profile profile;
  std::string source_provider;          // as the matrix says it: "auto" too
  Map parameters;                       // values of any kind that TOML has
  std::optional<std::string> mock_web;  // the file of its simulated web, absolute
  TurnLimits limits;
  Span span;
  Span alias_span;  // of its model_alias
  Span tools_span;  // of its disabled_tools
};

struct Matrix {
  // Absolute.
  std::string path;
  std::optional<std::string> dataset;
  std::optional<std::string> snapshot_root;
  std::optional<std::string> output_root;
  std::vector<RunProfile> runs;
  Span dataset_span;
  Span snapshot_root_span;
  bool has_wrong_dataset = false;      // its `dataset` is an error already
  std::optional<Member> dataset_slip;  // an unknown key that is near to `dataset`, which is not there
};

// Nothing after an error, unless the reader `reads_on`: then a wrong value counts as absent, and what must
// not be absent gets a stand-in. `path` is absolute; `text` is the content of `file`.
std::optional<Matrix> ReadMatrix(FileId file, std::string_view path, std::string_view text,
                                 const PathRoots& roots, Diagnostics& diagnostics, bool reads_on = false);

// What is not offered cannot be taken away: a slip, or names that lack a comma. Of a run that no program
// answers: those have tools of their own.
void WarnOfTools(const RunProfile& run, Diagnostics& diagnostics);

// The ids of --run: repeated, or between commas; each once, in order.
std::vector<std::string> SplitRunIds(const std::vector<std::string>& words);

}  // namespace assay::research
