// Buffers output, and cuts long texts.
#include "report/page/html/html_writer.h"

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "report/page/html/html_text.h"
#include "report/page/html/markdown.h"

namespace assay {
namespace {

constexpr std::size_t kBufferBytes = 64u << 10;

}  // namespace

HtmlWriter& HtmlWriter::Raw(std::string_view markup) {
  buffer_ += markup;
  FlushIfLarge();
  return *this;
}

HtmlWriter& HtmlWriter::Text(std::string_view text) {
  AppendHtmlText(text, buffer_);
  FlushIfLarge();
  return *this;
}

HtmlWriter& HtmlWriter::Attribute(std::string_view text) {
  AppendHtmlAttribute(text, buffer_);
  return *this;
}

HtmlWriter& HtmlWriter::CutText(std::string_view text, std::size_t limit) {
  if (!AppendHtmlTextUpTo(text, limit, buffer_)) {
    buffer_ += fmt::format("<i class=cut>… {} in all</i>", SizeText(text.size()));
  }
  FlushIfLarge();
  return *this;
}

HtmlWriter& HtmlWriter::Markdown(std::string_view text, std::size_t limit) {
  const std::string_view kept = CutToBytes(text, limit);
  AppendMarkdown(kept, buffer_);
  if (kept.size() < text.size())
    buffer_ += fmt::format("<i class=cut>… {} in all</i>", SizeText(text.size()));
  FlushIfLarge();
  return *this;
}

Status HtmlWriter::Finish() {
  if (status_) status_ = sink_.Write(buffer_);
  buffer_.clear();
  return status_;
}

void HtmlWriter::FlushIfLarge() {
  if (buffer_.size() < kBufferBytes) return;
  if (status_) status_ = sink_.Write(buffer_);
  buffer_.clear();
}

std::string SizeText(std::size_t bytes) {
  if (bytes < 1'000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string GroupDigits(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace assay
