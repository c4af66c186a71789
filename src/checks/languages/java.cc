// The language row of Java: javac and java of one JDK; the program's class is Main, started through a small
// frame that notices its end.
#include <algorithm>

#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kJavaAccepted[] = {"java"};
// Calls the program's main as `java Main` does. Whoever returns from it has come to its end; then it writes
// the proof, if the epilogue has left one.
constexpr std::string_view kJavaFrame = R"java(final class AssayEnd {
  public static void main(String[] arguments) throws Throwable {
    try {
      Class.forName("Main").getMethod("main", String[].class).invoke(null, (Object) arguments);
    } catch (java.lang.reflect.InvocationTargetException thrown) {
      throw thrown.getCause();
    }
    String proof;
    try {
      proof = (String) Class.forName("AssayProof").getDeclaredField("TEXT").get(null);
    } catch (ClassNotFoundException absent) {
      return;
    }
    java.io.FileDescriptor three = new java.io.FileDescriptor();
    java.lang.reflect.Field number = java.io.FileDescriptor.class.getDeclaredField("fd");
    number.setAccessible(true);
    number.setInt(three, 3);
    new java.io.FileOutputStream(three).write(proof.getBytes());
  }
}
)java";
constexpr SupportFile kJavaSupport[] = {{"AssayEnd.java", kJavaFrame}};

// The flags of speed change how fast a short program starts, nothing else.
constexpr std::string_view kJavaArgv[] = {
    "/bin/sh", "-c",
    "javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 Main.java AssayEnd.java; "
    "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens java.base/java.io=ALL-UNNAMED AssayEnd"};

// An answer is taken as the inside of a class's method: two braces are open before it.
std::string JavaBareCode(std::string text) {
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

}  // namespace

constexpr LanguageRow kJavaRow{
    .name = "java",
    .toolchain = "java",
    .accepted = kJavaAccepted,
    .help = "javac and java, version 17",
    .timeout = std::chrono::seconds(10),
    .file = "Main.java",
    .support = kJavaSupport,
    .argv = kJavaArgv,
    .through_shell = true,
    .epilogue_file = "AssayEnd.java",
    .epilogue = "final class AssayProof {\n  static final String TEXT = \"@NONCE@\";\n}\n",
    .bare_code = JavaBareCode,
};

}  // namespace assay
