// Session: what all runs of one `assay run` share: the store, the connections, the budget, and what is left
// to say at the end.
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

// What all runs of one pass share.
struct Session {
  const Options& options;
  Ui& ui;
  FileReader& files;
  StoreClock clock;
  StopSignals& signals;
  NetworkTransport transport;
  ModelBook models;
  Ledger& ledger;
  std::unique_ptr<OwnStore> store;
  std::unique_ptr<Gatekeeper> gatekeeper;  // null: nobody asks for a gate
  std::vector<RunResult> results;          // of every run, for --json
  List handed_over;                        // of runs on a cluster, for --json
  // The runs whose dialect has tables of its own. Their cursors read the store and the plans of the inputs.
  std::vector<Report> reports;
  std::string verdicts = {};           // of runs whose dialect says more than they do, for the end
  std::string next = {};               // what to do after a single run, on a terminal
  std::string causes = {};             // of failed requests, for the end: the last lines on the screen
  const DialectRow* tabled = nullptr;  // the dialect of `reports`
  bool one_page = false;               // the runs are of one file, so that all of them get one page
  std::unique_ptr<SharedRun> shared = nullptr;  // the seat in the run that is worked on
  std::vector<OutputText>* said =
      nullptr;  // where what the same command would say again is kept; null: nowhere
  std::optional<CacheableRun> kept = {};

  RunWorld World() {
    return {.clock = clock,
            .signals = signals,
            .transport = transport,
            .models = models,
            .budget = BudgetOfAll(),
            .store = store->store(),
            .origin = store->origin(),
            .shared = shared.get(),
            .open_reader = [this] {
              StoreOptions reader = StoreOptionsOf(options.granted);
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

}  // namespace assay
