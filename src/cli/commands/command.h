// CommandRow: a command of the program, with its arguments, help and function. Each command is one file and
// one row of table.cc.
#pragma once

#include <span>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"

namespace assay {

// What a command does with powers of a folder that nobody has trusted (docs/trust.md).
enum class TrustUse {
  kNothing,  // it needs none of them
  kPrices,   // it shows what runs cost: prices that do not count are told
  kShows,    // it shows whom a run would ask: all that do not count are told
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
  std::string_view usual = {};  // long names of the options that help shows first, between blanks; "": all
};

std::span<const CommandRow> CommandTable();
const CommandRow* FindCommand(std::string_view name);  // null if there is none

ExitCode RunCommand(const Options& options, Ui& ui);  // run.cc
// One run after the other, all checked before the first: each of one file, with output options in common.
ExitCode RunEach(std::vector<Options> runs, Ui& ui);         // run.cc
ExitCode GradeCommand(const Options& options, Ui& ui);       // grade.cc
ExitCode RunConfigCommand(const Options& options, Ui& ui);   // run_config.cc
ExitCode CheckCommand(const Options& options, Ui& ui);       // check.cc
ExitCode PlanCommand(const Options& options, Ui& ui);        // plan.cc
ExitCode ListCommand(const Options& options, Ui& ui);        // list.cc
ExitCode RunsCommand(const Options& options, Ui& ui);        // runs.cc
ExitCode ShowCommand(const Options& options, Ui& ui);        // show.cc
ExitCode CompareCommand(const Options& options, Ui& ui);     // compare.cc
ExitCode ExportCommand(const Options& options, Ui& ui);      // export.cc
ExitCode CacheCommand(const Options& options, Ui& ui);       // cache.cc
ExitCode PrepareCommand(const Options& options, Ui& ui);     // prepare.cc
ExitCode ReportCommand(const Options& options, Ui& ui);      // report.cc
ExitCode CalibrateCommand(const Options& options, Ui& ui);   // calibrate.cc
ExitCode DemoCommand(const Options& options, Ui& ui);        // demo.cc
ExitCode HelpCommand(const Options& options, Ui& ui);        // help.cc
ExitCode ExplainCommand(const Options& options, Ui& ui);     // explain.cc
ExitCode InitCommand(const Options& options, Ui& ui);        // init.cc
ExitCode SchemaCommand(const Options& options, Ui& ui);      // schema.cc
ExitCode CompletionCommand(const Options& options, Ui& ui);  // completion.cc
ExitCode DoctorCommand(const Options& options, Ui& ui);      // doctor.cc
ExitCode ViewCommand(const Options& options, Ui& ui);        // view.cc
ExitCode StoreCommand(const Options& options, Ui& ui);       // cluster/store.cc
ExitCode TrustCommand(const Options& options, Ui& ui);       // trust.cc

}  // namespace assay
