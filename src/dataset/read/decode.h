// Turns the bytes of a dataset's file into text: unpacks them and decodes their letters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/errors/span.h"
#include "dataset/options.h"

namespace assay::dataset {

// What a file is that nothing here reads; an empty code: it may be a table.
Problem OtherKind(const std::string& path, std::string_view bytes);

// The file of the text in `sources`; nothing after an error.
std::optional<FileId> Decode(const std::string& path, std::string bytes, const Options& options,
                             Span named_at, SourceFiles& sources, Problems& problems);

}  // namespace assay::dataset
