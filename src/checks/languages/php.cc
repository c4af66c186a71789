// The language row of PHP, with assertions that throw; ours, InfiBench has none. The test stands inside the
// same tag as the answer.
#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kPhpAccepted[] = {"php"};
constexpr std::string_view kPhpArgv[] = {"php",     "-d", "zend.assertions=1", "-d", "assert.exception=1",
                                         "main.php"};
constexpr std::string_view kPhpOpen = "<?php";
constexpr std::string_view kPhpClose = "?>";

std::string PhpAssemble(std::string_view, std::string body) {
  std::string_view code = StripSpace(body);
  if (code.starts_with(kPhpOpen)) code.remove_prefix(kPhpOpen.size());
  if (code.ends_with(kPhpClose)) code.remove_suffix(kPhpClose.size());
  return std::string(kPhpOpen) + "\n" + std::string(code);
}

}  // namespace

constexpr LanguageRow kPhpRow{
    .name = "php",
    .toolchain = "php",
    .accepted = kPhpAccepted,
    .help = "php, with assertions on",
    .is_ours = true,
    .timeout = std::chrono::seconds(10),
    .file = "main.php",
    .argv = kPhpArgv,
    .epilogue_file = "main.php",
    .epilogue = "\n@file_put_contents('php://fd/3', '@NONCE@');\n",
    .assemble = PhpAssemble,
};

}  // namespace assay
