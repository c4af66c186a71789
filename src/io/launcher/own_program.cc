// Looks through the absolute folders of a search path.
#include "io/launcher/own_program.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace assay {

std::string FindProgram(const std::string& name, const std::string& search_path) {
  for (std::string_view rest = search_path; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string path = fmt::format("{}/{}", rest.substr(0, end), name);
    struct stat found {};
    if (path.front() == '/' && end > 0 && stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
        access(path.c_str(), X_OK) == 0)
      return path;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace assay
