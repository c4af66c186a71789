// The settings of output: what a command prints, in which form, and which files it writes. No result of a run
// depends on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/screen.h"

namespace assay {

enum class ProgressMode { kAuto, kPlain, kJson, kNone };
enum class ColorMode { kAuto, kAlways, kNever };

// On the terminal.
struct Shown {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  ProgressMode progress = ProgressMode::kAuto;
  ColorMode color = ColorMode::kAuto;
  Screen screen = {};      // of standard output
  bool bootstrap = false;  // intervals are drawn
  std::uint64_t bootstrap_seed = 0;
  std::string reduce;                    // how a case's attempts become one value; "": as the suite says
  bool each_attempt = false;             // of show: the mean of each attempt
  bool failed = false;                   // of show
  std::string case_id;                   // of show and compare
  std::vector<std::uint64_t> pass_at_k;  // numbers of tries, each once, as they were written
  bool by_question = false;              // of compare, and of gates
  bool markdown = false;                 // of compare
  bool power = false;                    // of plan
  bool settings = false;                 // of doctor
};

// The files of a run.
struct Outputs {
  std::string out;  // "": the folder of the tool that the run is compatible with
  std::string result_detail_path;
  std::string result_summary_path;
  std::string record;  // of its replies
  bool update_summaries = false;
  bool payload = false;  // no files; answers and scores as one line of JSON
};

// By which a run ends well or badly for others.
struct GateOptions {
  std::optional<double> fail_under;
  std::string fail_on_regression;  // a run; "": no gate
  std::string fail_on_flip;        // likewise
  std::size_t max_flips = 0;
  std::string known_flaky;         // a file; "": none
  double delta = 0;                // how much worse is still as good, in scores
  std::vector<std::string> pairs;  // NEW=BASE
  bool strict_models = false;      // an answer of another model than was asked is an error
};

}  // namespace assay
