// Builds the JSON object of a suite's power.
#include "report/values/power.h"

namespace assay {

Value PowerValue(const SuitePower& power, std::string_view basis) {
  Map map;
  map.Append("cases", static_cast<double>(power.cases));
  map.Append("spread", power.spread);
  map.Append("smallest_difference", power.smallest ? Value(*power.smallest) : Value(Null{}));
  map.Append("cases_for_5_points",
             power.cases_for_5 ? Value(static_cast<double>(*power.cases_for_5)) : Value(Null{}));
  map.Append("sentence", power.sentence);
  map.Append("basis", basis);
  return map;
}

}  // namespace assay
