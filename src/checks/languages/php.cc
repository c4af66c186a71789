// The language row of PHP, with assertions that throw; ours, InfiBench has none. The test stands inside the
// same tag as the answer.
#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"php"};
constexpr std::string_view kArgv[] = {"php",     "-d", "zend.assertions=1", "-d", "assert.exception=1",
                                      "main.php"};
constexpr std::string_view kOpen = "<?php";
constexpr std::string_view kClose = "?>";

std::string AsItIs(std::string text) { return text; }

std::string Assemble(std::string_view, std::string body) {
  std::string_view code = StripSpace(body);
  if (code.starts_with(kOpen)) code.remove_prefix(kOpen.size());
  if (code.ends_with(kClose)) code.remove_suffix(kClose.size());
  return std::string(kOpen) + "\n" + std::string(code);
}

}  // namespace

constexpr LanguageRow kPhpRow{
    .name = "php",
    .toolchain = "php",
    .accepted = kAccepted,
    .help = "php, with assertions on",
    .is_ours = true,
    .timeout = std::chrono::seconds(10),
    .file = "main.php",
    .argv = kArgv,
    .epilogue_file = "main.php",
    .epilogue = "\n@file_put_contents('php://fd/3', '@NONCE@');\n",
    .bare_code = AsItIs,
    .assemble = Assemble,
};

}  // namespace assay
