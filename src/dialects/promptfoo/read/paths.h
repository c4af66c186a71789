// Paths of configs: from the folder that they count from, and patterns of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"

namespace assay::promptfoo {

inline constexpr std::string_view kFilePrefix = "file://";

// Without "file://".
std::string_view WithoutFilePrefix(std::string_view text);
// The folder of a path: "" or ending in "/".
std::string FolderOf(std::string_view path);
// "a/b.txt" for "./x/../b.txt" in "a/"; an absolute path stays.
std::string JoinedPath(std::string_view folder, std::string_view path);
// ".txt", in lower case; "" if there is none.
std::string ExtensionOf(std::string_view path);

// Whether the path has `*`, `?` or `[`.
bool HasGlobMarks(std::string_view path);
// The files that the pattern names, in the order of their names, as paths from `folder`; a path without
// marks names itself if it is there. `*`, `?`, `[a-z]`, `**` and `{a,b}`.
std::vector<std::string> FilesOf(FileReader& files, std::string_view folder, std::string_view pattern);

// "make.py" and "build" of "make.py:build"; a function is a name behind the last colon.
struct CodePath {
  std::string path;
  std::string function = {};
};
CodePath CodePathOf(std::string_view named);
// Whether the path, without its function, is one of the user's own programs.
bool IsJavaScriptPath(std::string_view path);
// Whether the text names a file of JavaScript, file://PATH.js or file://PATH.js:FUNCTION.
bool IsScriptName(std::string_view text);
bool IsPythonPath(std::string_view path);
bool IsCodePath(std::string_view path);

}  // namespace assay::promptfoo
