// The style sheet and script of the report page, embedded at build time from web/report/.
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kReportCss;
extern const std::string_view kReportJs;

}  // namespace assay
