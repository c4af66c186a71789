// Checks modes and owners of a folder and of all above it.
#include "io/launcher/place.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace assay {

namespace {

constexpr char kOfRoot[] = "/var/cache/assay";
constexpr char kOfEverybody[] = "/tmp";
constexpr mode_t kPassed = 0711;  // programs of root are another user

bool CanStartPrograms(const std::string& folder) {
  struct statvfs found {};
  constexpr unsigned long kForbid = ST_NOEXEC | ST_RDONLY;
  return statvfs(folder.c_str(), &found) == 0 && (found.f_flag & kForbid) == 0 &&
         access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

bool IsPrivatePlace(const std::string& folder) {
  std::error_code problem;
  std::filesystem::path path = std::filesystem::canonical(folder, problem);
  if (problem) return false;
  while (true) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0 || (found.st_mode & (S_IWGRP | S_IWOTH)) != 0) return false;
    if (found.st_uid != 0 && found.st_uid != geteuid()) return false;
    if (path == path.root_path()) return true;
    path = path.parent_path();
  }
}

std::string PlaceOfPrograms(const std::string& cache) {
  const std::string above = geteuid() == 0 ? kOfRoot : cache;
  if (above.empty()) return kOfEverybody;
  const std::string place = above + "/programs";
  std::error_code problem;
  std::filesystem::create_directories(place, problem);
  if (geteuid() == 0 && (chmod(above.c_str(), kPassed) != 0 || chmod(place.c_str(), kPassed) != 0))
    return kOfEverybody;
  return IsPrivatePlace(place) && CanStartPrograms(place) ? place : kOfEverybody;
}

}  // namespace assay
