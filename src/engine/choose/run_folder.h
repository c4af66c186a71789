// The folder of a run, of a dialect that gives each run one.
#pragma once

#include <string>

#include "dialects/dialect.h"
#include "store/store.h"

namespace assay {

// Where a run keeps its files.
std::string FolderOfRun(const DialectRow& dialect, const Suite& suite, const RunRecord& record);

// Makes what a run lacks that was stopped too early for it, or what somebody took away. kCorrupt: the store
// names no folder below the suite's own root.
Status MakeFolder(const RunFolder& folder, const Suite& suite, const RunRecord& run);

// Begins the run in the store, with the name of a folder that is its own, and makes the folder afterwards:
// whoever stops the program in between leaves no folder that nobody continues.
Status BeginInFolder(const RunFolder& folder, const Suite& suite, RunRecord& run, Store& store);

}  // namespace assay
