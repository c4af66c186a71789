// Granted: what a run may touch and spend on this machine, as its user says now. Nothing in it changes what
// is asked or how it is graded (that is RunSpec): another sitting of the same run may have other grants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/grants/settings.h"
#include "run/limits/run_limits.h"
#include "spec/run/run_spec.h"

namespace assay {

// How calls are made, and how many there may be.
struct CallRules {
  bool offline = false;  // only stored and recorded replies
  bool fresh = false;    // everything is asked again
  bool stream = false;
  bool batch = false;       // calls that may wait go to batch interfaces
  bool background = false;  // calls are answered in the background where a service can
  std::optional<double> batch_wait_s;
  std::optional<std::size_t> max_in_flight;
  std::optional<double> timeout_s;
  std::optional<double> idle_timeout_s;
  std::optional<double> max_time_s;
  std::optional<int> max_retries;
  std::optional<double> patience_s;
  std::optional<double> requests_per_min;
  std::optional<double> tokens_per_min;
  std::optional<double> budget_usd;
  std::optional<std::int64_t> budget_tokens;
  std::optional<ErrorLimit> max_errors;
};

struct Granted {
  std::vector<std::string> paths;          // folders that a suite may read beside its own
  std::vector<std::string> hosts;          // private and local ones
  std::vector<std::string> environment;    // names of it
  std::vector<std::string> programs;       // command lines
  std::string sandbox;                     // of programs; "": the strongest level that works
  bool trust = false;                      // every power of the folder's assay.toml
  std::vector<std::string> trust_digests;  // powers, stores and recordings that are what they were
  std::string store = ".assay/store.db";
  std::optional<double> store_timeout_s;  // absent: 10 of a file, 300 of a server
  CallRules calls;
  OwnOptions own;     // of the dialect: where its files are
  Settings settings;  // of assay.toml, beside what stands in the members above
};

}  // namespace assay
