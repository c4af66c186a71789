// The language row of JavaScript: each program runs in a new node process.
#include "checks/code/code_blocks.h"
#include "checks/languages/imports.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"javascript", "js"};
constexpr std::string_view kArgv[] = {"node", "test.js"};

std::string BareCode(std::string text) {
  if (!CutBehindClosingBrace(text, 1)) CutBehindLastBrace(text);
  return text;
}

std::vector<std::string> Imports(std::string_view program) {
  return ArgumentsOf("require", Quotes::kNeeded, program);
}

std::string FindAbsent(std::span<const std::string> names) {
  return "for (const name of [" + QuotedNames(names) +
         "]) { try { require.resolve(name) } catch { console.log(name) } }\n";
}

std::string Assemble(std::string_view, std::string body) { return body; }

}  // namespace

constexpr LanguageRow kJavascriptRow{
    .name = "javascript",
    .toolchain = "node",
    .accepted = kAccepted,
    .help = "node, with jsdom to require",
    .timeout = std::chrono::seconds(10),
    .file = "test.js",
    .argv = kArgv,
    .epilogue_file = "test.js",
    .epilogue = "\n;try{require('node:fs').writeSync(3,'@NONCE@')}catch(e){}\n",
    .bare_code = BareCode,
    .assemble = Assemble,
    .imports = Imports,
    .find_absent = FindAbsent,
};

}  // namespace assay
