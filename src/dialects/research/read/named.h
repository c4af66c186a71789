// Tells what a matrix names and is not there: its dataset, and the aliases of models.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/dialect.h"
#include "dialects/research/read/matrix.h"

namespace assay::research {

// The matrix has no `dataset`. A key that is a slip for it is an error in any case.
void TellNoDataset(const Matrix& matrix, Span start, Severity severity, Diagnostics& diagnostics);
void TellUnreadDataset(const Error& problem, const std::string& path, Span where, FileReader& files,
                       Diagnostics& diagnostics);
// Why nobody can be asked under this alias; its note says what to do.
Error UnknownAlias(std::string_view alias, const ModelAliases& aliases);

}  // namespace assay::research
