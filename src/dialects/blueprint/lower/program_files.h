// The files that `$unit_test` of a blueprint names: tests, what stands before them, and what cleans up.
#pragma once

#include <string_view>

#include "base/files/file_reader.h"
#include "spec/suite/case.h"

namespace assay::blueprint {

// Puts their texts beside the paths, and says that all tests together give 1. A path counts from `folder`, ""
// or ending in "/"; what cannot be read becomes the test's problem.
void InlineProgramFiles(std::string_view folder, FileReader& files, Case& the_case);

}  // namespace assay::blueprint
