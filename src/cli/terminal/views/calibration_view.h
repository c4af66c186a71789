// Formats what labels of people say: the sentences, how well each judge agrees with them, and a confusion
// table.
#pragma once

#include <string>

#include "cli/terminal/screen.h"
#include "report/decide/calibration.h"

namespace assay {

std::string CalibrationText(const Calibrations& calibrations, const Screen& screen);

}  // namespace assay
