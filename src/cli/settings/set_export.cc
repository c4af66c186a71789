// Reads a format and a file; the format is one that there is.
#include "cli/settings/set_export.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "base/text/option_text.h"
#include "report/export.h"

namespace assay {

Status AddExport(std::string_view text, Options& options) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size())
    return BadValue("FORMAT=FILE, for example junit=junit.xml", text);
  const std::string_view format = text.substr(0, equals);
  if (FindExport(format) == nullptr) {
    std::vector<std::string_view> names;
    for (const ExportRow& row : ExportTable()) names.push_back(row.name);
    const std::string_view near = DidYouMean(format, names);
    return Error{ErrorCode::kInvalidInput, fmt::format("there is no format {}; {}", Quoted(format),
                                                       near.empty() ? "`assay list exporters` lists them"
                                                                    : fmt::format("did you mean {}?", near))};
  }
  options.outputs.exports.push_back(
      {.format = std::string(format), .path = std::string(text.substr(equals + 1))});
  return Ok();
}

}  // namespace assay
