// What the user asked for: one plain struct, filled from the command line, else from the environment, else as
// it stands here. `option_table.cc` holds one row per option; only command_line.cc knows CLI11.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/settings/settings.h"
#include "run/limits/run_limits.h"
#include "spec/suite.h"

namespace assay {

enum class ProgressMode { kAuto, kPlain, kJson, kNone };

// An option that somebody set: what to, and who: "command line", "ASSAY_TIMEOUT", "assay.toml:3".
struct GivenOption {
  std::string_view name;  // "--timeout"
  std::vector<std::string> values;
  std::string origin;
  bool is_setting = false;  // of an assay.toml
};

struct Options {
  std::vector<std::string> arguments;  // files, or a run, or what to list

  std::vector<std::string> models;
  std::vector<std::string> judges;
  std::string filter;
  std::optional<std::size_t> limit;
  std::optional<AttemptIndex> attempts;
  std::optional<std::int64_t> max_tokens;
  std::vector<std::string> selected;
  std::optional<bool> weighted;
  bool accept_partial = false;
  bool strict = false;
  bool fail_on_warnings = false;  // of check
  bool no_memo = false;
  Compat compat = Compat::kNone;
  std::string run_label;
  std::string eval_method;
  std::string collections_dir;
  std::string config;        // of run-config
  bool cache = false;        // of run-config
  bool demo_stdout = false;  // no files; answers and scores as one line of JSON
  bool artefacts = false;    // one small file for each pair and part as well
  bool update_summaries = false;
  bool require_summary = false;
  bool skip_summary = false;

  std::vector<std::string> responses;  // sets of recorded answers, a variant or more each
  std::string fixtures;
  bool fixtures_strict = false;
  std::string replay;  // "none": not even the recording beside the suite
  std::string record;
  bool stream = false;
  bool batch = false;  // calls that may wait go to batch interfaces
  std::optional<double> batch_wait_s;
  bool json_judges = false;
  std::optional<std::uint32_t> votes;  // of each judge on each point
  bool watch = false;
  bool offline = false;
  bool fresh = false;

  std::vector<std::string> base_urls;  // PROVIDER=URL
  std::vector<std::string> allowed_environment;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> allowed_programs;
  bool trust = false;                      // every power of the folder's assay.toml
  std::vector<std::string> trust_digests;  // powers, stores and recordings that are what they were
  bool print = false;                      // of trust
  std::string sandbox;                     // "": the strongest level that works
  std::vector<std::string> allowed_paths;

  std::optional<std::size_t> max_in_flight;
  std::optional<double> timeout_s;
  std::optional<double> idle_timeout_s;
  std::optional<double> max_time_s;
  TurnLimits turn_limits;  // of each turn of the research agent
  std::optional<int> max_retries;
  std::optional<double> patience_s;
  std::optional<double> requests_per_min;
  std::optional<double> tokens_per_min;
  std::optional<double> budget_usd;
  std::optional<std::int64_t> budget_tokens;
  std::optional<ErrorLimit> max_errors;

  std::string matrix;             // one more file of run, plan and check
  std::vector<std::string> runs;  // of a research matrix; empty: all
  std::string dataset;            // likewise, and of prepare and report
  std::string snapshot_root;      // likewise, and of prepare
  std::string output_root;        // likewise
  std::string mock_web;           // a simulated web, of run, plan and check
  std::string embedder;           // of a research matrix; "": its own
  bool refresh = false;           // of prepare
  std::string results_dir;        // of report
  std::string flavour;            // of init; "": the kind's usual one

  std::string result_detail_path;
  std::string result_summary_path;
  std::string out;     // "": the folder of the tool that the run is compatible with
  std::string format;  // of export
  std::string output;  // of export; "": standard output
  std::string store = ".assay/store.db";
  double store_timeout_s = 10;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  ProgressMode progress = ProgressMode::kAuto;
  std::optional<double> fail_under;
  double pass_at = 0.5;
  std::string fail_on_regression;  // a run; "": no gate
  std::string fail_on_flip;        // likewise
  std::size_t max_flips = 0;
  bool bootstrap = false;  // of show and compare
  std::uint64_t bootstrap_seed = 0;
  double delta = 0;                     // how much worse is still as good, in scores
  std::string labels;                   // of calibrate
  bool power = false;                   // of plan
  std::vector<std::string> gate_pairs;  // NEW=BASE

  bool failed = false;
  std::string case_id;
  bool by_question = false;       // of compare
  bool markdown = false;          // of compare
  bool show_settings = false;     // of doctor
  std::string older;              // of cache prune: "90d"
  std::optional<CellIndex> cell;  // of cache explain

  Settings settings;               // of assay.toml, beside what stands in the members above
  std::vector<GivenOption> given;  // in the order of the table; the command line first, assay.toml last

  const GivenOption* Given(std::string_view name) const;  // null: nobody set it
};

struct OptionRow {
  std::string_view names;  // "-m,--model"
  std::string_view value;  // what follows it, "ID"; "" for a switch, "[=ID]" for one that may have it
  std::string_view group;  // heading in the help
  std::string_view help;
  std::string_view commands;  // names of the commands that take it, between blanks: " run show "
  bool repeatable = false;
  bool shapes_run = false;  // belongs to the command that a run is remembered by
  // The value as the command line has it; a switch gets "true" or "false".
  Status (*set)(std::string_view text, Options& options) = nullptr;
  // What `set` would have to be told, for `shapes_run` rows; nothing while the option has its default.
  std::vector<std::string> (*get)(const Options& options) = nullptr;

  bool TakenBy(std::string_view command) const;
  std::string_view LongName() const;  // "--model"
  std::string Environment() const;    // "ASSAY_MODEL"
};

std::span<const OptionRow> OptionTable();

// What the options say of trust; what is remembered comes to it where settings are read.
TrustGiven TrustOf(const Options& options);

// The words after `assay run` by which a run is known, quoted for a shell: one file and the options that
// shape the run.
std::string RunWords(const Options& options, std::string_view file);
// The same with what only says how it was made (--offline): the command that is told to people.
std::string CommandWords(const Options& options, std::string_view file);

}  // namespace assay
