// Lines of comma-separated values as Python's csv writer has them: cells are quoted only where they must be.
#pragma once

#include <span>
#include <string>

namespace assay::infibench {

// The cells with commas between them and "\n" behind them.
void AppendCsvLine(std::span<const std::string> cells, std::string& out);

}  // namespace assay::infibench
