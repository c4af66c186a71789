// Java: javac and java of one JDK; the class is Main.
#include <algorithm>

#include "checks/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kAccepted[] = {"java"};
// The flags change how fast a short program starts, nothing else.
constexpr std::string_view kArgv[] = {"sh", "-c",
                                      "javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 Main.java; java "
                                      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 Main"};

// An answer is taken as the inside of a class's method: two braces are open before it.
std::string BareCode(std::string text) {
  if (CutBehindClosingBrace(text, 2)) return text;
  const std::size_t main = text.find("public static void main");
  if (main != std::string::npos) {
    text.resize(main);
    text += '}';
  }
  CutBehindLastBrace(text);
  const auto opened = std::count(text.begin(), text.end(), '{');
  const auto closed = std::count(text.begin(), text.end(), '}');
  if (opened - 1 == closed) text += "\n}";
  return text;
}

std::string Assemble(std::string body) { return body; }

}  // namespace

constexpr LanguageRow kJavaRow{
    .name = "java",
    .toolchain = "java",
    .accepted = kAccepted,
    .help = "javac and java, version 17",
    .timeout = std::chrono::seconds(10),
    .file = "Main.java",
    .argv = kArgv,
    .through_shell = true,
    .bare_code = BareCode,
    .assemble = Assemble,
};

}  // namespace assay
