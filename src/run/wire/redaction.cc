// One walk over a text: at each byte that a key, or an escape, may begin with, the needles are tried.
#include "run/wire/redaction.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "base/utf8.h"
#include "text/base64.h"

namespace assay {

namespace {

constexpr std::string_view kRedacted = "[secret]";
constexpr std::size_t kRedactedBytesMin = 8;  // shorter values would be found in innocent words
constexpr std::size_t kTimesQuotedMax = 32;   // bytes that repeated quoting puts before one character
constexpr std::string_view kEscapeMarks = "\\%&=";

// What stands at a place of a text: one character, and how many bytes it takes there.
struct Unescaped {
  char32_t character = 0;
  std::size_t size_bytes = 0;  // 0: nothing, or no escape
};

Unescaped Digits(std::string_view text, std::size_t at, std::size_t least, std::size_t most, int base) {
  const std::string_view digits = text.substr(std::min(at, text.size()), most);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  const auto size = static_cast<std::size_t>(end - digits.data());
  if (error != std::errc() || size < least) return {};
  return {number, at + size};
}

// "\u0073", "\x73", "\/"; behind several backslashes, where a text was quoted twice.
Unescaped Backslashed(std::string_view text) {
  const std::size_t at = text.substr(0, kTimesQuotedMax).find_first_not_of('\\');
  if (at == std::string_view::npos) return {};
  const char kind = text[at];
  if (kind == 'u' && at + 1 < text.size() && text[at + 1] == '{') {
    Unescaped braced = Digits(text, at + 2, 1, 6, 16);
    if (braced.size_bytes > 0 && text.substr(braced.size_bytes).starts_with('}'))
      return {braced.character, braced.size_bytes + 1};
  }
  const Unescaped read = kind == 'u'   ? Digits(text, at + 1, 4, 4, 16)
                         : kind == 'U' ? Digits(text, at + 1, 8, 8, 16)
                         : kind == 'x' ? Digits(text, at + 1, 2, 2, 16)
                                       : Unescaped();
  return read.size_bytes > 0 ? read : Unescaped{static_cast<unsigned char>(kind), at + 1};
}

// "%73", and "%2573" where an address was escaped twice.
Unescaped Percented(std::string_view text) {
  std::size_t at = 1;
  while (at < kTimesQuotedMax && text.substr(at).starts_with("25")) at += 2;
  return Digits(text, at, 2, 2, 16);
}

// "&#115;", "&#x73;", "&sol;"; "&amp;#115;" where it was escaped twice.
Unescaped Entity(std::string_view text) {
  struct Named {
    std::string_view name;
    char character;
  };
  constexpr Named kNames[] = {{"lowbar;", '_'}, {"sol;", '/'},    {"hyphen;", '-'}, {"dash;", '-'},
                              {"period;", '.'}, {"plus;", '+'},   {"equals;", '='}, {"colon;", ':'},
                              {"comma;", ','},  {"commat;", '@'}, {"quot;", '"'},   {"apos;", '\''},
                              {"lt;", '<'},     {"gt;", '>'},     {"excl;", '!'},   {"num;", '#'}};
  std::size_t at = 1;
  while (at < kTimesQuotedMax && text.substr(at).starts_with("amp;")) at += 4;
  const std::string_view rest = text.substr(at);
  for (const Named& each : kNames) {
    if (rest.starts_with(each.name))
      return {static_cast<unsigned char>(each.character), at + each.name.size()};
  }
  if (!rest.starts_with('#')) return at > 1 ? Unescaped{'&', at} : Unescaped{};
  const bool is_hex = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
  Unescaped read = Digits(text, at + (is_hex ? 2 : 1), 1, 8, is_hex ? 16 : 10);
  if (read.size_bytes > 0 && text.substr(read.size_bytes).starts_with(';')) ++read.size_bytes;
  return read;
}

Unescaped UnescapedAt(std::string_view text) {
  switch (text.front()) {
    case '\\':
      return Backslashed(text);
    case '%':
      return Percented(text);
    case '&':
      return Entity(text);
    case '=':  // mail
      return Digits(text, 1, 2, 2, 16);
    default:
      return {};
  }
}

// What comes first where a character of the value may itself begin an escape.
enum class First { kPlain, kEscape };

// How many bytes of `text` say `value`, each character of it as it is or escaped; 0: they do not.
std::size_t EscapedSize(std::string_view text, std::string_view value, First first) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < value.size();) {
    if (at >= text.size()) return 0;
    const std::size_t character_bytes = DecodeUtf8(value, i).size_bytes;
    const std::string_view character = value.substr(i, character_bytes);
    const bool is_plain = text.substr(at).starts_with(character);
    const Unescaped read = is_plain && first == First::kPlain ? Unescaped() : UnescapedAt(text.substr(at));
    const bool is_byte =  // "%C3%A9", or ASCII
        read.size_bytes > 0 && read.character == static_cast<unsigned char>(value[i]);
    const bool is_escaped =
        is_byte || (read.size_bytes > 0 && read.character == DecodeUtf8(value, i).code_point);
    if (is_plain && !is_escaped) {
      at += character_bytes;
      i += character_bytes;
      continue;
    }
    if (!is_escaped) return 0;
    at += read.size_bytes;
    i += is_byte ? 1 : character_bytes;
  }
  return at;
}

