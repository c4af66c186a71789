// Opens stored runs for commands that only read: the store, the rule by which a run passes, and its report.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/errors/result.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/exit_code.h"
#include "engine/write/pass_rule.h"
#include "spec/report/report.h"
#include "store/store.h"

namespace assay {

// Opens the store of the options, only to read it, and works on it; says why if there is none.
ExitCode WithStore(const Options& options, Ui& ui, const std::function<ExitCode(Store& store)>& work);

// Which attempts and cases pass in a run that is shown again: what the command line says now, else what
// shaped the run, else assay.toml, else the dialect.
PassRule PassRuleOfRun(const Options& asked, const RunSpec& made_with, std::string_view dialect);

// What is to be said of the words that its walks have shown, and of scores by the rules of an older version;
// "" if nothing is.
std::string PartToldNote(const Report& report);
Result<Report> FoldStored(Store& store, const RunRecord& record, const Options& asked);

}  // namespace assay
