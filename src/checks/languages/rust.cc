// The language row of Rust: rustc on one file, edition 2021; ours, InfiBench has none.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kRustAccepted[] = {"rust"};
constexpr std::string_view kRustArgv[] = {"/bin/sh", "-c", "rustc --edition 2021 main.rs -o main; ./main"};

}  // namespace

constexpr LanguageRow kRustRow{
    .name = "rust",
    .toolchain = "rust",
    .accepted = kRustAccepted,
    .help = "rustc, edition 2021",
    .is_ours = true,
    .timeout = std::chrono::seconds(60),
    .file = "main.rs",
    .argv = kRustArgv,
    .through_shell = true,
};

}  // namespace assay
