// What somebody who named a file or folder that is not there may have meant.
#pragma once

#include <string>
#include <string_view>

#include "base/files/file_reader.h"

namespace assay {

// The path with its last part as the folder has it: "cases/undo.txt" for "cases/udno.txt". "" if nothing
// there is near, or the folder cannot be listed.
std::string NearFile(FileReader& files, std::string_view path);

}  // namespace assay
