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

// Whether a name means a run of the store (null: there is none), whatever files there are: a file of that
// name needs "./" before it. `latest` always means a run. A "#" and what follows name a variant or a part.
bool MeansRun(Store* store, std::string_view name);
// The same of the store of the options, which is opened if there is such a file. True if there is none.
bool MeansRun(const Options& options, const std::string& name);

// Which attempts and cases pass in a run that is shown again: what the command line says now, else what
// shaped the run, else assay.toml, else the dialect.
PassRule PassRuleOfRun(const Options& asked, const RunSpec& made_with, std::string_view dialect);

// What is to be said of the words that its walks have shown, and of scores by the rules of an older version;
// "" if nothing is.
std::string PartToldNote(const Report& report);
// A note where a run has replies that this user did not make.
void TellOfForeign(const std::string& run, std::uint64_t replies, Ui& ui);
Result<Report> FoldStored(Store& store, const RunRecord& record, const Options& asked);

}  // namespace assay
