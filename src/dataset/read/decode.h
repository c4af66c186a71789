// Turns the bytes of a dataset's file into text: unpacks them and decodes their letters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors/span.h"
#include "base/files/file_reader.h"
#include "dataset/options.h"
#include "dataset/read/text_feed.h"

namespace assay::dataset {

// What a file is that nothing here reads; an empty code: it may be a table.
Problem OtherKind(const std::string& path, std::string_view bytes);

// The letter of a byte in windows-1252; 0 where it has none.
char32_t WindowsLetter(unsigned char byte);
// What is wrong with a byte of a text that should be UTF-8.
Problem NotUtf8(FileId file, std::string_view text, std::size_t at);

// A file whose text is in the sources; the feed proves its letters.
struct DecodedFile {
  FileId file;
  TextFeed feed;
};

// Nothing after an error. What is unpacked or decoded lies where `files` keeps such bytes.
std::optional<DecodedFile> DecodeFile(const std::string& path, std::shared_ptr<const FileBytes> bytes,
                                      const Options& options, Span named_at, FileReader& files,
                                      SourceFiles& sources, Problems& problems);

// The file of a text in memory, whose letters are proved; nothing after an error.
std::optional<FileId> Decode(const std::string& path, std::string bytes, const Options& options,
                             Span named_at, SourceFiles& sources, Problems& problems);

}  // namespace assay::dataset
