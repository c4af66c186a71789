// Walks folders by a pattern.
#include "dataset/read/paths.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "dataset/limits.h"

namespace assay::dataset {

namespace {

constexpr std::string_view kAnyFolders = "**";

bool IsPattern(std::string_view part) { return part.find_first_of("*?") != std::string_view::npos; }

class PatternWalk {
 public:
  PatternWalk(std::string_view pattern, FileReader& files) : files_(files) {
    for (std::size_t start = 0; start <= pattern.size();) {
      const std::size_t end = std::min(pattern.find('/', start), pattern.size());
      parts_.emplace_back(pattern.substr(start, end - start));
      start = end + 1;
    }
  }

  std::vector<std::string> Found(const std::string& folder) {
    Walk(folder, 0);
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  // `folder` is "" or ends in "/".
  void Walk(const std::string& folder, std::size_t part) {
    if (found_.size() > limits::kDatasetFilesMax) return;
    const std::string& name = parts_[part];
    const bool is_last = part + 1 == parts_.size();
    if (!IsPattern(name)) {
      if (!is_last) return Walk(folder + name + "/", part + 1);
      if (files_.Exists(folder + name)) found_.push_back(folder + name);
      return;
    }
    const Result<std::vector<std::string>> entries = files_.List(folder.empty() ? "." : folder);
    if (!entries) return;
    if (name == kAnyFolders && !is_last) Walk(folder, part + 1);
    for (const std::string& entry : *entries) {
      if (entry.starts_with('.') && !name.starts_with('.')) continue;
      const bool is_any = name == kAnyFolders;
      if (!is_any && !CoversName(name, entry)) continue;
      const std::string path = folder + entry;
      const bool is_folder =
          (is_any || !is_last || entry.find('.') == std::string::npos) && files_.List(path);
      if (is_folder && (is_any || !is_last)) Walk(path + "/", is_any ? part : part + 1);
      if (!is_folder && is_last) found_.push_back(path);
    }
  }

  FileReader& files_;
  std::vector<std::string> parts_;
  std::vector<std::string> found_;
};

}  // namespace

bool CoversName(std::string_view pattern, std::string_view name) {
  // The last star takes one more letter whenever what follows it does not fit.
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  while (in < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = in;
    } else if (at < pattern.size() && pattern[at] == '?') {
      ++at;
      in += std::max<std::uint32_t>(1, DecodeUtf8(name, in).size_bytes);
    } else if (at < pattern.size() && pattern[at] == name[in]) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::vector<NamedFile> FilesOf(const std::vector<Name>& paths, std::string_view folder, FileReader& files,
                               Problems& problems) {
  std::vector<NamedFile> named;
  for (const Name& path : paths) {
    if (path.text.find("://") != std::string::npos) {
      problems.Add({.code = "dataset.address",
                    .message = fmt::format("{} is an address", Quoted(path.text)),
                    .hint = "download the file first, and write its path",
                    .where = path.where,
                    .name = path.text});
      continue;
    }
    const std::string base = path.text.starts_with('/') ? std::string() : std::string(folder);
    if (!IsPattern(path.text)) {
      named.push_back({base + path.text, path.where});
      continue;
    }
    std::vector<std::string> found = path.text.starts_with('/')
                                         ? PatternWalk(path.text.substr(1), files).Found("/")
                                         : PatternWalk(path.text, files).Found(base);
    if (found.empty() || found.size() > limits::kDatasetFilesMax) {
      problems.Add({.code = found.empty() ? "dataset.file" : "dataset.limit",
                    .message = found.empty() ? fmt::format("no file matches {}", Quoted(path.text))
                                             : fmt::format("{} matches more than {} files", Quoted(path.text),
                                                           limits::kDatasetFilesMax),
                    .hint = "a path counts from the folder of this file; --allow-path grants others",
                    .where = path.where,
                    .name = path.text});
      continue;
    }
    for (std::string& each : found) named.push_back({std::move(each), path.where});
  }
  return named;
}

}  // namespace assay::dataset
