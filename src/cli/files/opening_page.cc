// Writes the page with mode 0600, into a folder that nobody else can enter.
#include "cli/files/opening_page.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "cli/settings/state_folder.h"

namespace assay {

namespace {

constexpr mode_t kPageMode = 0600;

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

}  // namespace

Result<std::unique_ptr<OpeningPage>> OpeningPage::Write(const std::string& address, std::uint16_t port) {
  ASSAY_TRY(const StateFolder folder, StateFolder::Open());
  auto page = std::make_unique<OpeningPage>(fmt::format("{}/open-{}.html", folder.path(), port));
  const std::string& path = page->path_;
  ::unlink(path.c_str());  // of a server that was killed
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kPageMode);
  const bool is_written = file >= 0 && WriteWhole(file, PageTo(address));
  const int problem = errno;
  if (file >= 0) ::close(file);
  if (is_written) return page;
  return Error{ErrorCode::kIo,
               fmt::format("{} cannot be written ({})", Quoted(path), std::strerror(problem))};
}

OpeningPage::~OpeningPage() { ::unlink(path_.c_str()); }

std::string OpeningPage::Url() const {
  std::string url = "file://";
  for (const char c : path_) {
    const bool is_plain = IsAsciiAlphanumeric(c) || std::strchr("/-_.~", c) != nullptr;
    url += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

}  // namespace assay
