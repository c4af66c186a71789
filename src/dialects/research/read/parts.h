// Recognises and checks datasets and matrices as single files: the functions of their rows in
// dialects/parts.cc.
#pragma once

#include "dialects/parts.h"

namespace assay::research {

// By structure: documents and tests, and nothing that another format asks.
bool ClaimsDataset(std::string_view path, std::string_view text);
// TOML, but for the settings of this program.
bool ClaimsMatrix(std::string_view path, std::string_view text);
std::optional<std::string> CheckDataset(const PartInput& input, FileId file, std::string_view text);
// With the dataset that the matrix names, if it names one.
std::optional<std::string> CheckMatrix(const PartInput& input, FileId file, std::string_view text);

}  // namespace assay::research
