// Applies the gates against earlier runs (--fail-on-regression, --fail-on-flip): compares each variant of a
// run with the one of the same id in the base run, or the one that --pair names. A gate is one row of the
// table in gatekeeper.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/parts/contenders.h"
#include "cli/files/known_flaky.h"
#include "engine/exit_code.h"
#include "report/decide/gates.h"

namespace assay {

struct GateOutcome {
  std::vector<TestedGate> gates;
  ExitCode code = ExitCode::kDone;

  std::vector<GateResult> results() const;
  std::string told;  // lines for standard error, with --quiet too: each gate, then what did not pair
};

struct GateRow;

class Gatekeeper {
 public:
  // For Open, which reads the bases.
  Gatekeeper(Store& store, const Options& options) : options_(options), opener_(&store, options) {}

  // Reads the bases. Null if nobody asks for a gate. kNotFound, kInvalidInput: what the user has to change.
  // Both outlive it.
  static Result<std::unique_ptr<Gatekeeper>> Open(Store& store, const Options& options);

  // kInvalidInput: --pair names no variant of `fresh` or of a base. To be asked before money is spent.
  Status CheckPairs(const Suite& fresh) const;
  // kInvalidInput: --pair names no variant of the run, or the run is the base itself. If it `is_repeated`,
  // nothing in it has changed, and it may be named by its id, but not as "latest".
  Result<GateOutcome> Test(const Report& fresh, const PassRule& pass, bool is_repeated = false) const;

 private:
  struct RequestedGate {
    const GateRow* row = nullptr;
    NamedRun base;
  };
  Status Read(const GateRow& row, const std::string& base);
  Status MayBeOwnBase(const RequestedGate& asked, bool is_repeated) const;
  Status Test(const RequestedGate& asked, const Report& fresh, const PassRule& pass,
              GateOutcome& outcome) const;

  const Options& options_;
  RunOpener opener_;
  std::vector<RequestedGate> asked_;
  KnownFlakyFile known_flaky_;
};

}  // namespace assay
