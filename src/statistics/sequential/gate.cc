// A gate is a pair of which only one side matters.
#include "statistics/sequential/gate.h"

namespace assay {

PairQuestion GateQuestion(double margin, std::size_t gates) {
  return {.promise = Promise::kWorld, .margin = margin, .within = {}, .share = gates, .is_gate = true};
}

}  // namespace assay
