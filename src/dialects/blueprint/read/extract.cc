// Checks `extract` of a header, a prompt or a criterion.
#include <fmt/core.h>

#include "dialects/blueprint/read/parse.h"
#include "text/extract/extraction.h"

namespace assay::blueprint {

bool CheckExtract(const Value& extract, std::string_view of, ParseContext& context) {
  const Result<Extraction> read = Extraction::Read(extract);
  if (read) return true;
  context.diagnostics.Error("extract.value", fmt::format("{}extract: {}", of, read.error().message),
                            read.error().where.value_or(extract.span),
                            "`assay list extractions` names the steps");
  return false;
}

}  // namespace assay::blueprint
