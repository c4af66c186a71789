// Options: what the user asked for, grouped by what it concerns; filled from the command line, else from the
// environment, else with the default that stands here. option_table.cc has one row per option; options of a
// single dialect stand with that dialect (dialects/dialect.h); only command_line.cc includes CLI11.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "cli/files/watched_files.h"
#include "cli/settings/shown.h"
#include "dialects/dialect.h"
#include "engine/grants/granted.h"
#include "engine/grants/outputs.h"
#include "engine/grants/shard_options.h"
#include "spec/report/cell_grid.h"
#include "spec/run/run_spec.h"

namespace assay {

// An option that somebody set: what to, and who: "command line", "ASSAY_TIMEOUT", "assay.toml:3".
struct GivenOption {
  std::string_view name;  // "--timeout"
  std::vector<std::string> values;
  std::string origin;
  bool is_setting = false;  // of an assay.toml
};

// What one command alone is told.
struct CommandOptions {
  std::string config;             // of run-config
  bool cache = false;             // of run-config
  bool watch = false;             // of run and runs
  std::string matrix;             // one more file of run, plan and check
  bool fail_on_warnings = false;  // of check
  bool refresh = false;           // of prepare
  std::string results_dir;        // of report
  std::string flavour;            // of init; "": the kind's usual one
  std::string encoding;           // of init dataset; "": UTF-8
  bool print = false;             // of trust
  bool all = false;               // of doctor and export
  std::string format;             // of export
  std::string output;             // of export, calibrate; "": standard output
  std::string labels;             // of calibrate and view
  // Of calibrate: how many labels are wanted, and the seed of their draw.
  std::optional<std::uint64_t> draw;
  std::uint64_t seed = 0;
  std::string older;              // of cache prune: "90d"
  std::string run;                // of cache copy; "": all of them
  std::optional<CellIndex> cell;  // of cache explain; counted from 0
  bool open = false;              // of view and run: in the browser
  std::uint16_t port = 0;         // of view and run; 0: any that is free
  std::string resume;             // of run: the run that goes on; "": none
  bool asks_rest = false;         // of run: what it left out when it was decided
  ShardOptions sharing;           // of run
};

struct Options {
  std::vector<std::string> arguments;  // files, or a run, or what to list
  RunSpec spec;
  Granted granted;
  Shown shown;
  Outputs outputs;
  GateOptions gates;
  CommandOptions command;
  std::map<std::string, FileState> settings_files;  // that were read for them, as they were
  std::vector<GivenOption> given;  // in the order of the table; the command line first, assay.toml last

  const GivenOption* Given(std::string_view name) const;  // null: nobody set it
  RunSpec SpecOf(const std::string& file) const;          // of one of several files
};

struct OptionRow {
  std::string_view names;  // "-m,--model"
  std::string_view value;  // what follows it, "ID"; "" for a switch, "[=ID]" for one that may have it
  std::string_view group;  // heading in the help
  std::string_view help;
  std::string_view commands;  // names of the commands that take it, between blanks: " run show "
  bool repeatable = false;
  bool shapes_run = false;  // belongs to the command that a run is remembered by
  Status (*set)(std::string_view text, Options& options) = nullptr;
  std::vector<std::string> (*get)(const Options& options) = nullptr;
  const DialectOption* own = nullptr;  // of one that only its dialect knows, in place of `set` and `get`

  // The value as the command line has it; a switch gets "true" or "false".
  Status Set(std::string_view text, Options& options) const;
  // What Set would have to be told, of rows that shape a run; nothing while the option has its default.
  std::vector<std::string> Get(const Options& options) const;
  bool SetsSameAs(const OptionRow& other) const { return set == other.set && own == other.own; }
  bool TakenBy(std::string_view command) const;
  std::string_view LongName() const;  // "--model"
  std::string Environment() const;    // "ASSAY_MODEL"
};

std::span<const OptionRow> OptionTable();

// What the options say of trust; what is remembered comes to it where settings are read.
TrustGiven TrustOf(const Granted& granted);

// The words after `assay run` by which a run is known, quoted for a shell: one file and the options that
// shape the run.
std::string RunWords(const Options& options, std::string_view file);

}  // namespace assay
