// Any bytes as an answer that wants to be shown as HTML: what comes out has no tag but those that are listed,
// and nothing that names another host where a browser would look for it.
#include "report/page/html/safe_html.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"

namespace assay {
namespace {

constexpr std::string_view kNever[] = {"<link",   "<meta",  "<base",     "<img",      "<script",
                                       "<iframe", "<frame", "<object",   "<embed",    "<svg",
                                       "<math",   "<form",  "<video",    "<audio",    "<!",
                                       "<?",      "<x",     "<template", "<noscript", "<textarea"};
constexpr std::string_view kNeverInStyle[] = {"url(", "@import", "image-set("};

void CheckAnswer(std::string_view html) {
  const std::string safe = SafeHtml(html);
  for (const std::string_view tag : kNever) ASSAY_ASSERT(safe.find(tag) == std::string::npos);
  for (std::size_t at = safe.find("<style>"); at != std::string::npos; at = safe.find("<style>", at + 1)) {
    const std::string sheet = safe.substr(at, safe.find("</style>", at) - at);
    for (const std::string_view part : kNeverInStyle) ASSAY_ASSERT(sheet.find(part) == std::string::npos);
  }
  ASSAY_ASSERT(safe.size() <= html.size() * 8 + 64);
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::CheckAnswer(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
