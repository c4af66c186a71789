// What people should know of a file of results before they read its numbers, beside what was asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/terminal/ui.h"

namespace assay {

struct ImportRemark;  // report/import/imported_run.h

// "warning: FILE: 2 of 2 scores …"
std::string RemarkLine(std::string_view file, const ImportRemark& remark);
// Warnings also where notes are not wanted.
void TellRemarks(std::string_view file, std::span<const ImportRemark> remarks, Ui& ui);

}  // namespace assay
