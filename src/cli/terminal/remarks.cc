// Writes a line for each remark.
#include "cli/terminal/remarks.h"

#include <fmt/core.h>

#include "engine/words.h"
#include "report/import/imported_run.h"

namespace assay {

std::string RemarkLine(std::string_view file, const ImportRemark& remark) {
  return fmt::format("{}{}: {}", remark.is_warning ? "warning: " : "", Printable(file),
                     Printable(remark.text));
}

void TellRemarks(std::string_view file, std::span<const ImportRemark> remarks, Ui& ui) {
  for (const ImportRemark& remark : remarks) {
    const std::string line = RemarkLine(file, remark);
    if (remark.is_warning) {
      ui.Problem(line);
    } else {
      ui.Note(line);
    }
  }
}

}  // namespace assay
