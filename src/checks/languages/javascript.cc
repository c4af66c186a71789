// The language row of JavaScript: each program runs in a new node process.
#include "checks/code/code_blocks.h"
#include "checks/languages/imports.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kJavaScriptAccepted[] = {"javascript", "js"};
constexpr std::string_view kJavaScriptArgv[] = {"node", "test.js"};

std::vector<std::string> JavaScriptImports(std::string_view program) {
  return ArgumentsOf("require", Quotes::kNeeded, program);
}

std::string FindJavaScriptAbsent(std::span<const std::string> names) {
  return "for (const name of [" + QuotedNames(names) +
         "]) { try { require.resolve(name) } catch { console.log(name) } }\n";
}

}  // namespace

constexpr LanguageRow kJavascriptRow{
    .name = "javascript",
    .toolchain = "node",
    .accepted = kJavaScriptAccepted,
    .help = "node, with jsdom to require",
    .timeout = std::chrono::seconds(10),
    .file = "test.js",
    .argv = kJavaScriptArgv,
    .epilogue_file = "test.js",
    .epilogue = "\n;try{require('node:fs').writeSync(3,'@NONCE@')}catch(e){}\n",
    .bare_code = CutToBraces,
    .imports = JavaScriptImports,
    .find_absent = FindJavaScriptAbsent,
};

}  // namespace assay
