// The language row of C#: Mono's compiler (mcs) and runtime.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"c#", "c-sharp", "csharp", "cs"};
constexpr std::string_view kArgv[] = {"/bin/sh", "-c", "mcs -out:main.exe main.cs; mono main.exe"};

std::string AsItIs(std::string text) { return text; }
std::string Assemble(std::string_view, std::string body) { return body; }

}  // namespace

constexpr LanguageRow kCsharpRow{
    .name = "csharp",
    .toolchain = "csharp",
    .accepted = kAccepted,
    .help = "mcs and mono",
    .timeout = std::chrono::seconds(20),
    .file = "main.cs",
    .argv = kArgv,
    .through_shell = true,
    .bare_code = AsItIs,
    .assemble = Assemble,
};

}  // namespace assay
