// What JSON cannot hold is null.
#include "cli/terminal/json_values.h"

#include <cmath>

namespace assay {

Value CountValue(std::uint64_t count) { return Value(static_cast<double>(count)); }

Value TextOrNull(std::string_view text) { return text.empty() ? Value(Null{}) : Value(text); }

Value NumberOrNull(std::optional<double> number) {
  return number && std::isfinite(*number) ? Value(*number) : Value(Null{});
}

}  // namespace assay
