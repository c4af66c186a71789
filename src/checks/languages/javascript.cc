// JavaScript: one fresh node per program.
#include "checks/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"javascript", "js"};
constexpr std::string_view kArgv[] = {"node", "test.js"};

std::string BareCode(std::string text) {
  if (!CutBehindClosingBrace(text, 1)) CutBehindLastBrace(text);
  return text;
}

std::string Assemble(std::string body) { return body; }

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
};

}  // namespace assay
