// The language row of TypeScript: compiled by the pinned tsc, whose type errors fail nothing, and run by
// node.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"typescript", "ts"};
constexpr std::string_view kArgv[] = {"/bin/sh", "-c", "tsc test.ts --outfile test.js; node test.js"};

std::string AsItIs(std::string text) { return text; }
std::string Assemble(std::string_view, std::string body) { return body; }

}  // namespace

constexpr LanguageRow kTypescriptRow{
    .name = "typescript",
    .toolchain = "typescript",
    .accepted = kAccepted,
    .help = "tsc 5, then node",
    .timeout = std::chrono::seconds(20),
    .file = "test.ts",
    .argv = kArgv,
    .through_shell = true,
    .epilogue_file = "test.ts",
    // tsc knows nothing of node here, and must not print that.
    .epilogue = "\n;try{eval(\"require('node:fs').writeSync(3,'@NONCE@')\")}catch(e){}\n",
    .bare_code = AsItIs,
    .assemble = Assemble,
};

}  // namespace assay
