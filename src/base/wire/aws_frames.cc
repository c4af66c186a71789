// Splits AWS's binary event stream into messages, and checks each.
#include "base/wire/aws_frames.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/errors/result.h"
#include "base/limits.h"
#include "base/text/ascii.h"

namespace assay {

namespace {

constexpr std::size_t kPreludeBytes = 12;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kFrameBytesLeast = kPreludeBytes + kChecksumBytes;
constexpr std::string_view kTextStream = "text/event-stream";

constexpr std::array<std::uint32_t, 256> MakeChecksumTable() {
  constexpr std::uint32_t kPolynomial = 0xedb88320u;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t sum = i;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? kPolynomial ^ (sum >> 1) : sum >> 1;
    table[i] = sum;
  }
  return table;
}
constexpr auto kChecksumTable = MakeChecksumTable();

std::uint32_t Crc32(std::string_view bytes) {
  std::uint32_t sum = 0xffffffffu;
  for (const char c : bytes) sum = kChecksumTable[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

std::uint32_t NumberAt(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (const char c : bytes.substr(at, size)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

Error Broken(std::string_view what) {
  return {ErrorCode::kNetwork, "the stream is broken: " + std::string(what)};
}

// Bytes of a header's value by its kind; those of kinds 6 and 7 say their length first.
std::optional<std::size_t> ValueBytes(std::uint32_t kind, std::string_view rest) {
  constexpr std::array<std::size_t, 10> kBytes = {0, 0, 1, 2, 4, 8, 2, 2, 8, 16};
  constexpr std::uint32_t kBinary = 6;
  constexpr std::uint32_t kText = 7;
  if (kind >= kBytes.size() || rest.size() < kBytes[kind]) return std::nullopt;
  const bool says_length = kind == kBinary || kind == kText;
  const std::size_t bytes = kBytes[kind] + (says_length ? NumberAt(rest, 0, 2) : 0);
  return bytes <= rest.size() ? std::optional(bytes) : std::nullopt;
}

struct FrameHeaders {
  std::string_view message, event, exception, error_code, error_text;
};

// False: they are no headers.
bool ReadHeaders(std::string_view bytes, FrameHeaders& headers) {
  constexpr std::uint32_t kText = 7;
  constexpr std::pair<std::string_view, std::string_view FrameHeaders::*> kNames[] = {
      {":message-type", &FrameHeaders::message},
      {":event-type", &FrameHeaders::event},
      {":exception-type", &FrameHeaders::exception},
      {":error-code", &FrameHeaders::error_code},
      {":error-message", &FrameHeaders::error_text}};
  while (!bytes.empty()) {
    const std::size_t name_bytes = NumberAt(bytes, 0, 1);
    if (bytes.size() < name_bytes + 2) return false;
    const std::string_view name = bytes.substr(1, name_bytes);
    const std::uint32_t kind = NumberAt(bytes, name_bytes + 1, 1);
    bytes.remove_prefix(name_bytes + 2);
    const std::optional<std::size_t> value_bytes = ValueBytes(kind, bytes);
    if (!value_bytes) return false;
    for (const auto& [known, member] : kNames) {
      if (known == name && kind == kText) headers.*member = bytes.substr(2, *value_bytes - 2);
    }
    bytes.remove_prefix(*value_bytes);
  }
  return true;
}

void AppendQuoted(std::string_view text, std::string& json) {
  json += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') json += '\\';
    json += byte < 0x20 ? ' ' : c;
  }
  json += '"';
}

// What a service reports: {"message": …}, or a text.
SseEvent Exception(std::string_view name, std::string_view payload) {
  SseEvent event{.name = std::string(name), .data = R"({"error":{"code":)"};
  AppendQuoted(name, event.data);
  event.data += R"(,"message":)";
  AppendQuoted(payload, event.data);
  event.data += "}}";
  return event;
}

std::optional<Error> TakeFrame(std::string_view frame, std::vector<SseEvent>& events) {
  const std::size_t whole = frame.size() - kChecksumBytes;
  if (NumberAt(frame, whole, kChecksumBytes) != Crc32(frame.substr(0, whole)))
    return Broken("the checksum of a message is wrong");
  const std::size_t header_bytes = NumberAt(frame, 4, 4);
  FrameHeaders headers;
  if (!ReadHeaders(frame.substr(kPreludeBytes, header_bytes), headers))
    return Broken("the headers of a message are none");
  const std::string_view payload =
      frame.substr(kPreludeBytes + header_bytes, whole - kPreludeBytes - header_bytes);
  if (headers.message == "exception" || !headers.exception.empty()) {
    events.push_back(Exception(headers.exception, payload));
  } else if (headers.message == "error") {
    events.push_back(Exception(headers.error_code, headers.error_text));
  } else if (!payload.empty()) {
    events.push_back({.name = std::string(headers.event), .data = std::string(payload)});
  }
  return std::nullopt;
}

// The length of the message that begins here; 0: it is not there yet.
Result<std::size_t> FrameBytes(std::string_view rest) {
  if (rest.size() < kPreludeBytes) return std::size_t{0};
  if (NumberAt(rest, 8, 4) != Crc32(rest.substr(0, 8)))
    return Broken("the checksum of a message's length is wrong");
  const std::size_t bytes = NumberAt(rest, 0, 4);
  const std::size_t header_bytes = NumberAt(rest, 4, 4);
  if (bytes < kFrameBytesLeast || header_bytes > bytes - kFrameBytesLeast)
    return Broken("the length of a message is none");
  if (bytes > limits::kSseLineBytesMax)
    return Error{ErrorCode::kLimit, "a message of the stream is longer than the limit"};
  return rest.size() < bytes ? 0 : bytes;
}

void AppendAsText(const SseEvent& event, std::string& text) {
  const auto line = [&text](std::string_view field, std::string_view value) {
    text.append(field).append(": ").append(value).append("\n");
  };
  std::string name;
  for (const char c : event.name) {
    if (c != '\n' && c != '\r') name += c;
  }
  if (!name.empty()) line("event", name);
  std::string_view rest = event.data;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("\r\n"), rest.size());
    line("data", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  text += '\n';
}

}  // namespace

std::optional<Error> AwsFrameParser::Feed(std::string_view bytes, std::vector<SseEvent>& events) {
  if (broken_) return broken_;
  rest_ += bytes;
  std::size_t taken = 0;
  for (;;) {
    const std::string_view rest = std::string_view(rest_).substr(taken);
    const Result<std::size_t> size = FrameBytes(rest);
    if (!size) broken_ = size.error();
    if (!size || *size == 0) break;
    broken_ = TakeFrame(rest.substr(0, *size), events);
    if (broken_) break;
    taken += *size;
  }
  rest_.erase(0, taken);
  return broken_;
}

bool IsAwsStream(std::string_view content_type) {
  return AsciiLower(content_type).starts_with("application/vnd.amazon.eventstream");
}

void ReadAwsFrames(HttpReply& reply) {
  for (HttpHeader& header : reply.headers) {
    if (header.name != "content-type" || !IsAwsStream(header.value)) continue;
    AwsFrameParser parser;
    std::vector<SseEvent> events;
    std::optional<Error> error = parser.Feed(reply.body, events);
    if (!error && !parser.is_between()) error = Broken("it ends in the middle of a message");
    if (error && !reply.error) reply.error = std::move(error);
    reply.body.clear();
    for (const SseEvent& event : events) AppendAsText(event, reply.body);
    header.value = kTextStream;
    return;
  }
}

}  // namespace assay
