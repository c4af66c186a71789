// Unpacks with zlib, as a browser does.
#include "tests/support/page_data.h"

#include <zlib.h>

#include "base/errors/assert.h"
#include "text/packed/base64.h"

namespace assay::testing {

namespace {

std::string Inflated(const std::string& packed) {
  std::string plain;
  std::string room(1u << 20, '\0');
  z_stream stream{};
  ASSAY_ASSERT(inflateInit(&stream) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    state = inflate(&stream, Z_NO_FLUSH);
    plain.append(room, 0, room.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  ASSAY_ASSERT(state == Z_STREAM_END);
  return plain;
}

std::string AttributeOf(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 3;
  return tag.substr(begin, tag.find('"', begin) - begin);
}

}  // namespace

std::map<std::string, std::string> PageBodies(const std::string& page) {
  std::map<std::string, std::string> bodies;
  const std::string open = "<script type=\"application/x-assay\"";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at + 1)) {
    const std::size_t end = page.find('>', at);
    const std::string tag = page.substr(at, end - at);
    const std::size_t close = page.find("</script>", end);
    const std::string stored = page.substr(end + 1, close - end - 1);
    if (AttributeOf(tag, "data-form") == "json") {
      bodies[AttributeOf(tag, "data-path")] = stored;
      continue;
    }
    const std::optional<std::string> packed = DecodeBase64(stored);
    ASSAY_ASSERT(packed.has_value());
    const std::string from = AttributeOf(tag, "data-from");
    bodies[AttributeOf(tag, "data-path") +
           (from.empty() ? "" : " " + from + "-" + AttributeOf(tag, "data-to"))] = Inflated(*packed);
  }
  return bodies;
}

std::string PageText(const std::string& page) {
  std::string text;
  for (const auto& [path, body] : PageBodies(page)) text += path + "\n" + body + "\n";
  return text;
}

}  // namespace assay::testing
