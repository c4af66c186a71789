// Replaces the characters that libyaml and js-yaml read differently, and maps places back to the file.
#include "text/yaml/source.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

constexpr std::size_t kCheckpointStep = 16;
constexpr char32_t kFirstStandIn = 0xF0000;  // private use, plane 15

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }
bool IsHighSurrogate(char32_t c) { return c >= 0xD800 && c < 0xDC00; }
bool IsLowSurrogate(char32_t c) { return c >= 0xDC00 && c < 0xE000; }
bool IsLineBreak(char c) { return c == '\n' || c == '\r'; }
bool IsFlowIndicator(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

// Bytes that may begin something that js-yaml and libyaml read differently.
constexpr std::array<bool, 256> kSuspect = [] {
  std::array<bool, 256> suspect{};
  for (std::size_t byte = 0; byte < 0x20; ++byte)
    suspect[byte] = byte != '\t' && byte != '\n' && byte != '\r';
  for (const std::size_t byte : {0x5Cu, 0x7Fu, 0xC2u, 0xE2u, 0xEFu}) suspect[byte] = true;
  return suspect;
}();

// Line breaks to libyaml and YAML 1.1, plain text to js-yaml.
bool IsTextBreak(char32_t c) { return c == 0x85 || c == 0x2028 || c == 0x2029; }

// Characters of which libyaml makes line breaks or errors and js-yaml does not, or not everywhere.
bool IsForeign(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c <= 0x9F) || IsTextBreak(c) ||
         c == 0xFFFE || c == 0xFFFF;
}

