// Paths for research commands: the roots that relative paths count from, and the dataset that an option
// names.
#pragma once

#include <optional>
#include <string>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/paths.h"
#include "dialects/research/read/dataset.h"

namespace assay {

// The current folder and the home of whoever runs this; no matrix.
PathRoots RootsOfProcess();
// The dataset of an option, its path absolute and without links. Nothing after an error.
std::optional<research::Dataset> LoadDataset(const std::string& path, FileReader& files, SourceFiles& sources,
                                             Diagnostics& diagnostics);

}  // namespace assay
