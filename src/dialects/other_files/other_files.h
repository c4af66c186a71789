// The table of files that people name as a suite and that are none: of other tools, and parts of ours. Each
// row says what such a file is and the one next step.
#pragma once

#include <string_view>

namespace assay {

struct OtherFileRow {
  std::string_view code = {};  // "": it is of another tool
  std::string_view is;         // "this is a task of lm-evaluation-harness, which assay does not run"
  std::string_view instead;    // the remedy
};

// What the file is, by its name and the keys at its top; null if no row has it.
const OtherFileRow* FindOtherFile(std::string_view path, std::string_view text);

}  // namespace assay
