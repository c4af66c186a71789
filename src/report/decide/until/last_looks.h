// The last comparison of each variant of a race, or of a pair that a question is about, as tables show it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/decide/until/until_run.h"

namespace assay {

struct LastLook {
  std::string pair;  // "Alder − Birch"
  std::uint64_t cases = 0;
  Interval suite;  // the difference over the whole suite, with 95 %
  Interval world;  // over cases of this kind
  PairState state = PairState::kOpen;
};
// Both intervals hold whenever a run ends. Of a race each variant was last compared when it was dropped, or
// at the last look.
std::vector<LastLook> LastLooksOf(const UntilRun& run);

}  // namespace assay
