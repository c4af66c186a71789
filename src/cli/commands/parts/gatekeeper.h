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
#include "report/decide/until/stop_gate.h"

namespace assay {

struct GateOutcome {
  std::vector<TestedGate> gates;
  ExitCode code = ExitCode::kDone;

  std::vector<GateResult> results() const;
  std::string told;  // lines for standard error, with --quiet too: each gate, then what did not pair
};

// A sentence for each base of this run's early gates whose scores have changed since, under the same name.
// Nothing of bases that are not there any more, and of somebody else's run, which may name any file. `store`:
// where the run is.
std::vector<std::string> ChangedBases(Store& store, const RunRecord& record, const Suite& suite,
                                      const Options& options);

struct GateRow;
struct GateSide;

class Gatekeeper {
 public:
  // For Open, which reads the bases.
  Gatekeeper(Store& store, const Options& options) : options_(options), opener_(&store, options) {}

  // Reads the bases. Null if nobody asks for a gate. kNotFound, kInvalidInput: what the user has to change.
  // Both outlive it.
  static Result<std::unique_ptr<Gatekeeper>> Open(Store& store, const Options& options);

  // kInvalidInput: --pair names no variant of `fresh` or of a base. To be asked before money is spent.
  Status CheckPairs(const Suite& fresh) const;
  // What a run of `fresh` keeps of the gates that may end it early: those without statistics, and with
  // `questions` all. kInvalidInput: nothing of it pairs with the base.
  Result<std::vector<StopGate>> StopGates(const Suite& fresh, const PassRule& pass, bool questions) const;
  // The base of this option ("--fail-on-flip"), as it is found again: a run's id, or a file; "": none.
  std::string BaseOf(std::string_view option) const;
  // kInvalidInput: --pair names no variant of the run, or the run is the base itself. If it `is_repeated`,
  // nothing in it has changed, and it may be named by its id, but not as "latest".
  Result<GateOutcome> Test(const Report& fresh, const PassRule& pass, bool is_repeated = false) const;

 private:
  struct RequestedGate {
    const GateRow* row = nullptr;
    NamedRun base;
  };
  Status Read(const GateRow& row, const std::string& base);
  Status AddStopGates(const RequestedGate& asked, const Suite& fresh, const PassRule& pass,
                      std::vector<StopGate>& gates) const;
  // With what a run that was stopped early decided of them.
  Result<std::vector<GatePair>> PairsOf(const RequestedGate& asked, const VariantPairing& pairing,
                                        const GateSide& fresh, const GateSide& base) const;
  Status MayBeOwnBase(const RequestedGate& asked, bool is_repeated) const;
  Status Test(const RequestedGate& asked, const Report& fresh, const PassRule& pass,
              GateOutcome& outcome) const;

  const Options& options_;
  RunOpener opener_;
  std::vector<RequestedGate> asked_;
  KnownFlakyFile known_flaky_;
};

}  // namespace assay