// The \uD83D form behind a backslash at `offset`; nothing if another escape stands there.
std::optional<char32_t> SurrogateEscape(std::string_view text, std::size_t offset) {
  if (text.size() < offset + 6 || text[offset + 1] != 'u' || (text[offset + 2] | 0x20) != 'd')
    return std::nullopt;
  char32_t unit = 0;
  for (std::size_t i = offset + 2; i < offset + 6; ++i) {
    const char lower = static_cast<char>(text[i] | 0x20);
    if (text[i] >= '0' && text[i] <= '9') {
      unit = unit * 16 + static_cast<char32_t>(text[i] - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<char32_t>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  if (!IsHighSurrogate(unit) && !IsLowSurrogate(unit)) return std::nullopt;
  return unit;
}

}  // namespace

YamlSource::YamlSource(FileId file, std::string_view text, YamlRules rules)
    : file_(file), rules_(rules), original_(text) {
  if (text.starts_with(kByteOrderMark)) start_byte_ = static_cast<std::uint32_t>(kByteOrderMark.size());
  text.remove_prefix(start_byte_);
  prepared_ = text;
  if (rules == YamlRules::kJsYaml && !text.empty() && !IsLineBreak(text.back())) prepared_ += '\n';
  if (!IsAscii(text)) {
    std::size_t index = 0;
    for (std::size_t byte = 0; byte < text.size(); ++byte) {
      if (IsContinuation(text[byte])) continue;
      if (index++ % kCheckpointStep == 0) checkpoints_.push_back(static_cast<std::uint32_t>(byte));
    }
  }
  ReplaceForeign();
}

void YamlSource::ReplaceForeign() {
  const std::string_view text = original_.substr(start_byte_);
  std::string replaced;
  std::size_t copied = 0;
  const auto replace = [&](std::size_t offset, std::size_t size_bytes, char32_t meant) {
    replaced.append(text, copied, offset - copied);
    AppendUtf8(StandInFor(meant), replaced);
    copied = offset + size_bytes;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!kSuspect[static_cast<unsigned char>(text[i])]) continue;
    if (text[i] == '\\') {
      if (SurrogateEscape(text, i)) {
        replace(i, 1, U'\\');
      } else if (i + 1 < text.size() && text[i + 1] == '\\') {
        ++i;  // an escaped backslash begins no escape
      }
    } else if (rules_ == YamlRules::kJsYaml) {
      const DecodedCodePoint found = DecodeUtf8(text, i);
      if (IsForeign(found.code_point)) replace(i, found.size_bytes, found.code_point);
    }
  }
  if (copied == 0) return;
  replaced.append(prepared_, copied);
  prepared_ = std::move(replaced);
}

char32_t YamlSource::StandInFor(char32_t meant) {
  for (const StandIn& stand_in : stand_ins_) {
    if (stand_in.meant == meant) return stand_in.shown;
  }
  char32_t shown = stand_ins_.empty() ? kFirstStandIn : stand_ins_.back().shown + 1;
  for (;; ++shown) {
    std::string bytes;
    AppendUtf8(shown, bytes);
    if (original_.find(bytes) == std::string_view::npos) break;
  }
  stand_ins_.push_back({shown, meant});
  return shown;
}

const YamlSource::StandIn* YamlSource::Find(char32_t shown) const {
  const auto found = std::find_if(stand_ins_.begin(), stand_ins_.end(),
                                  [shown](const StandIn& stand_in) { return stand_in.shown == shown; });
  return found == stand_ins_.end() ? nullptr : &*found;
}

bool YamlSource::Restore(YamlStyle style, std::string& scalar) const {
  if (stand_ins_.empty()) return true;
  const bool quoted = style == YamlStyle::kSingleQuoted || style == YamlStyle::kDoubleQuoted;
  std::string out;
  char32_t pending_high = 0;  // a high surrogate that was just written
  for (std::size_t i = 0; i < scalar.size();) {
    const DecodedCodePoint shown = DecodeUtf8(scalar, i);
    const StandIn* stand_in = Find(shown.code_point);
    if (stand_in == nullptr) {
      out.append(scalar, i, shown.size_bytes);
      i += shown.size_bytes;
      pending_high = 0;
      continue;
    }
    i += shown.size_bytes;
    if (stand_in->meant == U'\\' && style == YamlStyle::kDoubleQuoted) {
      const char32_t unit = SurrogateEscape(scalar, i - 1).value_or(0xFFFD);
      i += std::string_view("uD800").size();
      if (rules_ == YamlRules::kJsYaml && IsLowSurrogate(unit) && pending_high != 0) {
        out.resize(out.size() - 3);
        AppendUtf8(0x10000 + ((pending_high - 0xD800) << 10) + (unit - 0xDC00), out);
        pending_high = 0;
      } else {
        AppendUtf8(unit, out);
        pending_high = IsHighSurrogate(unit) ? unit : 0;
      }
      continue;
    }
    const char32_t meant = stand_in->meant;
    const bool is_text =
        meant == U'\\' || meant == U'\t' || meant == U':' || meant == U'?' || IsTextBreak(meant);
    if (!is_text && (meant < 0x20 || !quoted)) return false;
    AppendUtf8(meant, out);
    pending_high = 0;
  }
  scalar = std::move(out);
  return true;
}

Diagnostic YamlSource::EncodingProblem() const {
  const std::size_t invalid = FindInvalidUtf8(original_);
  const bool is_utf16 = original_.starts_with("\xff\xfe") || original_.starts_with("\xfe\xff");
  if (invalid != std::string_view::npos || is_utf16) {
    const std::uint32_t byte = is_utf16 ? 0 : static_cast<std::uint32_t>(invalid);
    return {Severity::kError, "yaml.encoding",
            is_utf16 ? "the file is UTF-16, expected UTF-8" : "these bytes are not UTF-8",
            "save the file as UTF-8", Place(byte, byte + 1)};
  }
  std::size_t byte = start_byte_;
  while (byte < original_.size()) {
    const DecodedCodePoint found = DecodeUtf8(original_, byte);
    if (IsForeign(found.code_point) && !IsTextBreak(found.code_point)) break;
    byte += found.size_bytes;
  }
  return {Severity::kError, "yaml.encoding", "the text contains a control character",
          "remove it, or write it as an escape in double quotes",
          Place(static_cast<std::uint32_t>(byte), static_cast<std::uint32_t>(byte) + 1)};
}

std::uint32_t YamlSource::ByteAt(std::size_t index) const {
  const std::string_view text = original_.substr(start_byte_);
  index -= static_cast<std::size_t>(std::lower_bound(inserted_.begin(), inserted_.end(), index) -
                                    inserted_.begin());
  std::size_t byte = index;
  if (!checkpoints_.empty()) {
    const std::size_t checkpoint = std::min(index / kCheckpointStep, checkpoints_.size() - 1);
    byte = checkpoints_[checkpoint];
    std::size_t left = index - checkpoint * kCheckpointStep;
    while (left > 0 && byte < text.size()) {
      ++byte;
      while (byte < text.size() && IsContinuation(text[byte])) ++byte;
      --left;
    }
  }
  return start_byte_ + static_cast<std::uint32_t>(std::min(byte, text.size()));
}

Span YamlSource::SpanOf(std::size_t first_index, std::size_t end_index) const {
  return Place(ByteAt(first_index), ByteAt(std::max(first_index, end_index)));
}

std::size_t YamlSource::PreparedByteAt(std::size_t index) const {
  std::size_t byte = 0;
  for (; byte < prepared_.size(); ++byte) {
    if (!IsContinuation(prepared_[byte]) && index-- == 0) break;
  }
  return byte;
}

void YamlSource::HideTab(std::size_t index) {
  const std::uint32_t byte = ByteAt(index);
  hidden_tabs_.insert(std::upper_bound(hidden_tabs_.begin(), hidden_tabs_.end(), byte), byte);
  prepared_.replace(PreparedByteAt(index), 1, " ");
}

void YamlSource::KeepTab(std::size_t index) {
  std::string shown;
  AppendUtf8(StandInFor(U'\t'), shown);
  prepared_.replace(PreparedByteAt(index), 1, shown);
}

void YamlSource::Insert(std::size_t index, std::string_view ascii) {
  prepared_.insert(PreparedByteAt(index), ascii);
  auto place = std::lower_bound(inserted_.begin(), inserted_.end(), index);
  for (auto later = place; later != inserted_.end(); ++later) *later += ascii.size();
  std::vector<std::size_t> added(ascii.size());
  std::iota(added.begin(), added.end(), index);
  inserted_.insert(place, added.begin(), added.end());
}

bool YamlSource::SpaceColon(std::size_t index) {
  const std::size_t byte = PreparedByteAt(index);
  if (prepared_.size() < byte + 2 || prepared_[byte] != ':' || !IsFlowIndicator(prepared_[byte + 1]))
    return false;
  Insert(index + 1, " ");
  return true;
}

// Whether js-yaml takes the character at this byte of the shown text for the start of a plain text, if it
// stands where a value begins.
bool YamlSource::MayBeginText(std::size_t byte) const {
  if (byte + 1 >= prepared_.size() || (prepared_[byte] != ':' && prepared_[byte] != '?')) return false;
  const char next = prepared_[byte + 1];
  return next != ' ' && next != '\t' && !IsLineBreak(next) && !IsFlowIndicator(next);
}

bool YamlSource::KeepMark(std::size_t index) {
  const std::size_t asked = PreparedByteAt(index);
  if (!MayBeginText(asked)) return false;
  std::string shown;
  char before = '\0';  // the last character that is no white space
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    const char c = prepared_[i];
    // Behind a bracket, a comma or "key: " it begins a value, or is a character of a text anyway.
    const bool begins = before == '[' || before == '{' || before == ',' ||
                        (before == ':' && (prepared_[i - 1] == ' ' || IsLineBreak(prepared_[i - 1])));
    if (i == asked || (begins && MayBeginText(i))) {
      AppendUtf8(StandInFor(static_cast<char32_t>(c)), shown);
    } else {
      shown += c;
    }
    if (c != ' ' && c != '\t' && !IsLineBreak(c)) before = c;
  }
  prepared_ = std::move(shown);
  return true;
}

