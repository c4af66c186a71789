// Writes the page with mode 0600, into a folder that nobody else can enter.
#include "cli/files/opening_page.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "engine/state/state_folder.h"

namespace assay {

namespace {

constexpr mode_t kPageMode = 0600;
constexpr std::string_view kNameStart = "open-";
constexpr std::string_view kNameEnd = ".html";

// Text of an attribute.
std::string AttributeText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'') {
      escaped += fmt::format("&#{};", static_cast<int>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string PageTo(const std::string& address) {
  const std::string to = AttributeText(address);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>assay</title>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta http-equiv=\"refresh\" content=\"0; url={}\">\n<p><a href=\"{}\">assay view</a></p>\n</html>\n",
      to, to);
}

bool WriteWhole(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Each program holds a lock on its page, so a page without one has lost its program.
void RemoveLeftPages(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kNameStart) || !name.ends_with(kNameEnd)) continue;
    const int file = ::open(entry.path().c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(entry.path().c_str());
    ::close(file);
  }
}

}  // namespace

Result<std::unique_ptr<OpeningPage>> OpeningPage::Write(const std::string& address, std::uint16_t port) {
  ASSAY_TRY(const StateFolder folder, StateFolder::Open());
  RemoveLeftPages(folder.path());
  const std::string path = fmt::format("{}/{}{}{}", folder.path(), kNameStart, port, kNameEnd);
  ::unlink(path.c_str());  // what has no lock where the file system knows none, or is no file
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kPageMode);
  const auto failure = [&path] {
    return Error{ErrorCode::kIo,
                 fmt::format("{} cannot be written ({})", Quoted(path), std::strerror(errno))};
  };
  if (file < 0) return failure();
  auto page = std::make_unique<OpeningPage>(path, file);
  [[maybe_unused]] const int locked = ::flock(file, LOCK_EX | LOCK_NB);
  if (!WriteWhole(file, PageTo(address))) return failure();
  return page;
}

OpeningPage::~OpeningPage() {
  ::unlink(path_.c_str());
  ::close(file_);
}

std::string OpeningPage::Url() const {
  std::string url = "file://";
  for (const char c : path_) {
    const bool is_plain = IsAsciiAlphanumeric(c) || std::strchr("/-_.~", c) != nullptr;
    url += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

}  // namespace assay
