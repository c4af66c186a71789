// Checks whether everything that a warm start was made of (its file made_of) is still unchanged.
#include "io/launcher/warm_start.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "io/launcher/own_program.h"

namespace assay {

namespace {

// The rest of the line: paths may hold blanks.
std::string PathOf(std::istringstream& words) {
  std::string path;
  std::getline(words >> std::ws, path);
  return path;
}

bool IsSameFile(std::istringstream& words) {
  std::int64_t size_bytes = 0;
  std::int64_t changed_s = 0;
  words >> size_bytes >> changed_s;
  struct stat found {};
  return stat(PathOf(words).c_str(), &found) == 0 && found.st_size == size_bytes &&
         found.st_mtim.tv_sec == changed_s;
}

bool IsTrue(const std::string& line, const std::string& search_path) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  if (kind == "#") return true;
  if (kind == "file") return IsSameFile(words);
  std::string name;
  words >> name;
  return kind == "program" && FindProgram(name, search_path) == PathOf(words);
}

}  // namespace

WarmStart FindWarmStart(const std::string& folder, const std::string& search_path) {
  std::ifstream made_of(folder + "/made_of");
  if (!made_of) return WarmStart::kNone;
  for (std::string line; std::getline(made_of, line);) {
    if (!IsTrue(line, search_path)) return WarmStart::kOutdated;
  }
  return WarmStart::kReady;
}

}  // namespace assay
