// JsonStream: writes brackets, commas and indentation; single values are written by the ordinary writer.
#include "text/json/stream.h"

#include <algorithm>
#include <utility>

#include "base/errors/assert.h"
#include "text/json/compact.h"

namespace assay {
namespace {

constexpr std::size_t kStreamIndentColumns = 2;
constexpr std::size_t kBufferBytes = 64u << 10;

}  // namespace

void JsonStream::Open(char opening, char closing) {
  Element();
  buffer_.push_back(opening);
  levels_.push_back({closing, true});
}

void JsonStream::Close() {
  ASSAY_ASSERT(levels_.size() > depth_ && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty) BreakLine();
  buffer_.push_back(level.closing);
  FlushIfLarge();
}

void JsonStream::Key(std::string_view key) {
  Element();
  AppendJsonString(key, buffer_);
  buffer_.push_back(':');
  if (style_ == JsonStyle::kJavaScript2) buffer_.push_back(' ');
  after_key_ = true;
}

// Piece by piece, so that no value is ever held as a whole text.
void JsonStream::Write(const Value& value) {
  if (value.is_map()) {
    OpenMap();
    for (const struct Member& member : value.AsMap()) Member(member.key, member.value);
    Close();
    return;
  }
  if (value.is_list()) {
    OpenList();
    for (const Value& item : value.AsList()) item.is_undefined() ? Write(Null{}) : Write(item);
    Close();
    return;
  }
  Element();
  AppendJson(value, style_, buffer_);
  FlushIfLarge();
}

void JsonStream::WriteText(std::string_view text) {
  Element();
  AppendJsonString(text, buffer_);
  FlushIfLarge();
}

void JsonStream::WriteCompact(std::string_view json) {
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '{' || c == '[') {
      Open(c, c == '{' ? '}' : ']');
      ++at;
    } else if (c == '}' || c == ']') {
      Close();
      ++at;
    } else if (c == ',') {
      ++at;
    } else {
      Element();
      const std::size_t end =
          c == '"' ? EndOfJsonText(json, at) : std::min(json.find_first_of(",]}", at), json.size());
      buffer_.append(json.substr(at, end - at));
      at = end;
      if (at == json.size() || json[at] != ':') continue;
      buffer_.append(style_ == JsonStyle::kJavaScript2 ? ": " : ":");
      after_key_ = true;
      ++at;
    }
  }
  FlushIfLarge();
}

void JsonStream::Member(std::string_view key, const Value& value) {
  if (value.is_undefined()) return;
  Key(key);
  Write(value);
}

void JsonStream::Text(std::string_view key, std::string_view text) {
  Key(key);
  WriteText(text);
}

void JsonStream::Number(std::string_view key, double number) {
  Key(key);
  Write(number);
}

void JsonStream::Flag(std::string_view key, bool flag) {
  Key(key);
  Write(flag);
}

void JsonStream::Splice(const Spool& part) {
  ASSAY_ASSERT(!levels_.empty() && !after_key_);
  if (part.empty()) return;
  // The part brings its own line breaks.
  if (!std::exchange(levels_.back().empty, false)) buffer_.push_back(',');
  Flush();
  if (status_) status_ = part.Read([this](std::string_view piece) { return sink_.Write(piece); });
}

Status JsonStream::Finish() {
  ASSAY_ASSERT(levels_.size() == depth_ && !after_key_);
  Flush();
  return status_;
}

void JsonStream::Element() {
  if (std::exchange(after_key_, false) || levels_.empty()) return;
  if (!std::exchange(levels_.back().empty, false)) buffer_.push_back(',');
  BreakLine();
}

void JsonStream::BreakLine() {
  if (style_ == JsonStyle::kJavaScript2)
    buffer_.append("\n").append(kStreamIndentColumns * levels_.size(), ' ');
}

void JsonStream::FlushIfLarge() {
  if (buffer_.size() >= kBufferBytes) Flush();
}

void JsonStream::Flush() {
  if (status_) status_ = sink_.Write(buffer_);
  buffer_.clear();
}

}  // namespace assay
