// Reads the files that variables name, as texts.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/files/file_reader.h"

namespace assay::promptfoo {

// What the variable of a file has: YAML as JSON, pictures and sound in Base64, all else as a trimmed text.
// kUnsupported for the user's own code and for PDF.
Result<std::string> FileValue(FileReader& files, const std::string& path);

}  // namespace assay::promptfoo
