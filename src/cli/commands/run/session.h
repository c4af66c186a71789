// Session: what all runs of one `assay run` share: what they work with, what is left to say at the end, and
// what the same command would say again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/parts/gatekeeper.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "cli/terminal/views/narrator.h"
#include "engine/grants/limits.h"
#include "engine/run/ran.h"
#include "engine/run/store_clock.h"
#include "engine/shards/shared_run.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"
#include "run/limits/cost/ledger.h"
#include "run/wire/network_transport.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// A run whose command may be said again.
struct CacheableRun {
  RunRecord record;
  std::vector<std::string> written;  // paths
};

// What --json prints of a run.
struct RunResult {
  Map members;
  std::vector<std::string> files;  // that it wrote; the page of all runs too
};

// What a run works with: the store and the seat in it, the network, and what may be spent.
struct RunMeans {
  StoreClock clock = {};
  StopSignals& signals;
  NetworkTransport transport;
  ModelBook models;
  Ledger& ledger;
  std::unique_ptr<OwnStore> store = nullptr;
  std::unique_ptr<SharedRun> shared = nullptr;  // the seat in the run that is worked on

  // `granted`: outlives it.
  RunWorld World(const Granted& granted) {
    return {.clock = clock,
            .signals = signals,
            .transport = transport,
            .models = models,
            .budget = BudgetOfAll(),
            .store = store->store(),
            .origin = store->origin(),
            .shared = shared.get(),
            .open_reader = [&granted] {
              StoreOptions reader = StoreOptionsOf(granted);
              reader.read_only = true;
              reader.is_own = true;  // what is not was looked at when the store was opened
              return OpenStore(reader);
            }};
  }

 private:
  Budget& BudgetOfAll() {
    SharedBudget* spent_together = shared ? shared->budget() : nullptr;
    if (spent_together != nullptr) return *spent_together;
    return ledger;
  }
};

// What is left to say when all runs have ended.
struct PassEnd {
  std::vector<RunResult> results = {};  // of every run, for --json
  List handed_over = {};                // of runs on a cluster, for --json
  // The runs whose dialect has tables of its own. Their cursors read the store and the plans of the inputs.
  std::vector<Report> reports = {};
  const DialectRow* tabled = nullptr;  // the dialect of `reports`
  std::string verdicts = {};           // of runs whose dialect says more than they do
  std::string next = {};               // what to do after a single run, on a terminal
  std::string causes = {};             // of failed requests: the last lines on the screen
};

// What the same command would say again.
struct Repeatable {
  std::vector<OutputText>* said = nullptr;  // where it is kept; null: nowhere
  std::optional<CacheableRun> kept = {};
};

// What all runs of one pass share. A function takes the part that it needs.
struct Session {
  const Options& options;
  Ui& ui;
  FileReader& files;
  bool one_page = false;  // the runs are of one file, so that all of them get one page
  RunMeans means;
  std::unique_ptr<Gatekeeper> gatekeeper = nullptr;  // null: nobody asks for a gate
  PassEnd end = {};                                  // its reports read the store of `means`
  Repeatable again = {};
};

}  // namespace assay