bool YamlSource::StartDocument(std::size_t index) {
  const std::size_t byte = PreparedByteAt(index);
  const auto line_start = [this](std::size_t at) { return prepared_.find_last_of("\r\n", at - 1) + 1; };
  const std::size_t start = byte == 0 ? 0 : line_start(byte);
  if (std::string_view(prepared_).substr(start, byte - start).find_first_not_of(" \t") != std::string::npos)
    return false;
  // Before it, nothing but blank lines and comments up to the "...".
  for (std::size_t at = start; at > 0;) {
    const std::size_t end = at - 1;
    at = end == 0 ? 0 : line_start(end);
    std::string_view line = std::string_view(prepared_).substr(at, end - at);
    const bool is_end = line.starts_with("...");
    if (is_end) line.remove_prefix(3);
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (first < line.size() && line[first] != '#') return false;
    if (!is_end) continue;
    const std::size_t indent = byte - start;  // of one byte each
    Insert(index - indent, "---\n");
    return true;
  }
  return false;
}

std::string_view YamlSource::AnchorAt(std::uint32_t byte) const {
  if (rules_ != YamlRules::kJsYaml || byte >= original_.size()) return {};
  if (original_[byte] != '&' && original_[byte] != '*') return {};
  const std::string_view rest = original_.substr(byte + 1);
  const auto end = std::find_if(rest.begin(), rest.end(), [](char c) {
    return c == ' ' || c == '\t' || c == '\0' || IsLineBreak(c) || IsFlowIndicator(c);
  });
  return rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
}

