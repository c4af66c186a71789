// Joins and normalises paths as Python's pathlib does.
#include "dialects/paths.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/python/repr.h"

namespace assay {

namespace {

enum class Dots { kKeepUp, kResolve };

// Parts without the empty ones and ".", and as told without "..".
std::string Joined(std::string_view absolute, Dots dots) {
  std::vector<std::string_view> parts;
  while (!absolute.empty()) {
    const std::size_t end = std::min(absolute.find('/'), absolute.size());
    const std::string_view part = absolute.substr(0, end);
    absolute.remove_prefix(std::min(end + 1, absolute.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && dots == Dots::kResolve) {
      if (!parts.empty()) parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string_view part : parts) out.append(1, '/').append(part);
  return out.empty() ? "/" : out;
}

// "~" of "./~/x": pathlib drops the "." before it looks for a home.
std::string_view FromTilde(std::string_view path) {
  std::string_view rest = path;
  while (rest.starts_with("./")) {
    rest.remove_prefix(2);
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
  }
  return rest.starts_with('~') ? rest : path;
}

Result<std::string> Expanded(std::string_view written, const PathRoots& roots) {
  const std::string_view path = FromTilde(written);
  if (!path.starts_with('~')) return std::string(path);
  const bool is_own = path.size() == 1 || path[1] == '/';
  if (is_own && !roots.home.empty()) return roots.home + std::string(path.substr(1));
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: expected a folder that is known, found {}; write the whole path",
                           Quoted(path), is_own ? "no HOME in the environment" : "another user's")};
}

}  // namespace

std::string WithoutDots(std::string_view absolute) { return Joined(absolute, Dots::kResolve); }

std::string FolderOfFile(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(path.substr(0, slash));
}

Result<std::string> ResolveMatrixPath(std::string_view path, const PathRoots& roots) {
  const std::string_view text = PythonTrim(path);
  const bool is_of_matrix = text.starts_with("./") || text.starts_with("../");
  if (is_of_matrix && !FromTilde(text).starts_with('~'))
    return WithoutDots(roots.matrix_folder + "/" + std::string(text));
  return ResolveOptionPath(text, roots);
}

Result<std::string> ResolveOptionPath(std::string_view path, const PathRoots& roots) {
  ASSAY_TRY(const std::string expanded, Expanded(path, roots));
  if (expanded.starts_with('/')) return Joined(expanded, Dots::kKeepUp);
  return WithoutDots(roots.cwd + "/" + expanded);
}

}  // namespace assay
