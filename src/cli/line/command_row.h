// CommandRow: a command of the program, with its arguments, help and function. Each command is one file and
// one row of commands/table.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/exit_code.h"

namespace assay {

// What a command does with powers of a folder that nobody has trusted (docs/trust.md).
enum class TrustUse {
  kNothing,  // it needs none of them
  kPrices,   // it shows what runs cost, and warns of prices that nobody trusts
  kShows,    // it shows whom a run would ask, and warns of all powers that nobody trusts
  kAsks,     // it starts or sends something: the user is asked first
};

struct CommandRow {
  std::string_view name;
  std::string_view group;      // heading in the help
  std::string_view arguments;  // for the help: "FILE..."
  std::size_t arguments_min = 0;
  std::size_t arguments_max = 0;
  std::string_view help;     // one line
  std::string_view example;  // a whole command line
  ExitCode (*run)(const Options& options, Ui& ui);
  bool completes_options = false;  // the start of an option's name is enough where it is nobody else's
  TrustUse trust = TrustUse::kNothing;
  std::string_view in_place = {};  // an option that replaces the arguments; "": none
  std::string_view usual = {};     // names of the options in short help, between spaces; "": all
};

std::span<const CommandRow> CommandTable();
const CommandRow* FindCommand(std::string_view name);  // null if there is none

}  // namespace assay