const std::string& YamlSource::AnchorName(const std::string& shown) const {
  const auto found = std::find_if(renamed_anchors_.begin(), renamed_anchors_.end(),
                                  [&](const RenamedAnchor& each) { return each.shown == shown; });
  return found == renamed_anchors_.end() ? shown : found->meant;
}

const std::string& YamlSource::ShownAnchor(std::string_view meant) {
  for (const RenamedAnchor& renamed : renamed_anchors_) {
    if (renamed.meant == meant) return renamed.shown;
  }
  const std::size_t length = CountCodePoints(meant);
  for (std::size_t number = renamed_anchors_.size();; ++number) {
    std::string shown = "anchor" + std::to_string(number);
    if (original_.find(shown) != std::string_view::npos) continue;
    shown.resize(std::max(shown.size(), length), '-');
    if (AnchorName(shown) != shown) continue;
    renamed_anchors_.push_back({std::string(meant), std::move(shown)});
    return renamed_anchors_.back().shown;
  }
}

bool YamlSource::RenameAnchor(std::size_t index) {
  const std::string_view meant = AnchorAt(ByteAt(index));
  if (meant.empty()) return false;
  const std::string shown = ShownAnchor(meant);
  const std::size_t first = PreparedByteAt(index + 1);
  std::size_t end = first;
  const std::size_t length = CountCodePoints(meant);
  for (std::size_t count = 0; count < length; ++count) {
    ++end;
    while (end < prepared_.size() && IsContinuation(prepared_[end])) ++end;
  }
  if (prepared_.compare(first, end - first, shown, 0, length) == 0) return false;  // renamed already
  prepared_.replace(first, end - first, shown, 0, length);
  Insert(index + 1 + length, std::string_view(shown).substr(length));
  return true;
}

void YamlSource::KeepTrailingBlanks() {
  std::string shown;
  const bool has_escapes = prepared_.starts_with('"');
  bool is_escape = false;  // an odd run of backslashes ends here: the next character belongs to it
  for (std::size_t i = 0; i < prepared_.size();) {
    const std::size_t end = std::min(prepared_.find_first_not_of(" \t", i), prepared_.size());
    if (end == i || is_escape) {
      is_escape = has_escapes && prepared_[i] == '\\' && !is_escape;
      shown += prepared_[i++];
      continue;
    }
    // Blanks at the start of a line are its indentation, whatever follows.
    const bool is_trailing =
        end < prepared_.size() && IsLineBreak(prepared_[end]) && !IsLineBreak(prepared_[i - 1]);
    for (; i < end; ++i) {
      if (is_trailing) {
        AppendUtf8(StandInFor(static_cast<char32_t>(prepared_[i])), shown);
      } else {
        shown += prepared_[i];
      }
    }
  }
  prepared_ = std::move(shown);
}

const std::uint32_t* YamlSource::HiddenTabBefore(std::uint32_t byte) const {
  for (const std::uint32_t& tab : hidden_tabs_) {
    if (tab > byte) return nullptr;
    const std::string_view between = original_.substr(tab, byte - tab);
    if (between.find_first_of("\r\n") == std::string_view::npos) return &tab;
  }
  return nullptr;
}

const std::uint32_t* YamlSource::HiddenTabBeforeTextIn(Span span) const {
  for (const std::uint32_t& tab : hidden_tabs_) {
    if (tab < span.offset || tab >= span.offset + span.length) continue;
    const std::size_t next = original_.find_first_not_of(" \t", tab);
    if (next < original_.size() && !IsLineBreak(original_[next])) return &tab;
  }
  return nullptr;
}

}  // namespace assay
