// Reads NAME=FILE and NAME/SPLIT=FILE.
#include "dialects/foreign/said_data.h"

#include <fmt/core.h>

namespace assay::foreign {

Result<std::string> ReadDataOption(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != 0 && equals != std::string_view::npos && equals + 1 < text.size()) return std::string(text);
  return Error{ErrorCode::kInvalidInput, fmt::format("expected NAME=FILE, found {}", Quoted(text))};
}

std::vector<RowsFile> RowsFilesOf(const ReadInput& input) {
  std::vector<RowsFile> said;
  for (const std::string& text : input.options.own.Texts(kDataOption)) {
    const std::size_t equals = text.find('=');
    std::string task = text.substr(0, equals);
    std::string split;
    if (const std::size_t slash = task.find('/'); slash != std::string::npos) {
      split = task.substr(slash + 1);
      task.resize(slash);
    }
    said.push_back({std::move(task), std::move(split), text.substr(equals + 1)});
  }
  return said;
}

}  // namespace assay::foreign
