// Makes JSON values of counts, optional numbers, texts and intervals.
#include "report/values/json.h"

#include <cmath>

namespace assay {

Value CountValue(std::uint64_t count) { return Value(static_cast<double>(count)); }

Value TextOrNull(std::string_view text) { return text.empty() ? Value(Null{}) : Value(text); }

Value NumberOrNull(std::optional<double> number) {
  return number && std::isfinite(*number) ? Value(*number) : Value(Null{});
}

Value IntervalValue(const std::optional<Interval>& interval) {
  return interval ? Value(List{Value(interval->low), Value(interval->high)}) : Value(Null{});
}

}  // namespace assay
