// CommandRow: a command of the program, with its arguments, help and function. Each command is one file and
// one row of commands/table.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
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

// An option of another tool, as the help of the command that stands for that tool's has it.
struct ForeignOption {
  std::string_view names;  // "-j,--max-concurrency"
  std::string_view value;  // what follows, "N"; "" for a switch
  std::string_view help;
};

// What words of another tool's are here.
struct RewrittenWords {
  std::string_view command;        // "run"
  std::vector<std::string> words;  // behind it
  std::vector<std::string> notes;  // of what has no effect
};

struct CommandRow {
  std::string_view name;
  std::string_view group;      // heading in the help
  std::string_view arguments;  // for the help: "FILE..."
  std::size_t arguments_min = 0;
  std::size_t arguments_max = 0;
  std::string_view help;     // one line
  std::string_view example;  // a whole command line
  ExitCode (*run)(const Options& options, Ui& ui) = nullptr;
  bool completes_options = false;  // the start of an option's name is enough where it is nobody else's
  TrustUse trust = TrustUse::kNothing;
  std::string_view in_place = {};  // an option that replaces the arguments; "": none
  std::string_view usual = {};     // names of the options in short help, between spaces; "": all
  // It takes the words of another tool's command and stands for one of ours, in place of `run`. Null: it is
  // our own.
  Result<RewrittenWords> (*rewrite)(const std::vector<std::string>& words) = nullptr;
  std::span<const ForeignOption> (*foreign)() = nullptr;  // the options of that tool's
};

std::span<const CommandRow> CommandTable();
const CommandRow* FindCommand(std::string_view name);  // null if there is none

}  // namespace assay
