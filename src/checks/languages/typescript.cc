// The language row of TypeScript: compiled by the pinned tsc, whose type errors fail nothing, and run by
// node.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kTypeScriptAccepted[] = {"typescript", "ts"};
constexpr std::string_view kTypeScriptArgv[] = {"/bin/sh", "-c",
                                                "tsc test.ts --outfile test.js; node test.js"};

}  // namespace

constexpr LanguageRow kTypescriptRow{
    .name = "typescript",
    .toolchain = "typescript",
    .accepted = kTypeScriptAccepted,
    .help = "tsc 5, then node",
    .timeout = std::chrono::seconds(20),
    .file = "test.ts",
    .argv = kTypeScriptArgv,
    .through_shell = true,
    .epilogue_file = "test.ts",
    // tsc knows nothing of node here, and must not print that.
    .epilogue = "\n;try{eval(\"require('node:fs').writeSync(3,'@NONCE@')\")}catch(e){}\n",
};

}  // namespace assay
