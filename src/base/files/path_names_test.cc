// Tests of names within paths, and of the byte order mark.
#include "base/files/path_names.h"

#include <doctest/doctest.h>

#include "base/text/byte_order_mark.h"

namespace assay {
namespace {

TEST_CASE("paths have names") {
  const struct {
    std::string_view path, file, folder, stem;
  } rows[] = {
      {"/a/b/c.pdf", "c.pdf", "c.pdf", "c"},
      {"c.tar.gz", "c.tar.gz", "c.tar.gz", "c.tar"},
      {"a/b//", "", "b", ""},
      {"/", "", "", ""},
      {"", "", "", ""},
      {"a/.env", ".env", ".env", ".env"},
      {"a.b/c", "c", "c", "c"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.path);
    CHECK(FileNameOf(row.path) == row.file);
    CHECK(FolderNameOf(row.path) == row.folder);
    CHECK(StemOf(row.path) == row.stem);
  }
}

TEST_CASE("one byte order mark is taken away, at the start") {
  CHECK(WithoutByteOrderMark("\xEF\xBB\xBFx") == "x");
  CHECK(WithoutByteOrderMark("x\xEF\xBB\xBF") == "x\xEF\xBB\xBF");
  CHECK(WithoutByteOrderMark("\xEF\xBB") == "\xEF\xBB");
  CHECK(WithoutByteOrderMark("").empty());
}

}  // namespace
}  // namespace assay
