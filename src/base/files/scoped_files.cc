// Compares paths part by part after links and ".." are resolved, and refuses what lies outside the allowed
// folders.
#include "base/files/scoped_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/errors/diagnostics.h"
#include "base/text/shell_words.h"

namespace assay {

namespace {

bool IsBelow(const std::filesystem::path& path, const std::filesystem::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

ScopedFileReader::ScopedFileReader(FileReader& files, const std::vector<std::string>& roots) : files_(files) {
  for (const std::string& root : roots) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(root.empty() ? "." : root, error);
    if (!error) roots_.push_back(real.string());
  }
}

Status ScopedFileReader::CheckInside(std::string_view path) const {
  std::error_code error;
  // A name without a folder that is not there would stay without one.
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  const std::filesystem::path real =
      error ? std::filesystem::path() : std::filesystem::weakly_canonical(absolute, error);
  const auto holds = [&](const std::string& root) { return IsBelow(real, root); };
  if (!error && std::any_of(roots_.begin(), roots_.end(), holds)) return Ok();
  // What a link hides is said: whoever allows it should know what.
  const std::filesystem::path written = std::filesystem::absolute(path, error).lexically_normal();
  const bool is_link = real != written && std::filesystem::exists(real, error);
  const std::filesystem::path folder = std::filesystem::is_directory(real, error) ? real : real.parent_path();
  const std::string allowed = folder.empty() ? std::string() : " " + QuoteWord(folder.string());
  return Error{
      ErrorCode::kRefused,
      fmt::format("{}{} lies outside the suite's folder; allow it with --allow-path{}, if it is meant",
                  Quoted(path), is_link ? fmt::format(" leads to {}, which", Quoted(real.string())) : "",
                  allowed)};
}

Result<std::string> ScopedFileReader::Read(std::string_view path) {
  ASSAY_CHECK_OK(CheckInside(path));
  return files_.Read(path);
}

Result<std::shared_ptr<const FileBytes>> ScopedFileReader::Open(std::string_view path,
                                                                std::uint64_t bytes_max) {
  ASSAY_CHECK_OK(CheckInside(path));
  return files_.Open(path, bytes_max);
}

bool ScopedFileReader::Exists(std::string_view path) {
  return CheckInside(path).has_value() && files_.Exists(path);
}

Result<std::vector<std::string>> ScopedFileReader::List(std::string_view path) {
  ASSAY_CHECK_OK(CheckInside(path));
  return files_.List(path);
}

}  // namespace assay
