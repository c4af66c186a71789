// Names the result files of a run: those that it wrote, and those that were there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/ui.h"
#include "engine/write/written.h"

namespace assay {

struct NamedFiles {
  std::string_view root;   // the folder that they are below
  bool names_all = false;  // not only the last two
  bool is_up_to_date = false;
};

void NameWritten(const std::vector<std::string>& paths, const NamedFiles& how, Ui& ui);

// The same of a run that may have found some. Whoever says it again (`said`; null: nobody) finds all of them.
void NameFiles(const Written& written, const NamedFiles& how, std::vector<OutputText>* said, Ui& ui);

}  // namespace assay
