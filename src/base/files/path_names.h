// Names within paths: of a file, of a folder, and without what an extension adds.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

// "c.pdf" of "/a/b/c.pdf"; "" of "a/".
constexpr std::string_view FileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is the start
}

// "b" of "a/b" and of "a/b//"; "" of "/".
constexpr std::string_view FolderNameOf(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return FileNameOf(path);
}

// "eval_1" of "a/b/eval_1.yaml"; a name that begins with its only dot is whole.
constexpr std::string_view StemOf(std::string_view path) {
  const std::string_view name = FileNameOf(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace assay
