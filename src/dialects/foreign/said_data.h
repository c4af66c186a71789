// `--data`: where the rows are of a task or eval whose file does not name them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"

namespace assay::foreign {

inline constexpr std::string_view kDataOption = "data";
Result<std::string> ReadDataOption(std::string_view text);  // NAME=FILE

inline constexpr DialectOption kDataRow{
    .name = kDataOption,
    .value = "NAME=FILE",
    .help = "the rows of a task of lm-eval, or of an exported eval; NAME/SPLIT=FILE: of one split",
    .commands = " run plan check ",
    .behind = "--limit",
    .repeatable = true,
    .reads = OptionReads::kFolderOfNamedFile,
    .read = ReadDataOption};

struct RowsFile {
  std::string task;
  std::string split;  // "": the rows that are asked
  std::string path;
};
std::vector<RowsFile> RowsFilesOf(const ReadInput& input);

}  // namespace assay::foreign
