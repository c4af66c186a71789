// Writes JSON as JSON.stringify and json-stable-stringify 1.3.0 do, byte for byte.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "text/javascript/number.h"
#include "text/json/plain.h"
#include "text/json/write.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

constexpr std::size_t kIndentColumns = 2;

void AppendEscaped(char32_t code_point, std::string& out) {
  switch (code_point) {
    case U'"':
      out += "\\\"";
      break;
    case U'\\':
      out += "\\\\";
      break;
    case U'\b':
      out += "\\b";
      break;
    case U'\t':
      out += "\\t";
      break;
    case U'\n':
      out += "\\n";
      break;
    case U'\f':
      out += "\\f";
      break;
    case U'\r':
      out += "\\r";
      break;
    default:
      AppendJsonEscape(code_point, out);
  }
}

class JsonWriter {
 public:
  JsonWriter(JsonStyle style, JsonForms forms, std::string& out) : style_(style), forms_(forms), out_(out) {}
  void Write(const Value& value);

 private:
  void WriteNumber(double number);
  void WriteList(const List& list);
  void WriteMap(const Map& map);
  void WriteBinary(const Binary& binary);
  void WriteSpecial(std::string_view name, std::string_view text);
  void WriteKey(std::string_view key);

  void Open(char bracket) {
    out_.push_back(bracket);
    ++depth_;
    first_ = true;
  }
  // Before each element: the comma after the one before, and the line break of the indented style.
  void Next() {
    if (!first_) out_.push_back(',');
    first_ = false;
    BreakLine();
  }
  void Close(char bracket) {
    --depth_;
    if (!first_) BreakLine();
    first_ = false;
    out_.push_back(bracket);
  }
  void BreakLine() {
    if (style_ == JsonStyle::kJavaScript2) out_.append(1, '\n').append(kIndentColumns * depth_, ' ');
  }

  JsonStyle style_;
  JsonForms forms_;
  std::string& out_;
  std::size_t depth_ = 0;
  bool first_ = true;  // of the list or map that is open
};

void JsonWriter::Write(const Value& value) {
  const bool encoded = forms_ != JsonForms::kPlain;
  switch (value.kind()) {
    case ValueKind::kUndefined:
      if (encoded) {
        Map map;
        map.Append("__undefined", true);
        WriteMap(map);
      } else {
        out_ += "null";
      }
      break;
    case ValueKind::kNull:
      out_ += "null";
      break;
    case ValueKind::kBool:
      out_ += value.AsBool() ? "true" : "false";
      break;
    case ValueKind::kInt:
      if (forms_ == JsonForms::kTyped) {
        WriteSpecial("__int", std::to_string(value.AsInt()));
      } else {
        out_ += std::to_string(value.AsInt());
      }
      break;
    case ValueKind::kDouble:
      WriteNumber(value.AsNumber());
      break;
    case ValueKind::kString:
      AppendJsonString(value.AsString(), out_);
      break;
    case ValueKind::kDate:
      if (encoded) {
        WriteSpecial("__date", JsIsoDate(value.AsDate().ms));
      } else {
        AppendJsonString(JsIsoDate(value.AsDate().ms), out_);
      }
      break;
    case ValueKind::kBinary:
      if (encoded) {
        WriteSpecial("__binary", EncodeBase64(value.AsBinary().bytes));
      } else {
        WriteBinary(value.AsBinary());
      }
      break;
    case ValueKind::kList:
      WriteList(value.AsList());
      break;
    case ValueKind::kMap:
      WriteMap(value.AsMap());
      break;
  }
}

void JsonWriter::WriteNumber(double number) {
  constexpr double kSafeInteger = 9007199254740992;  // 2^53
  const bool negative_zero = number == 0 && std::signbit(number);
  if (forms_ != JsonForms::kPlain && (!std::isfinite(number) || negative_zero)) {
    WriteSpecial("__number", negative_zero ? "-0" : JsNumberText(number));
  } else if (!std::isfinite(number)) {
    out_ += "null";
  } else if (std::abs(number) < kSafeInteger && number == std::trunc(number)) {
    std::array<char, 24> buffer;
    const auto integer = static_cast<std::int64_t>(number);
    out_.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), integer).ptr);
  } else {
    out_ += JsNumberText(number);
  }
}

