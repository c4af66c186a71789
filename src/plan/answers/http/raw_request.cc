// Splits lines, whichever end they have.
#include "plan/answers/http/raw_request.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "text/javascript/text.h"

namespace assay {

namespace {

// Whoever sends a request knows these.
constexpr std::string_view kHeadersOfSender[] = {"host", "content-length", "connection", "transfer-encoding"};

// The first line of `text`, which is left behind.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Error NoRequest(std::string_view expected, std::string_view line) {
  return {ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(line))};
}

// "POST /chat HTTP/1.1"
Status ReadRequestLine(std::string_view line, RawRequest& request) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  const bool has_version =
      last != std::string_view::npos && last > first && line.substr(last + 1).starts_with("HTTP/");
  if (first == std::string_view::npos || first == 0)
    return NoRequest("a request line, such as POST /chat HTTP/1.1", line);
  request.method = std::string(line.substr(0, first));
  const std::string_view rest = line.substr(first + 1);
  request.target = std::string(JsTrim(has_version ? rest.substr(0, last - first - 1) : rest));
  if (request.target.empty()) return NoRequest("a request line, such as POST /chat HTTP/1.1", line);
  return Ok();
}

}  // namespace

Result<RawRequest> ReadRawRequest(std::string_view text) {
  text = JsTrim(text);
  RawRequest request;
  ASSAY_CHECK_OK(ReadRequestLine(TakeLine(text), request));
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    if (JsTrim(line).empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos)
      return NoRequest("a header, such as Content-Type: application/json, or an empty line", line);
    HttpHeader header{.name = AsciiLower(JsTrim(line.substr(0, colon))),
                      .value = std::string(JsTrim(line.substr(colon + 1)))};
    if (header.name == "host") request.host = header.value;
    const bool is_of_sender = std::find(std::begin(kHeadersOfSender), std::end(kHeadersOfSender),
                                        header.name) != std::end(kHeadersOfSender);
    if (!is_of_sender) request.headers.push_back(std::move(header));
  }
  request.body = std::string(JsTrim(text));
  return request;
}

}  // namespace assay
