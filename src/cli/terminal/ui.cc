// Writing to the terminal.
#include "cli/terminal/ui.h"

#include "base/printable.h"
#include "base/utf8.h"

namespace assay {

namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

void Put(std::string_view text, std::FILE* file) { std::fwrite(text.data(), 1, text.size(), file); }

struct Range {
  char32_t first, last;
};

// Unicode's East Asian wide characters and the emoji that terminals draw wide, by block.
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                           {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                           {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                           {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
constexpr Range kNarrowless[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
                                 {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};

template <std::size_t kCount>
bool IsIn(char32_t code_point, const Range (&ranges)[kCount]) {
  for (const Range& range : ranges) {
    if (code_point >= range.first && code_point <= range.last) return true;
  }
  return false;
}

std::size_t WidthOf(char32_t code_point) {
  if (code_point < 0x300) return 1;
  if (IsIn(code_point, kNarrowless)) return 0;
  return IsIn(code_point, kWide) ? 2 : 1;
}

}  // namespace

Ui::Ui(std::FILE* out, std::FILE* err, const UiSettings& settings)
    : out_(out), err_(err), settings_(settings) {}

Ui::~Ui() { EndStatus(); }

void Ui::Out(std::string_view text) {
  EndStatus();
  Put(text, out_);
}

void Ui::Note(std::string_view line) {
  if (!settings_.quiet) Problem(line);
}

void Ui::Problem(std::string_view text) {
  EndStatus();
  Put(PrintableLines(text), err_);  // whoever forgot to escape what a store or a service said
  if (!text.ends_with('\n')) Put("\n", err_);
  std::fflush(err_);
}

void Ui::Status(std::string_view line) {
  if (settings_.status == StatusStyle::kNone) return;
  const std::string shown = Printable(line);
  if (settings_.status == StatusStyle::kLines) {
    Put(shown, err_);
    Put("\n", err_);
  } else {
    Put(kEraseLine, err_);
    Put(CutToWidth(shown, settings_.columns > 1 ? settings_.columns - 1 : 1), err_);
    status_shown_ = true;
  }
  std::fflush(err_);
}

void Ui::EndStatus() {
  if (!status_shown_) return;
  Put(kEraseLine, err_);
  std::fflush(err_);
  status_shown_ = false;
}

bool Ui::Flush() {
  EndStatus();
  return std::fflush(out_) == 0 && std::ferror(out_) == 0;
}

std::string Printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, i);
    AppendPrintable(decoded.code_point, out);
    i += decoded.size_bytes;
  }
  return out;
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += Printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, i);
    width += WidthOf(decoded.code_point);
    i += decoded.size_bytes;
  }
  return width;
}

std::string CutToWidth(std::string_view text, std::size_t columns) {
  if (DisplayWidth(text) <= columns) return std::string(text);
  std::size_t width = 1;  // of the ellipsis
  std::size_t i = 0;
  while (i < text.size()) {
    const DecodedCodePoint decoded = DecodeUtf8(text, i);
    width += WidthOf(decoded.code_point);
    if (width > columns) break;
    i += decoded.size_bytes;
  }
  return std::string(text.substr(0, i)) + "…";
}

}  // namespace assay
