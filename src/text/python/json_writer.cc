// Writes JSON as json.dumps of Python 3.11 does.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text/utf8.h"
#include "text/python/json.h"
#include "text/python/text.h"

namespace assay {

namespace {

class PythonJsonWriter {
 public:
  explicit PythonJsonWriter(const PythonJsonStyle& style) : style_(style) {}

  Status Write(const Value& value) {
    switch (value.kind()) {
      case ValueKind::kUndefined:
      case ValueKind::kNull:
        out_ += "null";
        return Ok();
      case ValueKind::kBool:
        out_ += value.AsBool() ? "true" : "false";
        return Ok();
      case ValueKind::kInt:
        out_ += std::to_string(value.AsInt());
        return Ok();
      case ValueKind::kDouble:
        WriteNumber(value.AsNumber());
        return Ok();
      case ValueKind::kString:
        WriteText(value.AsString());
        return Ok();
      case ValueKind::kList:
        return WriteList(value.AsList());
      case ValueKind::kMap:
        return WriteMap(value.AsMap());
      case ValueKind::kDate:
      case ValueKind::kBinary:
        break;
    }
    return Error{ErrorCode::kUnsupported, fmt::format("JSON cannot hold {}, which stands at {}",
                                                      KindName(value), path_.empty() ? "the top" : path_)};
  }

  std::string Take() { return std::move(out_); }

 private:
  void WriteNumber(double number) {
    if (std::isnan(number)) {
      out_ += "NaN";
    } else if (std::isinf(number)) {
      out_ += number < 0 ? "-Infinity" : "Infinity";
    } else {
      out_ += PythonFloatText(number);
    }
  }

  void WriteUnit(std::uint32_t unit) { out_ += fmt::format("\\u{:04x}", unit); }

  void WriteText(std::string_view text) {
    out_ += '"';
    const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t plain = at;
      while (at < text.size() && is_plain(text[at])) ++at;
      out_ += text.substr(plain, at - plain);
      if (at == text.size()) break;
      const DecodedCodePoint decoded = DecodeUtf8(text, at);
      at += decoded.size_bytes;
      WriteCharacter(decoded.code_point);
    }
    out_ += '"';
  }

  void WriteCharacter(char32_t c) {
    constexpr std::string_view kEscaped = "\"\\\n\r\t\f\b";
    constexpr std::string_view kLetters = "\"\\nrtfb";
    const std::size_t known = c < 0x80 ? kEscaped.find(static_cast<char>(c)) : std::string_view::npos;
    const auto number = static_cast<std::uint32_t>(c);
    const bool is_surrogate = number >= 0xd800 && number <= 0xdfff;
    if (known != std::string_view::npos) {
      out_ += '\\';
      out_ += kLetters[known];
    } else if (number < 0x20 || ((number == 0x7f || is_surrogate) && style_.escapes_beyond_ascii)) {
      WriteUnit(number);
    } else if (number < 0x80 || !style_.escapes_beyond_ascii) {
      AppendUtf8(c, out_);
    } else if (number > 0xffff) {
      WriteUnit(0xd800 + ((number - 0x10000) >> 10));
      WriteUnit(0xdc00 + ((number - 0x10000) & 0x3ff));
    } else {
      WriteUnit(number);
    }
  }

  void Open(char bracket) {
    out_ += bracket;
    ++depth_;
  }
  void Next(bool is_first) {
    if (style_.indent > 0) {
      if (!is_first) out_ += ',';
      BreakLine();
    } else if (!is_first) {
      out_ += ", ";
    }
  }
  void Close(char bracket, bool is_empty) {
    --depth_;
    if (!is_empty && style_.indent > 0) BreakLine();
    out_ += bracket;
  }
  void BreakLine() { out_.append(1, '\n').append(static_cast<std::size_t>(style_.indent) * depth_, ' '); }

  Status WriteList(const List& list) {
    Open('[');
    const std::size_t path_size = path_.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      Next(i == 0);
      path_ += fmt::format("[{}]", i);
      ASSAY_CHECK_OK(Write(list[i]));
      path_.resize(path_size);
    }
    Close(']', list.empty());
    return Ok();
  }

  Status WriteMap(const Map& map) {
    std::vector<const Member*> members;
    members.reserve(map.size());
    for (const Member& member : map) members.push_back(&member);
    // Bytes of UTF-8 sort as code points do.
    if (style_.sorts_keys) {
      std::sort(members.begin(), members.end(),
                [](const Member* a, const Member* b) { return a->key < b->key; });
    }
    Open('{');
    const std::size_t path_size = path_.size();
    for (const Member* member : members) {
      Next(member == members.front());
      WriteText(member->key);
      out_ += ": ";
      path_ += (path_.empty() ? "" : ".") + member->key;
      ASSAY_CHECK_OK(Write(member->value));
      path_.resize(path_size);
    }
    Close('}', members.empty());
    return Ok();
  }

  const PythonJsonStyle& style_;
  std::string out_;
  std::string path_;
  std::size_t depth_ = 0;
};

}  // namespace

Result<std::string> WritePythonJson(const Value& value, const PythonJsonStyle& style) {
  PythonJsonWriter writer(style);
  ASSAY_CHECK_OK(writer.Write(value));
  return writer.Take();
}

}  // namespace assay
