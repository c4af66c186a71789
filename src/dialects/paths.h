// Resolves paths as matrices and their options write them. Nothing looks at the disk.
//   source  asky-cli 14f1a9e, evals/research_pipeline/matrix.py (spec: research, 2)
//   known deviations: a link followed by `..` is not looked up; `~name` is refused
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"

namespace assay {

struct PathRoots {
  std::string matrix_folder;  // absolute; of `./` and `../`
  std::string cwd;            // absolute; of all other relative paths
  std::string home;           // of `~`; "" if there is none
};

// Where a path of a matrix leads: `~` expanded, absolute paths as written, `./` and `../` from the matrix's
// folder, the rest from the current one. Absolute; white space around it does not count.
Result<std::string> ResolveMatrixPath(std::string_view path, const PathRoots& roots);
// The same of an option, where `./` means the current folder as well.
Result<std::string> ResolveOptionPath(std::string_view path, const PathRoots& roots);
// "/a/b/../c/./d/" -> "/a/c/d".
std::string WithoutDots(std::string_view absolute);
// The folder of a file: "/a/b" of "/a/b/c".
std::string FolderOfFile(std::string_view path);

}  // namespace assay
