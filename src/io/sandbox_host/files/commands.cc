// Looks for each word of a command line in the folders of a search path.
#include "io/sandbox_host/files/commands.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace assay {

namespace {

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-./";

bool May(const std::string& file, int how) { return faccessat(AT_FDCWD, file.c_str(), how, AT_EACCESS) == 0; }

// The command that a shell would start by this name.
bool IsUnreadable(std::string_view name, std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string file = std::string(path.substr(0, end)).append("/").append(name);
    path.remove_prefix(std::min(end + 1, path.size()));
    struct stat found {};
    if (stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) && May(file, X_OK)) return !May(file, R_OK);
  }
  return false;
}

}  // namespace

bool NamesUnreadableCommand(const std::vector<std::string>& argv, std::string_view path) {
  for (std::string_view rest : argv) {
    while (!rest.empty()) {
      rest.remove_prefix(std::min(rest.find_first_of(kNameCharacters), rest.size()));
      const std::string_view word =
          rest.substr(0, std::min(rest.find_first_not_of(kNameCharacters), rest.size()));
      rest.remove_prefix(word.size());
      const bool is_name = !word.empty() && word.find('/') == std::string_view::npos;
      if (is_name && IsUnreadable(word, path)) return true;
    }
  }
  return false;
}

}  // namespace assay
