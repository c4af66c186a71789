// The files that the paths of a dataset name: `*` and `?` within a name, `**` across folders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"
#include "dataset/options.h"

namespace assay::dataset {

struct NamedFile {
  std::string path;
  Span where;  // where the dataset names it
};

// Whether `pattern`, in which `*` stands for any letters and `?` for one, covers all of `name`.
bool CoversName(std::string_view pattern, std::string_view name);

// Those of each path sorted by name. `folder`: of the file with the dataset, "" or ending in "/".
std::vector<NamedFile> FilesOf(const std::vector<Name>& paths, std::string_view folder, FileReader& files,
                               Problems& problems);

}  // namespace assay::dataset
