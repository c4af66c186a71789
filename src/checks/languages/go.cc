// The language row of Go: `go run` of a single file.
#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kGoAccepted[] = {"go"};
constexpr std::string_view kGoArgv[] = {"go", "run", "main.go"};
constexpr std::string_view kGoStops[] = {"\n//", "\nfunc main(", "struct", "\nfunc"};

std::string GoBareCode(std::string text) {
  text = CutAtFirst(std::move(text), kGoStops);
  if (!CutBehindClosingBrace(text, 1)) CutBehindLastBrace(text);
  return text;
}

}  // namespace

constexpr LanguageRow kGoRow{
    .name = "go",
    .toolchain = "go",
    .accepted = kGoAccepted,
    .help = "go run",
    .timeout = std::chrono::seconds(20),
    .file = "main.go",
    .argv = kGoArgv,
    .result_text = ResultText::kOutput,
    .bare_code = GoBareCode,
};

}  // namespace assay
