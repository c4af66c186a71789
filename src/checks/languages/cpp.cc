// C and C++, both as C++: g++ with its default standard and no optimisation.
#include "checks/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"cpp", "c", "c++", "c/c++", "c++/c", "cpp/c", "c/cpp"};
constexpr std::string_view kArgv[] = {"sh", "-c", "g++ main.cpp -o main; ./main"};

// Pinned by the format: the bytes that every program begins with.
constexpr std::string_view kHeader =
    "using namespace std;\n#include<stdlib.h>\n#include<algorithm>\n#include<cmath>\n#include<math.h>\n"
    "#include<numeric>\n#include<stdio.h>\n#include<vector>\n#include<set>\n#include<map>\n"
    "#include<queue>\n#include<stack>\n#include<list>\n#include<deque>\n#include<boost/any.hpp>\n"
    "#include<string>\n#include<climits>\n#include<cstring>\n#include<iostream>\n#include<sstream>\n"
    "#include<fstream>\n";

std::string BareCode(std::string text) {
  if (!CutBehindClosingBrace(text, 1)) CutBehindLastBrace(text);
  return text;
}

std::string Assemble(std::string body) { return std::string(StripSpace(std::string(kHeader) + body)); }

}  // namespace

constexpr LanguageRow kCppRow{
    .name = "cpp",
    .toolchain = "cpp",
    .accepted = kAccepted,
    .help = "g++ with boost's headers; C is compiled as C++",
    .timeout = std::chrono::seconds(60),
    .file = "main.cpp",
    .argv = kArgv,
    .through_shell = true,
    .bare_code = BareCode,
    .assemble = Assemble,
};

}  // namespace assay
