// Opens the file once, and looks at who may read what was opened.
#include "engine/network/key_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/errors/diagnostics.h"
#include "io/sandbox/file.h"

namespace assay {

namespace {

constexpr std::size_t kKeyBytesMax = 16'384;

// Why nobody may rely on it that it is secret; "" if one may.
std::string Exposure(const struct stat& info) {
  const bool is_mounted = info.st_uid == 0;
  if (!is_mounted && info.st_uid != ::geteuid()) return "belongs to another user";
  if ((info.st_mode & S_IRWXO) != 0) return "can be read by everybody";
  const mode_t of_group = is_mounted ? S_IWGRP : S_IRWXG;
  return (info.st_mode & of_group) != 0 ? "can be read or written by its group" : "";
}

bool IsOfKey(char c) { return c > ' ' && c <= '~'; }

}  // namespace

Result<Secret> ReadKeyFile(const std::string& path) {
  // Without waiting: a pipe would.
  const SandboxFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) {
    return Error{errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                 fmt::format("the key file {} cannot be read: {}", Quoted(path), std::strerror(errno))};
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return Error{ErrorCode::kRefused, fmt::format("the key file {} is no regular file", Quoted(path))};
  if (const std::string exposure = Exposure(info); !exposure.empty()) {
    return Error{ErrorCode::kRefused, fmt::format("the key file {} {}; chmod 600, and have it belong to you",
                                                  Quoted(path), exposure)};
  }
  std::string key(kKeyBytesMax + 1, '\0');
  const ssize_t count = ::read(file.get(), key.data(), key.size());
  key.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r' || key.back() == ' ')) key.pop_back();
  const bool is_key =
      !key.empty() && key.size() <= kKeyBytesMax && std::all_of(key.begin(), key.end(), IsOfKey);
  Secret secret(is_key ? key : std::string());
  std::fill(key.begin(), key.end(), '\0');
  if (is_key) return secret;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("the key file {} holds something else than one key in one line", Quoted(path))};
}

std::string PlacedPath(const std::string& folder, const std::string& path) {
  const char* home = std::getenv("HOME");
  if (path.starts_with("~/") && home != nullptr)
    return (std::filesystem::path(home) / path.substr(2)).string();
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

}  // namespace assay
