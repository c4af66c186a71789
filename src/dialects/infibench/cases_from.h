// `cases_from` of a suite: cases that rows of tables fill in. Ours: the original has no such key.
#pragma once

#include <vector>

#include "dialects/infibench/case_file.h"
#include "spec/suite/suite.h"

namespace assay::infibench {

struct CasesFrom {
  std::vector<Case> cases;
  std::vector<SourceFile> files;  // of the tables
  List summaries;                 // rows_from/table_summary.h
};

// All cases, whoever is selected. `list`: the value of the key.
CasesFrom ReadCasesFrom(const Member& list, const SuiteDefaults& defaults, const ReadInput& input);

}  // namespace assay::infibench
