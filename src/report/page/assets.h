// The report page's own style and script, embedded at build from web/report/.
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kReportCss;
extern const std::string_view kReportJs;

}  // namespace assay
