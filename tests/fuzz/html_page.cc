// Any bytes as an HTML page: text, title and links are well-formed, no larger than what they came of, and
// nothing of a script or a hidden block is among them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors/assert.h"
#include "base/text/utf8.h"
#include "corpus/limits.h"
#include "corpus/read/document.h"
#include "corpus/read/html.h"
#include "tests/fuzz/target.h"

namespace assay {
namespace {

void CheckPage(std::string_view bytes) {
  const DocumentText decoded = DecodePlainText(bytes);
  ASSAY_ASSERT(FindInvalidUtf8(decoded.text) == std::string::npos);
  const HtmlPage page = ReadHtml(decoded.text);
  // An entity of four bytes ("&Mu;") is at most four bytes; a break between blocks is two.
  ASSAY_ASSERT(page.text.size() <= decoded.text.size());
  ASSAY_ASSERT(FindInvalidUtf8(page.text) == std::string::npos);
  ASSAY_ASSERT(FindInvalidUtf8(page.title) == std::string::npos);
  ASSAY_ASSERT(page.links.size() <= limits::kHtmlLinksMax);
  // A page that hides all hides whatever the rest is, as long as nothing in it ends the hiding block.
  if (decoded.text.find("</") == std::string::npos && decoded.text.find("<body") == std::string::npos)
    ASSAY_ASSERT(ReadHtml("<template>" + decoded.text).text.empty());
}

}  // namespace
}  // namespace assay

FUZZ_TARGET(html_page)(const std::uint8_t* data, std::size_t size) {
  assay::CheckPage(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
