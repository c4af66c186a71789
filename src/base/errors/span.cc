// Keeps the texts of source files and converts byte offsets to lines and columns.
#include "base/errors/span.h"

#include <algorithm>

#include "base/errors/assert.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

// A line ends with "\n", "\r\n" or a lone "\r", as YAML has it; JSON's and TOML's lines are among these.
std::vector<std::uint32_t> LineStarts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  if (text.find('\r') == std::string_view::npos) {  // nearly every file: one fast search per line
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      starts.push_back(static_cast<std::uint32_t>(at + 1));
    }
    return starts;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends = text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (ends) starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return starts;
}

}  // namespace

FileId SourceFiles::Add(std::string path, std::string text) {
  ASSAY_ASSERT(text.size() < 0xffffffffu);
  File& file = files_.emplace_back();
  file.path = std::move(path);
  file.own_text = std::move(text);
  file.text = file.own_text;
  file.line_starts = LineStarts(file.text);
  return static_cast<FileId>(files_.size() - 1);
}

FileId SourceFiles::Add(std::string path, std::string_view text, std::shared_ptr<const void> owner) {
  ASSAY_ASSERT(text.size() < 0xffffffffu);
  File& file = files_.emplace_back();
  file.path = std::move(path);
  file.owner = std::move(owner);
  file.text = text;
  return static_cast<FileId>(files_.size() - 1);
}

const SourceFiles::File* SourceFiles::Find(FileId file) const {
  const auto index = static_cast<std::size_t>(file);
  return index < files_.size() ? &files_[index] : nullptr;
}

std::string_view SourceFiles::Path(FileId file) const {
  const File* found = Find(file);
  return found == nullptr ? std::string_view() : found->path;
}

std::string_view SourceFiles::Text(FileId file) const {
  const File* found = Find(file);
  return found == nullptr ? std::string_view() : found->text;
}

std::size_t SourceFiles::LineIndex(const File& file, std::uint32_t offset) {
  if (file.line_starts.empty()) file.line_starts = LineStarts(file.text);
  const auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  return static_cast<std::size_t>(after - file.line_starts.begin()) - 1;
}

LineColumn SourceFiles::Locate(Span where) const {
  const File* file = Find(where.file);
  if (file == nullptr) return {};
  const std::string_view text = file->text;
  const auto offset = std::min(where.offset, static_cast<std::uint32_t>(text.size()));
  const std::size_t line = LineIndex(*file, offset);
  const std::string_view before = text.substr(file->line_starts[line], offset - file->line_starts[line]);
  return {static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(CountCodePoints(before) + 1)};
}

std::string_view SourceFiles::LineAt(Span where) const {
  const File* file = Find(where.file);
  if (file == nullptr) return {};
  const std::string_view text = file->text;
  const std::size_t line = LineIndex(*file, std::min(where.offset, static_cast<std::uint32_t>(text.size())));
  const std::string_view rest = text.substr(file->line_starts[line]);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

}  // namespace assay
