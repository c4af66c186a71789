// The functions of all commands: each takes options that are complete, and returns the exit code.
#pragma once

#include <vector>

#include "cli/line/command_row.h"

namespace assay {

ExitCode RunCommand(const Options& options, Ui& ui);  // run/run.cc
// One run after the other, all checked before the first: each of one file, with output options in common.
ExitCode RunEach(std::vector<Options> runs, Ui& ui);          // run/run.cc
ExitCode GradeCommand(const Options& options, Ui& ui);        // grade.cc
ExitCode RunConfigCommand(const Options& options, Ui& ui);    // run_config.cc
ExitCode CheckCommand(const Options& options, Ui& ui);        // check.cc
ExitCode PlanCommand(const Options& options, Ui& ui);         // plan/plan.cc
ExitCode ListCommand(const Options& options, Ui& ui);         // list.cc
ExitCode RunsCommand(const Options& options, Ui& ui);         // runs.cc
ExitCode ShowCommand(const Options& options, Ui& ui);         // show.cc
ExitCode CompareCommand(const Options& options, Ui& ui);      // compare.cc
ExitCode ExportCommand(const Options& options, Ui& ui);       // export.cc
ExitCode CacheCommand(const Options& options, Ui& ui);        // cache/cache.cc
ExitCode PrepareCommand(const Options& options, Ui& ui);      // prepare.cc
ExitCode ReportCommand(const Options& options, Ui& ui);       // report.cc
ExitCode CalibrateCommand(const Options& options, Ui& ui);    // calibrate.cc
ExitCode DemoCommand(const Options& options, Ui& ui);         // demo.cc
ExitCode HelpCommand(const Options& options, Ui& ui);         // help.cc
ExitCode ExplainCommand(const Options& options, Ui& ui);      // explain.cc
ExitCode InitCommand(const Options& options, Ui& ui);         // init.cc
ExitCode InitDatasetCommand(const Options& options, Ui& ui);  // init_dataset.cc, of init
ExitCode SchemaCommand(const Options& options, Ui& ui);       // schema.cc
ExitCode CompletionCommand(const Options& options, Ui& ui);   // completion.cc
ExitCode DoctorCommand(const Options& options, Ui& ui);       // doctor.cc
ExitCode ViewCommand(const Options& options, Ui& ui);         // view.cc
ExitCode StoreCommand(const Options& options, Ui& ui);        // cluster/store.cc
ExitCode TrustCommand(const Options& options, Ui& ui);        // trust.cc

}  // namespace assay
