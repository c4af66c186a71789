// Joins paths, and finds the files that patterns name.
#include "dialects/promptfoo/read/paths.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace assay::promptfoo {

namespace {

constexpr std::size_t kFoundMax = 100'000;
constexpr std::size_t kPatternsMax = 256;  // that braces make of one
constexpr int kFolderDepthMax = 24;

std::vector<std::string> PartsOf(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Whether `letter` is in the class that begins at `at`, behind "["; `at` becomes the place behind "]".
bool IsInClass(std::string_view pattern, std::size_t& at, char letter) {
  const bool is_negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (is_negated) ++at;
  bool is_in = false;
  for (bool is_first = true; at < pattern.size() && (is_first || pattern[at] != ']'); is_first = false) {
    const char low = pattern[at++];
    char high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      high = pattern[at + 1];
      at += 2;
    }
    is_in = is_in || (low <= letter && letter <= high);
  }
  ++at;
  return is_in != is_negated;
}

bool NameMatches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  while (at < pattern.size()) {
    if (pattern[at] == '*') {
      const std::string_view rest = pattern.substr(at + 1);
      for (std::size_t from = 0; from <= name.size(); ++from) {
        if (NameMatches(rest, name.substr(from))) return true;
      }
      return false;
    }
    if (name.empty()) return false;
    if (pattern[at] == '[' && pattern.find(']', at + 2) != std::string_view::npos) {
      std::size_t behind = at + 1;
      if (!IsInClass(pattern, behind, name.front())) return false;
      at = behind;
    } else {
      if (pattern[at] != '?' && pattern[at] != name.front()) return false;
      ++at;
    }
    name.remove_prefix(1);
  }
  return name.empty();
}

// "a{b,c}" is "ab" and "ac".
void ExpandBraces(std::string_view pattern, std::vector<std::string>& out) {
  const std::size_t open = pattern.find('{');
  const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
  if (close == std::string_view::npos || out.size() >= kPatternsMax) {
    out.emplace_back(pattern);
    return;
  }
  const std::string_view choices = pattern.substr(open + 1, close - open - 1);
  if (choices.find(',') == std::string_view::npos) {
    out.emplace_back(pattern);
    return;
  }
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t end = std::min(choices.find(',', at), choices.size());
    ExpandBraces(std::string(pattern.substr(0, open)) + std::string(choices.substr(at, end - at)) +
                     std::string(pattern.substr(close + 1)),
                 out);
    at = end + 1;
  }
}

class Glob {
 public:
  Glob(FileReader& files, std::string_view folder, std::string_view pattern)
      : files_(files), folder_(folder), parts_(PartsOf(pattern)) {}

  std::vector<std::string> Find() {
    Walk(parts_.front().empty() ? "/" : "", parts_.front().empty() ? 1 : 0, 0);
    return std::move(found_);
  }

 private:
  std::string InFolder(const std::string& path) const {
    const std::string full = JoinedPath(folder_, path);
    return full.empty() ? "." : full;
  }

  // `so_far` is "" or ends in "/".
  void Walk(const std::string& so_far, std::size_t part, int depth) {
    if (found_.size() >= kFoundMax || depth > kFolderDepthMax) return;
    const std::string& name = parts_[part];
    const bool is_last = part + 1 == parts_.size();
    if (name == "." || name == "..") {
      if (!is_last) Walk(name == "." ? so_far : so_far + "../", part + 1, depth + 1);
      return;
    }
    if (name != "**" && !HasGlobMarks(name)) {
      if (!is_last) return Walk(so_far + name + "/", part + 1, depth + 1);
      if (files_.Exists(InFolder(so_far + name))) found_.push_back(so_far + name);
      return;
    }
    const Result<std::vector<std::string>> names = files_.List(InFolder(so_far));
    if (name == "**" && !is_last) Walk(so_far, part + 1, depth + 1);
    if (!names) return;
    for (const std::string& each : *names) {
      if (each.starts_with('.') && !name.starts_with('.')) continue;
      if (name != "**" && !NameMatches(name, each)) continue;
      const bool is_folder = files_.List(InFolder(so_far + each)).has_value();
      if (is_folder && name == "**") Walk(so_far + each + "/", part, depth + 1);
      if (is_folder && name != "**" && !is_last) Walk(so_far + each + "/", part + 1, depth + 1);
      if (!is_folder && is_last) found_.push_back(so_far + each);
    }
  }

  FileReader& files_;
  std::string folder_;
  std::vector<std::string> parts_;
  std::vector<std::string> found_;
};

}  // namespace

std::string_view WithoutFilePrefix(std::string_view text) {
  return text.starts_with(kFilePrefix) ? text.substr(kFilePrefix.size()) : text;
}

std::string FolderOf(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

std::string JoinedPath(std::string_view folder, std::string_view path) {
  const std::string joined = path.starts_with('/') ? std::string(path) : std::string(folder).append(path);
  std::vector<std::string> kept;
  for (const std::string& part : PartsOf(joined)) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string whole = joined.starts_with('/') ? "/" : "";
  for (const std::string& part : kept) whole += part + "/";
  if (whole.size() > 1) whole.pop_back();
  return whole;
}

std::string ExtensionOf(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? "" : AsciiLower(name.substr(dot));
}

bool HasGlobMarks(std::string_view path) { return path.find_first_of("*?[") != std::string_view::npos; }

std::vector<std::string> FilesOf(FileReader& files, std::string_view folder, std::string_view pattern) {
  if (pattern.empty()) return {};
  std::vector<std::string> found;
  if (files.Exists(JoinedPath(folder, pattern))) return {std::string(pattern)};
  std::vector<std::string> patterns;
  ExpandBraces(pattern, patterns);
  for (const std::string& each : patterns) {
    std::vector<std::string> more = Glob(files, folder, each).Find();
    found.insert(found.end(), more.begin(), more.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

CodePath CodePathOf(std::string_view named) {
  const std::size_t colon = named.rfind(':');
  if (colon == std::string_view::npos || colon < 2 || named.find('/', colon) != std::string_view::npos)
    return {std::string(named)};
  return {std::string(named.substr(0, colon)), std::string(named.substr(colon + 1))};
}

bool IsJavaScriptPath(std::string_view path) {
  const std::string extension = ExtensionOf(path);
  for (const std::string_view each : {".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"}) {
    if (extension == each) return true;
  }
  return false;
}

bool IsScriptName(std::string_view text) {
  if (!text.starts_with(kFilePrefix)) return false;
  const std::string extension = ExtensionOf(CodePathOf(WithoutFilePrefix(text)).path);
  return extension == ".js" || extension == ".cjs" || extension == ".mjs";
}

bool IsPythonPath(std::string_view path) { return ExtensionOf(path) == ".py"; }

bool IsCodePath(std::string_view path) {
  const std::string bare = CodePathOf(path).path;
  return IsJavaScriptPath(path) || IsPythonPath(path) || IsJavaScriptPath(bare) || IsPythonPath(bare);
}

}  // namespace assay::promptfoo
