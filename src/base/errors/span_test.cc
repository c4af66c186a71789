// Tests of the conversion of byte offsets to lines and columns.
#include "base/errors/span.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("line and column of an offset") {
  SourceFiles files;
  const FileId file = files.Add("a.yml", "one\ntwo\r\nd\xc3\xa9j\xc3\xa0\rfour\n");
  struct Row {
    std::uint32_t offset;
    std::uint32_t line;
    std::uint32_t column;
    std::string_view text;
  };
  const Row rows[] = {
      {0, 1, 1, "one"},   {3, 1, 4, "one"},   {4, 2, 1, "two"}, {8, 2, 5, "two"},
      {9, 3, 1, "déjà"},  {12, 3, 3, "déjà"},  // bytes are not columns
      {16, 4, 1, "four"}, {20, 4, 5, "four"}, {21, 5, 1, ""},   {999, 5, 1, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.offset);
    const Span where{file, row.offset, 0};
    CHECK(files.Locate(where).line == row.line);
    CHECK(files.Locate(where).column == row.column);
    CHECK(files.LineAt(where) == row.text);
  }
}

TEST_CASE("an unknown place") {
  SourceFiles files;
  CHECK(files.Locate({}).line == 0);
  CHECK(files.LineAt({}).empty());
  CHECK(files.Path(FileId::kNone).empty());
  CHECK(files.Text(static_cast<FileId>(7)).empty());
}

TEST_CASE("views stay valid while files are added") {
  SourceFiles files;
  const std::string_view path = files.Path(files.Add("a", "b"));
  for (int i = 0; i < 100; ++i) files.Add("x", "y");
  CHECK(path == "a");
  CHECK(path.data() == files.Path(static_cast<FileId>(0)).data());
}

}  // namespace
}  // namespace assay
