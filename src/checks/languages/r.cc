// The language row of R: Rscript, with a package named assert that the suite's tests use.
#include "checks/code/code_blocks.h"
#include "checks/languages/imports.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kRAccepted[] = {"r"};
constexpr std::string_view kRArgv[] = {"Rscript", "main.r"};

std::vector<std::string> RImports(std::string_view program) {
  std::vector<std::string> names = ArgumentsOf("library", Quotes::kOptional, program);
  for (const std::string& name : ArgumentsOf("require", Quotes::kOptional, program)) AddPackage(name, names);
  return names;
}

std::string FindRAbsent(std::span<const std::string> names) {
  return "for (name in c(" + QuotedNames(names) +
         ")) if (!requireNamespace(name, quietly = TRUE)) cat(name, \"\\n\", sep = \"\")\n";
}

// Pinned by the format: the bytes that every program begins with.
constexpr std::string_view kRHeader = "rm(list=ls())\nlibrary(assert)\n";

constexpr std::string_view kAssertLines[] = {"library(assert)"};
constexpr std::string_view kAssertWords[] = {"assert"};
constexpr std::string_view kAssertSigns[] = {"no package called 'assert'",
                                             "could not find function 'assert'"};
constexpr InjectedPackage kRInjected[] = {{"assert", kAssertLines, kAssertWords,
                                           "Debian has none; `./dev doctor --install` brings a stand-in",
                                           kAssertSigns}};

}  // namespace

constexpr LanguageRow kRRow{
    .name = "r",
    .toolchain = "r",
    .accepted = kRAccepted,
    .help = "Rscript, with a package named assert",
    .timeout = std::chrono::seconds(20),
    .file = "main.r",
    .argv = kRArgv,
    .header = kRHeader,
    .injected = kRInjected,
    .epilogue_file = "main.r",
    .epilogue = "\nbase::try(base::system(\"printf %s @NONCE@ >&3\"), silent = TRUE)\n",
    .assemble = StrippedWithHeader,
    .imports = RImports,
    .find_absent = FindRAbsent,
};

}  // namespace assay
