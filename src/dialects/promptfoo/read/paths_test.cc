// Tests of paths and patterns of files.
#include "dialects/promptfoo/read/paths.h"

#include <doctest/doctest.h>

#include "dialects/promptfoo/test_config.h"

namespace assay::promptfoo {
namespace {

using Paths = std::vector<std::string>;

TEST_CASE("joined paths") {
  CHECK(JoinedPath("a/", "./x/../b.txt") == "a/b.txt");
  CHECK(JoinedPath("a/", "../b.txt") == "b.txt");
  CHECK(JoinedPath("", "../b.txt") == "../b.txt");
  CHECK(JoinedPath("a/", "/b//c.txt") == "/b/c.txt");
}

TEST_CASE("patterns of files") {
  FolderFiles files;
  for (const char* path : {"d/b.txt", "d/a.txt", "d/c.md", "d/e/f.txt", "top.txt", "d/.hidden.txt"})
    files.files[path] = "";
  CHECK(FilesOf(files, "", "d/*.txt") == Paths{"d/a.txt", "d/b.txt"});
  CHECK(FilesOf(files, "d/", "*.{md,txt}") == Paths{"a.txt", "b.txt", "c.md"});
  CHECK(FilesOf(files, "", "**/*.txt") == Paths{"d/a.txt", "d/b.txt", "d/e/f.txt", "top.txt"});
  CHECK(FilesOf(files, "", "d/[a-b].txt") == Paths{"d/a.txt", "d/b.txt"});
  CHECK(FilesOf(files, "", "d/[!a].txt") == Paths{"d/b.txt"});
  CHECK(FilesOf(files, "", "d/?.md") == Paths{"d/c.md"});
  CHECK(FilesOf(files, "", "top.txt") == Paths{"top.txt"});
  CHECK(FilesOf(files, "", "none.txt").empty());
  CHECK(FilesOf(files, "", "").empty());
}

TEST_CASE("code and its functions") {
  CHECK(IsCodePath("a/make.py:build"));
  CHECK(IsCodePath("a.mjs"));
  CHECK_FALSE(IsCodePath("a.txt"));
  CHECK(CodePathOf("a.py:f").function == "f");
  CHECK(CodePathOf("http://x/y").function.empty());
}

}  // namespace
}  // namespace assay::promptfoo
