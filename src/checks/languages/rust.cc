// The language row of Rust: rustc on one file, edition 2021; ours, InfiBench has none.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"rust"};
constexpr std::string_view kArgv[] = {"/bin/sh", "-c", "rustc --edition 2021 main.rs -o main; ./main"};

std::string AsItIs(std::string text) { return text; }
std::string Assemble(std::string_view, std::string body) { return body; }

}  // namespace

constexpr LanguageRow kRustRow{
    .name = "rust",
    .toolchain = "rust",
    .accepted = kAccepted,
    .help = "rustc, edition 2021",
    .is_ours = true,
    .timeout = std::chrono::seconds(60),
    .file = "main.rs",
    .argv = kArgv,
    .through_shell = true,
    .bare_code = AsItIs,
    .assemble = Assemble,
};

}  // namespace assay
