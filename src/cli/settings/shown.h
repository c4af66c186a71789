// The settings of output: what a command prints, in which form, and which files it writes. No result of a run
// depends on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/settings/screen.h"
#include "report/decide/groups/group_by.h"

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
  std::string reduce;                // how a case's attempts become one value; "": as the suite says
  bool each_attempt = false;         // of show: the mean of each attempt
  bool failed = false;               // of show
  std::string case_id;               // of show and compare
  std::optional<GroupBy> by;         // how tables split the cases: by group, tag or language
  bool by_question = false;          // of compare, and of gates
  bool markdown = false;             // of compare
  bool power = false;                // of plan
  std::optional<double> half_width;  // of plan: points
  bool settings = false;             // of doctor
};

}  // namespace assay
