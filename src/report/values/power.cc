// Builds the JSON object of a suite's power.
#include "report/values/power.h"

#include "report/values/json.h"

namespace assay {

Value PowerValue(const SuitePower& power, std::string_view basis) {
  Map map;
  map.Append("cases", CountValue(power.reach.clusters));
  map.Append("spread", power.spread);
  map.Append("smallest_difference", NumberOrNull(power.reach.between_two));
  map.Append("variants", CountValue(power.reach.variants));
  map.Append("smallest_in_ranking", NumberOrNull(power.reach.in_ranking));
  map.Append("fewest", CountValue(power.fewest));
  map.Append("cases_for_5_points",
             power.cases_for_5 ? Value(static_cast<double>(*power.cases_for_5)) : Value(Null{}));
  map.Append("sentence", power.sentence);
  map.Append("basis", basis);
  return map;
}

}  // namespace assay
