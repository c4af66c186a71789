// The language row of Go: `go run` of a single file.
#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"go"};
constexpr std::string_view kArgv[] = {"go", "run", "main.go"};
constexpr std::string_view kStops[] = {"\n//", "\nfunc main(", "struct", "\nfunc"};

std::string BareCode(std::string text) {
  text = CutAtFirst(std::move(text), kStops);
  if (!CutBehindClosingBrace(text, 1)) CutBehindLastBrace(text);
  return text;
}

std::string Assemble(std::string_view, std::string body) { return body; }

}  // namespace

constexpr LanguageRow kGoRow{
    .name = "go",
    .toolchain = "go",
    .accepted = kAccepted,
    .help = "go run",
    .timeout = std::chrono::seconds(20),
    .file = "main.go",
    .argv = kArgv,
    .result_text = ResultText::kOutput,
    .bare_code = BareCode,
    .assemble = Assemble,
};

}  // namespace assay
