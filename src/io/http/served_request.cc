// Finds the end of the head, then takes it apart line by line.
#include "io/http/served_request.h"

#include <algorithm>
#include <charconv>

#include "base/text/ascii.h"

namespace assay {

namespace {

constexpr int kBadRequest = 400;
constexpr int kContentTooLarge = 413;
constexpr std::string_view kLineEnd = "\r\n";

struct HeadEnd {
  std::size_t at = 0;  // behind the blank line; 0: it has not come yet
  bool is_bad = false;
  bool is_too_long = false;
};

HeadEnd FindHeadEnd(std::string_view bytes, std::size_t scanned) {
  for (std::size_t i = scanned; i < bytes.size(); ++i) {
    if (i >= kServedHeadBytesMax) return {.is_bad = true, .is_too_long = true};
    const char byte = bytes[i];
    const bool is_behind_cr = i > 0 && bytes[i - 1] == '\r';
    if (is_behind_cr != (byte == '\n')) return {.is_bad = true};
    const bool is_control = (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7F;
    if (is_control && byte != '\r' && byte != '\n') return {.is_bad = true};
    if (byte == '\n' && bytes.substr(0, i + 1).ends_with("\r\n\r\n")) return {.at = i + 1};
  }
  return {};
}

bool IsToken(std::string_view text) {
  static constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsAsciiAlphanumeric(c) || kMarks.find(c) != std::string_view::npos;
  });
}

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "GET /path HTTP/1.1"
bool ReadFirstLine(std::string_view line, ServedRequest& request) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const bool is_path = target.starts_with('/') && std::all_of(target.begin(), target.end(), [](char byte) {
                         return byte > 0x20 && byte < 0x7F && byte != '#';
                       });
  const std::string_view version = line.substr(last + 1);
  if (!IsToken(line.substr(0, first)) || !is_path || (version != "HTTP/1.0" && version != "HTTP/1.1"))
    return false;
  request.method = line.substr(0, first);
  request.target = target;
  request.is_last = version == "HTTP/1.0";
  return true;
}

bool ReadField(std::string_view line, ServedRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) return false;
  request.headers.push_back(
      {AsciiLower(line.substr(0, colon)), std::string(WithoutBlanks(line.substr(colon + 1)))});
  return true;
}

// `head` is without its blank line.
bool ReadHead(std::string_view head, ServedRequest& request) {
  bool is_first = true;
  while (!head.empty()) {
    const std::size_t end = head.find(kLineEnd);
    const std::string_view line = head.substr(0, end);
    if (!(is_first ? ReadFirstLine(line, request) : ReadField(line, request))) return false;
    is_first = false;
    if (request.headers.size() > kServedFieldsMax) return false;
    head.remove_prefix(end + kLineEnd.size());
  }
  return !is_first;
}

// Whether the beginning of a head that is too long says that cookies are what is long: its target is short,
// there are some, and no page of another site has caused the request, which could delete them so.
bool HasLongCookies(std::string_view head) {
  constexpr std::size_t kFirstLineMax = 2u << 10;
  const std::size_t first = head.find(kLineEnd);
  if (first == std::string_view::npos || first > kFirstLineMax) return false;
  bool has_cookie = false;
  for (std::size_t end = first; end != std::string_view::npos; end = head.find(kLineEnd)) {
    head.remove_prefix(end + kLineEnd.size());
    const std::string_view line = head.substr(0, head.find(kLineEnd));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name = AsciiLower(line.substr(0, colon));
    has_cookie |= name == "cookie";
    if (name == "sec-fetch-site" && WithoutBlanks(line.substr(colon + 1)) == "cross-site") return false;
  }
  return has_cookie;
}

bool IsRefusedField(std::string_view name) {
  return name == "transfer-encoding" || name == "upgrade" || name == "expect";
}

bool HasClose(std::string_view words) {
  while (true) {
    const std::size_t comma = words.find(',');
    if (AsciiLower(WithoutBlanks(words.substr(0, comma))) == "close") return true;
    if (comma == std::string_view::npos) return false;
    words.remove_prefix(comma + 1);
  }
}

// Whether its fields say one thing together; `length` is that of the body.
bool ReadFields(ServedRequest& request, std::size_t& length) {
  const bool needs_host = !request.is_last;  // HTTP/1.1
  int hosts = 0;
  int lengths = 0;
  for (const HttpHeader& header : request.headers) {
    if (IsRefusedField(header.name)) return false;
    if (header.name == "host") ++hosts;
    if (header.name == "connection" && HasClose(header.value)) request.is_last = true;
    if (header.name != "content-length") continue;
    ++lengths;
    const std::string& value = header.value;
    const bool is_number =
        !value.empty() && std::all_of(value.begin(), value.end(), [](char c) { return IsAsciiDigit(c); });
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (!is_number || error != std::errc()) return false;
  }
  return lengths <= 1 && hosts <= 1 && (hosts == 1 || !needs_host);
}

}  // namespace

std::string_view ServedRequest::Header(std::string_view name) const {
  const HttpHeader* found = nullptr;
  for (const HttpHeader& header : headers) {
    if (header.name != name) continue;
    if (found != nullptr) return {};
    found = &header;
  }
  return found == nullptr ? std::string_view() : std::string_view(found->value);
}

ReadBytes ReadServedRequest(std::string_view bytes, const PartOfRequest& part) {
  if (bytes.size() < part.least) return {.of_part = part};
  const HeadEnd end = FindHeadEnd(bytes, part.scanned);
  if (end.is_bad)
    return {.refused = kBadRequest, .has_long_cookies = end.is_too_long && HasLongCookies(bytes)};
  if (end.at == 0) return {.of_part = {.scanned = bytes.size()}};
  ServedRequest request;
  std::size_t length = 0;
  const bool is_request =
      ReadHead(bytes.substr(0, end.at - kLineEnd.size()), request) && ReadFields(request, length);
  if (!is_request) return {.refused = kBadRequest};
  if (length > kServedBodyBytesMax) return {.refused = kContentTooLarge};
  if (bytes.size() - end.at < length) return {.of_part = {.scanned = part.scanned, .least = end.at + length}};
  request.body = bytes.substr(end.at, length);
  return {.request = std::move(request), .used = end.at + length};
}

}  // namespace assay
