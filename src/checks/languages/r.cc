// The language row of R: Rscript, with a package named assert that the suite's tests use.
#include "checks/code/code_blocks.h"
#include "checks/languages/imports.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"r"};
constexpr std::string_view kArgv[] = {"Rscript", "main.r"};

std::string AsItIs(std::string text) { return text; }

std::vector<std::string> Imports(std::string_view program) {
  std::vector<std::string> names = ArgumentsOf("library", Quotes::kOptional, program);
  for (const std::string& name : ArgumentsOf("require", Quotes::kOptional, program)) AddPackage(name, names);
  return names;
}

std::string FindAbsent(std::span<const std::string> names) {
  return "for (name in c(" + QuotedNames(names) +
         ")) if (!requireNamespace(name, quietly = TRUE)) cat(name, \"\\n\", sep = \"\")\n";
}

// Pinned by the format: the bytes that every program begins with.
constexpr std::string_view kHeader = "rm(list=ls())\nlibrary(assert)\n";

std::string Assemble(std::string_view header, std::string body) {
  return std::string(StripSpace(std::string(header) + body));
}

constexpr std::string_view kAssertLines[] = {"library(assert)"};
constexpr std::string_view kAssertWords[] = {"assert"};
constexpr InjectedPackage kInjected[] = {
    {"assert", kAssertLines, kAssertWords, "Debian has none; `./dev doctor --install` brings a stand-in"}};

}  // namespace

constexpr LanguageRow kRRow{
    .name = "r",
    .toolchain = "r",
    .accepted = kAccepted,
    .help = "Rscript, with a package named assert",
    .timeout = std::chrono::seconds(20),
    .file = "main.r",
    .argv = kArgv,
    .header = kHeader,
    .injected = kInjected,
    .epilogue_file = "main.r",
    .epilogue = "\nbase::try(base::system(\"printf %s @NONCE@ >&3\"), silent = TRUE)\n",
    .bare_code = AsItIs,
    .assemble = Assemble,
    .imports = Imports,
    .find_absent = FindAbsent,
};

}  // namespace assay
