// A program of a language: the request that runs it, and what its end means. Pure.
#pragma once

#include <chrono>
#include <string>

#include "base/wire.h"
#include "checks/languages/language.h"

namespace assay {

// Of the block `args` of unit tests: its own `lang`, else the case's; null if that is no language that can be
// run.
const LanguageRow* LanguageOfTests(const Value& args, Compat compat);
// All that the block's tests add to an answer's code.
std::string SourceOfTests(const Value& args);

// All of `program`, its test included, with the limits of every foreign program and the given time. What is
// left to the caller: the toolchain's digest, a scope, and what runs afterwards.
ProcessRequest ProgramRequest(const LanguageRow& language, std::string program,
                              std::chrono::milliseconds timeout);

// It ended by itself, with status 0.
bool ExitedWell(const ProcessReply& reply);

// How results tell the outcome: "passed ", "failed: returncode: 1 stderr: ...", "time out".
std::string ProgramResultText(const LanguageRow& language, const ProcessReply& reply);

}  // namespace assay
