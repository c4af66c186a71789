// Checks what the command line says of rows of datasets.
#include "dialects/blueprint/options.h"

#include <fmt/core.h>

#include <cmath>

#include "base/errors/diagnostics.h"
#include "dataset/options.h"
#include "text/template/written.h"

namespace assay {

Result<std::string> ReadWhereOption(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != 0 && equals != std::string_view::npos) return std::string(text);
  return Error{ErrorCode::kInvalidInput, fmt::format("expected COLUMN=VALUE, found {}", Quoted(text))};
}

Result<std::string> ReadSampleOption(std::string_view text) {
  if (dataset::CountOf(Value(text))) return std::string(text);
  return Error{ErrorCode::kInvalidInput,
               fmt::format("expected a number of rows from 1, found {}", Quoted(text))};
}

Result<std::string> ReadSeedOption(std::string_view text) {
  const std::optional<double> seed = PlainNumber(text);
  if (seed && std::floor(*seed) == *seed && std::abs(*seed) < 9e15) return fmt::format("{:.0f}", *seed);
  return Error{ErrorCode::kInvalidInput, fmt::format("expected a whole number, found {}", Quoted(text))};
}

}  // namespace assay
