// The scripts that templates run in: nunjucks, and what stands beside it. The build compiles them in.
#pragma once

#include <string_view>

namespace assay {

extern const std::string_view kNunjucksScript;  // third_party/nunjucks
extern const std::string_view kNunjucksHost;    // host.js

}  // namespace assay
