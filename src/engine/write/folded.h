// The fourth pass, Ran -> Folded: the report of the run, after the executive summary and the gates where they
// are asked for.
#pragma once

#include <optional>

#include "engine/run/ran.h"
#include "report/decide/gates.h"
#include "report/values/pages/run_map.h"
#include "spec/report/report.h"

namespace assay {

struct Folded {
  RunRecord record;                    // with what was sent for a summary
  Report report;                       // its cursors read the store and the plan
  std::optional<Error> no_summary;     // why nobody summed up the run, where that was wanted
  std::vector<GateResult> gates = {};  // that were asked for; kept with the run
  std::string program_notes = {};      // lines for standard error of what programs came to; "": none
  std::optional<RunMap> map = {};      // for the page; absent: whoever writes one walks for it
};

// Reads the store; where a summary is wanted, a model is asked for it. `with_page`: its page is written next.
Result<Folded> FoldRun(const RunWorld& world, const Planned& planned, const Ran& ran, const RunSpec& spec,
                       const Granted& granted, const Onlooker& onlooker, bool with_page);

}  // namespace assay
