// The language row of Ruby: `ruby` on one file; ours, InfiBench has none.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kRubyAccepted[] = {"ruby"};
constexpr std::string_view kRubyArgv[] = {"ruby", "main.rb"};

}  // namespace

constexpr LanguageRow kRubyRow{
    .name = "ruby",
    .toolchain = "ruby",
    .accepted = kRubyAccepted,
    .help = "ruby",
    .is_ours = true,
    .timeout = std::chrono::seconds(10),
    .file = "main.rb",
    .argv = kRubyArgv,
    .epilogue_file = "main.rb",
    .epilogue =
        "\nbegin\n  IO.for_fd(3, \"w\", autoclose: false).syswrite(\"@NONCE@\")\nrescue StandardError\nend\n",
};

}  // namespace assay