void JsonWriter::WriteList(const List& list) {
  Open('[');
  for (const Value& element : list) {
    Next();
    Write(element);
  }
  Close(']');
}

void JsonWriter::WriteKey(std::string_view key) {
  AppendJsonString(key, out_);
  out_.push_back(':');
  if (style_ == JsonStyle::kJavaScript2) out_.push_back(' ');
}

void JsonWriter::WriteMap(const Map& map) {
  std::vector<const Member*> sorted;
  if (style_ == JsonStyle::kCanonical) {
    sorted.reserve(map.size());
    for (const Member& member : map) sorted.push_back(&member);
    std::sort(sorted.begin(), sorted.end(),
              [](const Member* a, const Member* b) { return CompareUtf16(a->key, b->key) < 0; });
  }
  const auto write = [this](const Member& member) {
    if (member.value.is_undefined()) return;
    Next();
    WriteKey(member.key);
    Write(member.value);
  };
  Open('{');
  if (style_ == JsonStyle::kCanonical) {
    for (const Member* member : sorted) write(*member);
  } else {
    for (const Member& member : map) write(member);
  }
  Close('}');
}

// JavaScript holds binary data in a typed array, whose own keys are its indices.
void JsonWriter::WriteBinary(const Binary& binary) {
  Map map;
  for (std::size_t i = 0; i < binary.bytes.size(); ++i) {
    map.Append(std::to_string(i), static_cast<int>(static_cast<std::uint8_t>(binary.bytes[i])));
  }
  WriteMap(map);
}

void JsonWriter::WriteSpecial(std::string_view name, std::string_view text) {
  Map map;
  map.Append(std::string(name), text);
  WriteMap(map);
}

}  // namespace

void AppendJsonEscape(char32_t code_point, std::string& out) {
  constexpr std::uint32_t kFirstOfPairs = 0x10000;
  const auto number = static_cast<std::uint32_t>(code_point);
  if (number < kFirstOfPairs) {
    out += fmt::format("\\u{:04x}", number);
  } else {
    const std::uint32_t rest = number - kFirstOfPairs;
    out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
  }
}

void AppendJsonString(std::string_view text, std::string& out) {
  std::size_t offset = SkipPlain<PlainBytes::kAsciiOnly>(text, 0);
  if (offset == text.size()) {  // as most are: room for it and its quotes at once
    const std::size_t start = out.size();
    out.append(text.size() + 2, '"');
    text.copy(out.data() + start + 1, text.size());
    return;
  }
  out.push_back('"');
  std::size_t run = 0;  // start of what is copied as it stands
  while ((offset = SkipPlain<PlainBytes::kAsciiOnly>(text, offset)) < text.size()) {
    const DecodedCodePoint decoded = DecodeUtf8(text, offset);
    const bool is_surrogate = decoded.code_point >= 0xd800 && decoded.code_point <= 0xdfff;
    const bool is_ill_formed = decoded.size_bytes == 1 && decoded.code_point >= 0x80;
    if (decoded.code_point < 0x80 || is_surrogate || is_ill_formed) {
      out.append(text, run, offset - run);
      run = offset + decoded.size_bytes;
      if (is_ill_formed) {
        AppendUtf8(decoded.code_point, out);
      } else {
        AppendEscaped(decoded.code_point, out);
      }
    }
    offset += decoded.size_bytes;
  }
  out.append(text, run);
  out.push_back('"');
}

void AppendJsonTree(const Value& value, JsonStyle style, JsonForms forms, std::string& out) {
  JsonWriter(style, forms, out).Write(value);
}

void AppendJson(const Value& value, JsonStyle style, std::string& out) {
  AppendJsonTree(value, style, JsonForms::kPlain, out);
}

std::string WriteJson(const Value& value, JsonStyle style) {
  std::string out;
  AppendJson(value, style, out);
  return out;
}

}  // namespace assay