// What base64 makes of `value` wherever it stands in a longer text: the digits that no neighbour changes.
std::string InnerBase64(std::string_view value, std::size_t offset) {
  const std::string padded(offset, '\0');
  const std::string all = EncodeBase64(padded + std::string(value));
  const std::size_t begin = offset == 0 ? 0 : offset + 1;
  const std::size_t whole_bits = (offset + value.size()) * 8;
  return all.substr(begin, whole_bits / 6 - begin);
}

std::string ForUrls(std::string text) {
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::string HexOf(std::string_view bytes, std::string_view digits) {
  std::string hex;
  for (const char c : bytes) {
    hex += digits[static_cast<unsigned char>(c) >> 4];
    hex += digits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

}  // namespace

Redactor::Redactor(const Endpoints& endpoints) {
  for (const auto& [name, endpoint] : endpoints.providers) Add(endpoint.key.Reveal());
  for (const auto& [place, endpoint] : endpoints.named) Add(endpoint.key.Reveal());
  Add(endpoints.factcheck.key.Reveal());
  for (const auto& [name, secret] : endpoints.environment) Add(secret.Reveal());
}

void Redactor::Add(std::string_view value) {
  if (value.size() < kRedactedBytesMin) return;
  AddNeedle(std::string(value), true);
  for (std::size_t offset = 0; offset < 3; ++offset) {
    std::string inner = InnerBase64(value, offset);
    AddNeedle(ForUrls(inner), true);
    AddNeedle(std::move(inner), true);  // "\/" is a digit of it
  }
  AddNeedle(HexOf(value, "0123456789abcdef"), false);
  AddNeedle(HexOf(value, "0123456789ABCDEF"), false);
}

void Redactor::AddNeedle(std::string bytes, bool may_be_escaped) {
  if (bytes.empty()) return;
  const auto index = static_cast<std::uint32_t>(needles_.size());
  by_first_byte_[static_cast<unsigned char>(bytes.front())].push_back(index);
  for (const char mark : kEscapeMarks) {
    if (may_be_escaped && mark != bytes.front())
      by_first_byte_[static_cast<unsigned char>(mark)].push_back(index);
  }
  needles_.push_back({Secret(std::move(bytes)), may_be_escaped});
}

std::size_t Redactor::MatchAt(std::string_view text, std::size_t at) const {
  std::size_t longest = 0;
  const std::string_view rest = text.substr(at);
  for (const std::uint32_t index : by_first_byte_[static_cast<unsigned char>(rest.front())]) {
    const std::string_view bytes = needles_[index].bytes.Reveal();
    if (rest.starts_with(bytes)) longest = std::max(longest, bytes.size());
    if (!needles_[index].may_be_escaped) continue;
    for (const First first : {First::kPlain, First::kEscape})
      longest = std::max(longest, EscapedSize(rest, bytes, first));
  }
  return longest;
}

bool Redactor::Redact(std::string& text) const {
  if (needles_.empty()) return false;
  std::string redacted;
  std::size_t kept = 0;
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = MatchAt(text, at);
    if (size == 0) {
      ++at;
      continue;
    }
    found = true;
    redacted.append(text, kept, at - kept).append(kRedacted);
    at += size;
    kept = at;
  }
  if (found) text = redacted.append(text, kept);
  return found;
}

bool Redactor::RedactValue(Value& value) const {
  bool found = false;
  if (value.is_string()) {
    std::string text = value.AsString();
    found = Redact(text);
    if (found) value = Value(std::move(text));
  } else if (value.is_list()) {
    for (Value& item : value.AsList()) found = RedactValue(item) || found;
  } else if (value.is_map()) {
    for (Member& member : value.AsMap()) {
      found = Redact(member.key) || found;
      found = RedactValue(member.value) || found;
    }
  }
  return found;
}

bool Redactor::Redact(Reply& reply) const {
  if (needles_.empty()) return false;
  bool found = false;
  const auto take = [&](std::string& text) { found = Redact(text) || found; };
  if (auto* model = std::get_if<ModelReply>(&reply)) {
    take(model->text);
    take(model->reasoning);
    take(model->finish_reason);
    for (ToolCall& call : model->tool_calls) {
      for (std::string* part : {&call.id, &call.name, &call.arguments, &call.seal}) take(*part);
    }
    found = RedactValue(model->details) || found;
  } else if (auto* http = std::get_if<HttpReply>(&reply)) {
    found = Redact(*http);
  } else if (auto* process = std::get_if<ProcessReply>(&reply)) {
    take(process->stdout_text);
    take(process->stderr_text);
  }
  return found;
}

bool Redactor::Redact(HttpReply& reply) const {
  if (needles_.empty()) return false;
  bool found = reply.error && Redact(*reply.error);
  for (std::string* part : {&reply.body, &reply.final_url, &reply.content_type})
    found = Redact(*part) || found;
  for (HttpHeader& header : reply.headers) found = Redact(header.value) || found;
  return found;
}

bool Redactor::Redact(Error& error) const {
  bool found = Redact(error.message);
  for (std::string& note : error.notes) found = Redact(note) || found;
  return found;
}

}  // namespace assay
