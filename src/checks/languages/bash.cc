// The language row of Bash: how programs are assembled and run; ours, InfiBench has none. A program passes by
// its last command's status.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kBashAccepted[] = {"bash"};
constexpr std::string_view kBashArgv[] = {"bash", "main.sh"};

}  // namespace

constexpr LanguageRow kBashRow{
    .name = "bash",
    .toolchain = "bash",
    .accepted = kBashAccepted,
    .help = "bash",
    .is_ours = true,
    .timeout = std::chrono::seconds(10),
    .file = "main.sh",
    .argv = kBashArgv,
    .epilogue_file = "main.sh",
    // Ends with the status that was there before.
    .epilogue = "\n{ assay_status=$?; printf %s '@NONCE@' >&3; (exit \"$assay_status\"); } 2>/dev/null\n",
};

}  // namespace assay
