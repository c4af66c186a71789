// Looks through the folder for the nearest name.
#include "base/files/near_file.h"

#include <vector>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

constexpr std::size_t kNamesMax = 10'000;  // a suggestion costs time for each name that it looks at

}  // namespace

std::string NearFile(FileReader& files, std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is the start
  const std::string folder(path.substr(0, path.size() - name.size()));
  const Result<std::vector<std::string>> listed = files.List(folder.empty() ? "." : folder);
  if (!listed || listed->size() > kNamesMax) return {};
  const std::vector<std::string_view> names(listed->begin(), listed->end());
  const std::string_view near = DidYouMean(name, names);
  return near.empty() || near == name ? std::string() : folder + std::string(near);
}

}  // namespace assay
