// Span and SourceFiles: a byte range in a source file, and the files that were read; line and column are
// computed only for messages.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class FileId : std::uint32_t { kNone = 0xffffffffu };

struct Span {
  FileId file = FileId::kNone;
  std::uint32_t offset = 0;  // bytes from the start of the file
  std::uint32_t length = 0;  // bytes; 0 points between two characters
  friend bool operator==(const Span&, const Span&) = default;
};

struct LineColumn {
  std::uint32_t line = 0;    // 1-based; 0 if the place is unknown
  std::uint32_t column = 0;  // 1-based, in code points
};

// The files that were read, kept for messages. Append-only; ids and views stay valid for the object's life.
class SourceFiles {
 public:
  FileId Add(std::string path, std::string text);
  // A text that `owner` keeps: of a file that is too large to be copied. Its lines are looked for when the
  // first message needs one, by one thread.
  FileId Add(std::string path, std::string_view text, std::shared_ptr<const void> owner);
  std::string_view Path(FileId file) const;  // "" for kNone
  std::string_view Text(FileId file) const;  // "" for kNone
  LineColumn Locate(Span where) const;
  std::string_view LineAt(
      Span where) const;  // the source line that holds the span's start, without its line end

 private:
  struct File {
    std::string path;
    std::string own_text;
    std::shared_ptr<const void> owner;
    std::string_view text;
    mutable std::vector<std::uint32_t> line_starts;  // empty: nobody looked for them
  };
  const File* Find(FileId file) const;
  static std::size_t LineIndex(const File& file, std::uint32_t offset);
  std::deque<File> files_;  // does not move what it holds: short texts live inside their string
};

}  // namespace assay
