// How a command ends that an error kept from its end: what it says, and with which code.
#pragma once

#include "base/errors/error.h"
#include "cli/terminal/ui.h"
#include "engine/exit_code.h"

namespace assay {

// What to do about a damaged store, as a line; "" of other errors, and of one that says it itself.
std::string RemedyOf(const Error& error);
// Says what went wrong; the code is the one that this kind of error has in every command.
ExitCode FailWith(Ui& ui, const Error& error);
// The same of an error that kept a run from its end, whatever its kind.
ExitCode FailUnfinished(Ui& ui, const Error& error);

}  // namespace assay
