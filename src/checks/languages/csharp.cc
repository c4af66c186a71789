// The language row of C#: Mono's compiler (mcs) and runtime.
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kCSharpAccepted[] = {"c#", "c-sharp", "csharp", "cs"};
constexpr std::string_view kCSharpArgv[] = {"/bin/sh", "-c", "mcs -out:main.exe main.cs; mono main.exe"};

}  // namespace

constexpr LanguageRow kCsharpRow{
    .name = "csharp",
    .toolchain = "csharp",
    .accepted = kCSharpAccepted,
    .help = "mcs and mono",
    .timeout = std::chrono::seconds(20),
    .file = "main.cs",
    .argv = kCSharpArgv,
    .through_shell = true,
};

}  // namespace assay
