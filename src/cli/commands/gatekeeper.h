// The gate of --fail-on-regression: each variant of a run against the one of its id in an earlier run, or the
// one that --pair names, with Holm's correction over all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/contenders.h"
#include "cli/exit_code.h"

namespace assay {

struct GateOutcome {
  std::vector<RegressionGate> gates;
  ExitCode code = ExitCode::kDone;
  std::string passed;    // lines: what did not get worse, and which drop would have been seen
  std::string problems;  // lines: regressions, and what cannot be told
};

class Gatekeeper {
 public:
  // For Open, which reads the base.
  Gatekeeper(Store& store, const Options& options) : options_(options), opener_(&store, options) {}

  // Reads the base. Null if nobody asks for a gate. kNotFound, kInvalidInput: what the user has to change.
  // Both outlive it.
  static Result<std::unique_ptr<Gatekeeper>> Open(Store& store, const Options& options);

  // kInvalidInput: --pair names no variant of the run, or the run is the base itself.
  Result<GateOutcome> Test(const Report& fresh) const;

 private:
  Result<std::vector<VariantIndex>> BaseOfEach(const Suite& fresh) const;

  const Options& options_;
  RunOpener opener_;
  NamedRun base_;
};

}  // namespace assay
