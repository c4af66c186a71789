// The language row of Ruby: `ruby` on one file; ours, InfiBench has none.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"ruby"};
constexpr std::string_view kArgv[] = {"ruby", "main.rb"};

std::string AsItIs(std::string text) { return text; }
std::string Assemble(std::string_view, std::string body) { return body; }

}  // namespace

constexpr LanguageRow kRubyRow{
    .name = "ruby",
    .toolchain = "ruby",
    .accepted = kAccepted,
    .help = "ruby",
    .is_ours = true,
    .timeout = std::chrono::seconds(10),
    .file = "main.rb",
    .argv = kArgv,
    .epilogue_file = "main.rb",
    .epilogue =
        "\nbegin\n  IO.for_fd(3, \"w\", autoclose: false).syswrite(\"@NONCE@\")\nrescue StandardError\nend\n",
    .bare_code = AsItIs,
    .assemble = Assemble,
};

}  // namespace assay
