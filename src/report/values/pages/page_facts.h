// PageFacts: what is told of a run beside its report, to whoever makes its pages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/decide/calibration.h"
#include "report/decide/gates.h"
#include "report/decide/run_statistics.h"
#include "report/values/pages/run_map.h"
#include "spec/run/run_cost.h"
#include "spec/score/passing.h"
#include "store/store.h"

namespace assay {

// An earlier run of the same suite.
struct EarlierRun {
  std::string id;
  std::string started;    // its day, for people: "15 Nov"
  bool is_alike = false;  // of the same plan
};

struct PageFacts {
  const RunRecord& record;
  RunCost cost = {};
  PassRule pass = {};
  std::string store = {};  // its path; "": a file
  std::string board = {};  // by which the leaderboard names its suite; "": there is none
  std::uint64_t records = 0;
  bool is_live = false;  // a process works on it
  std::optional<EarlierRun> earlier = {};
  std::vector<GateResult> gates = {};
  // Against labels of people: all variants together, then each; empty: nobody gave any.
  std::vector<Calibration> calibrations = {};
  std::string labels_problem = {};  // why labels that were given say nothing of this run
  const RunStatistics& statistics;
  const RunMap& map;
};

}  // namespace assay
