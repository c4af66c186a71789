// The language row of C and C++: both are compiled as C++ by g++ with its default standard and no
// optimisation.
#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kCppAccepted[] = {"cpp", "c", "c++", "c/c++", "c++/c", "cpp/c", "c/cpp"};
constexpr std::string_view kCppArgv[] = {"/bin/sh", "-c", "g++ main.cpp -o main; ./main"};

// Pinned by the format: the bytes that every program begins with.
constexpr std::string_view kCppHeader =
    "using namespace std;\n#include<stdlib.h>\n#include<algorithm>\n#include<cmath>\n#include<math.h>\n"
    "#include<numeric>\n#include<stdio.h>\n#include<vector>\n#include<set>\n#include<map>\n"
    "#include<queue>\n#include<stack>\n#include<list>\n#include<deque>\n#include<boost/any.hpp>\n"
    "#include<string>\n#include<climits>\n#include<cstring>\n#include<iostream>\n#include<sstream>\n"
    "#include<fstream>\n";

// `exit` is ours and remembers that it was called; main's own end is libc's. _exit, quick_exit and signals
// run no destructors.
constexpr std::string_view kEpilogue = R"cpp(
  extern "C" void* dlsym(void*, const char*) noexcept;
  extern "C" __PTRDIFF_TYPE__ write(int, const void*, __SIZE_TYPE__);
  static int assay_left_early;
  extern "C" __attribute__((noreturn)) void exit(int assay_status) noexcept {
    assay_left_early = 1;
    reinterpret_cast<void (*)(int)>(dlsym(reinterpret_cast<void*>(-1), "exit"))(assay_status);
    __builtin_unreachable();
  }
  __attribute__((destructor)) static void assay_reach_end() {
    if (!assay_left_early && write(3, "@NONCE@", sizeof "@NONCE@" - 1) < 0) return;
  }
)cpp";

constexpr std::string_view kBoostLines[] = {"#include<boost/any.hpp>"};
constexpr std::string_view kBoostWords[] = {"boost"};
constexpr std::string_view kBoostSigns[] = {"fatal error: boost/", "'boost' has not been declared",
                                            "'boost' was not declared", "'boost' does not name a type",
                                            "'boost' is not a namespace-name"};
constexpr InjectedPackage kCppInjected[] = {
    {"boost/any.hpp", kBoostLines, kBoostWords, "apt-get install libboost-dev", kBoostSigns}};

}  // namespace

constexpr LanguageRow kCppRow{
    .name = "cpp",
    .toolchain = "cpp",
    .accepted = kCppAccepted,
    .help = "g++ with boost's headers; C is compiled as C++",
    .timeout = std::chrono::seconds(60),
    .file = "main.cpp",
    .argv = kCppArgv,
    .through_shell = true,
    .header = kCppHeader,
    .injected = kCppInjected,
    .epilogue_file = "main.cpp",
    .epilogue = kEpilogue,
    .bare_code = CutToBraces,
    .assemble = StrippedWithHeader,
};

}  // namespace assay
