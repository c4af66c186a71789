// Finds the end of the head, then takes it apart line by line.
#include "io/http/served_request.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/text/ascii.h"

namespace assay {

namespace {

constexpr int kBadRequest = 400;
constexpr int kContentTooLarge = 413;
constexpr std::string_view kLineEnd = "\r\n";

bool IsControl(char byte) {
  return (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7F;
}

// Whether the value of a Cookie field follows.
bool IsBeforeCookies(std::string_view head) {
  constexpr std::string_view kName = "\ncookie:";
  return head.ends_with(':') && head.size() >= kName.size() &&
         AsciiLower(head.substr(head.size() - kName.size())) == kName;
}

bool MayFollow(std::string_view head, char byte) {
  if (head.ends_with('\r') != (byte == '\n')) return false;
  return !IsControl(byte) || byte == '\r' || byte == '\n';
}

struct HeadEnd {
  std::size_t at = 0;  // behind the blank line; 0: it has not come yet
  bool is_bad = false;
};

// Moves what is kept over what is dropped, and `part` to what was read.
HeadEnd FindHeadEnd(std::string& bytes, PartOfRequest& part) {
  HeadEnd end;
  std::size_t next = part.scanned;
  std::size_t& kept = part.scanned;
  while (next < bytes.size() && end.at == 0) {
    const std::string_view head = std::string_view(bytes).substr(0, kept);
    if (IsBeforeCookies(head)) {
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(next);
      const auto length = static_cast<std::size_t>(std::find_if(begin, bytes.end(), IsControl) - begin);
      next += length;
      part.cookie_bytes += length;
      if (part.cookie_bytes > kServedCookieBytesMax) return {.is_bad = true};
      if (next == bytes.size()) break;
    }
    if (kept == kServedHeadBytesMax || !MayFollow(head, bytes[next])) return {.is_bad = true};
    bytes[kept++] = bytes[next++];
    if (std::string_view(bytes).substr(0, kept).ends_with("\r\n\r\n")) end.at = kept;
  }
  bytes.erase(kept, next - kept);
  return end;
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
    std::int64_t number = 0;  // some readers count with a sign
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (!is_number || error != std::errc()) return false;
    length = static_cast<std::size_t>(number);
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

ReadBytes ReadServedRequest(std::string& bytes, const PartOfRequest& part) {
  if (bytes.size() < part.least) return {.of_part = part};
  PartOfRequest read = part;
  const HeadEnd end = FindHeadEnd(bytes, read);
  if (end.is_bad) return {.refused = kBadRequest};
  if (end.at == 0) return {.of_part = read};
  ServedRequest request;
  std::size_t length = 0;
  const std::string_view head = std::string_view(bytes).substr(0, end.at - kLineEnd.size());
  if (!ReadHead(head, request) || !ReadFields(request, length)) return {.refused = kBadRequest};
  if (length > kServedBodyBytesMax) return {.refused = kContentTooLarge};
  if (bytes.size() - end.at < length) return {.of_part = {.scanned = part.scanned, .least = end.at + length}};
  request.body = bytes.substr(end.at, length);
  return {.request = std::move(request), .used = end.at + length};
}

}  // namespace assay
