// Unit tests as programs: assembles the request that runs an answer's code with a test, finds packages that
// it lacks, and reads the result. Pure.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "base/errors/span.h"
#include "base/wire/wire.h"
#include "checks/languages/language.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "text/value.h"

namespace assay {

struct Suite;

inline constexpr std::string_view kUnitTestKind = "unit_test";

// Of the block `args` of unit tests: its own `lang`, else the case's; null if that is no language that can be
// run.
const LanguageRow* LanguageOfTests(const Value& args, const ProgramRules& rules);
// All that the block's tests add to an answer's code.
std::string SourceOfTests(const Value& args);

// What the language puts before its programs, without the lines of the packages that are `absent`.
std::string HeaderWithout(const LanguageRow& language, std::span<const std::string> absent);
// The first of the `absent` packages that a program failed for want of, as `result` words its outcome
// (ProgramResultText); null if it failed for another reason. To name a package is not to need it.
const InjectedPackage* MissingPackage(const LanguageRow& language, std::span<const std::string> absent,
                                      std::string_view result);
// The error of a check whose program failed so, and the package that such an error names; "" if it is none.
std::string MissingPackageError(const InjectedPackage& package);
std::string_view PackageOfError(std::string_view error);
// A package that is absent here, and the tests of a suite that name it in their own text.
struct MissingUse {
  const InjectedPackage* package = nullptr;
  std::size_t tests = 0;
  Span first = {};  // the first of them
};
// In the order of the language.
std::vector<MissingUse> MissingUses(const Suite& suite, const Toolchain& toolchain);

// All of `program`, its test included, with the limits of every foreign program and the given time. `absent`
// are the packages that its header does without. What is left to the caller: the toolchain's digest, a scope,
// and what runs afterwards.
ProcessRequest ProgramRequest(const LanguageRow& language, std::string program,
                              std::chrono::milliseconds timeout, std::span<const std::string> absent = {});

// It ended by itself, with status 0.
bool ExitedWell(const ProcessReply& reply);

// How results tell the outcome: "passed ", "failed: returncode: 1 stderr: ...", "time out".
std::string ProgramResultText(const LanguageRow& language, const ProcessReply& reply);

}  // namespace assay
