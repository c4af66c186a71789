// Decides how a finished run ends: its exit code, and the messages for standard error (missed thresholds,
// failed cells, gates).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/errors/result.h"
#include "engine/exit_code.h"
#include "engine/grants/granted.h"
#include "engine/grants/outputs.h"
#include "run/executor/executor.h"
#include "spec/report/report.h"
#include "spec/score/passing.h"

namespace assay {

struct Ran;

struct RunOutcome {
  ExitCode code = ExitCode::kDone;
  std::string problems;  // lines for standard error; "" if there is nothing to say
};

// `report` as --reduce makes it: --fail-under tests what the tables rank by. `pass` is its rule of passing.
// `given_up`: models that failed too often to be asked on.
Result<RunOutcome> OutcomeOf(const Report& report, const RunSpec& spec, const GateOptions& gates,
                             const PassRule& pass, const std::optional<ErrorLimit>& max_errors,
                             RunEnding ending, std::span<const std::string> given_up = {});

// Whether no recorded answer is to any case of the suite: there is nothing to show.
bool GradesNothing(const Report& report, const RunSpec& spec);

// "warning: 3 requests were not sent"
std::string UnsentText(std::uint64_t requests);

// The same of a run on which others worked, where something stopped it: each cell that nobody asked lacks a
// request. "": nothing.
std::string UnsentByOthers(const Report& report, const Ran& ran);

// What no failed request tells. "the first error: with-tools · valves: RuntimeError: no key": of the first
// cell that is one, since a program says it in its result. "": nothing.
Result<std::string> FirstErrorText(const Report& report);

// Of the codes of several runs the one that tells most: 130, 75, 5, 4, 3, 2, 1, 0.
ExitCode Worse(ExitCode a, ExitCode b);

}  // namespace assay
