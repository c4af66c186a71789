// LanguageRow: a programming language that checks run programs in. Each is one file and one row of table.cc;
// a row is data and pure functions of texts, it starts nothing.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/suite/suite_rules.h"

namespace assay {

// A file that lies beside each program of a language.
struct SupportFile {
  std::string_view path;
  std::string_view bytes;
};

// A package that the format puts before every program, whether the program needs it or not.
struct InjectedPackage {
  std::string_view name;                         // as the language imports it: "numpy"
  std::span<const std::string_view> lines;       // of LanguageRow::header
  std::span<const std::string_view> words = {};  // a test that names one of them may need it
  std::string_view install;                      // how to get it
  // What a program says that fails without it, with every quotation mark as '.
  std::span<const std::string_view> signs = {};
};

// How a program's outcome is told in results, as each of the original's executors does.
enum class ResultText {
  kReturnCode,  // "failed: returncode: 1 stderr: ..."
  kOutput,      // "failed: ..." with what the program printed
  kException,   // "failed: <class 'X'> message", said by the program's own frame
};

inline std::string WholeText(std::string text) { return text; }
inline std::string WithoutHeader(std::string_view, std::string body) { return body; }

struct LanguageRow {
  std::string_view name;                       // Toolchain::language
  std::string_view toolchain;                  // that launchers know it by
  std::span<const std::string_view> accepted;  // what suites may write; letter case counts
  std::string_view help;                       // one line for `assay list languages`
  bool is_ours = false;                        // the format's own tool does not know it
  std::chrono::milliseconds timeout;           // where the test names none
  std::string_view file;                       // that holds the program
  std::span<const SupportFile> support = {};
  std::span<const std::string_view> argv;
  bool through_shell = false;  // `argv` is a shell's: a missing tool is exit status 127
  ResultText result_text = ResultText::kReturnCode;
  std::string_view header = {};  // pinned by the format: what every program begins with
  std::span<const InjectedPackage> injected = {};
  bool starts_warm = false;  // its programs fork from one that has run the header
  // Behind which file the proof of the end goes, and its text; "" where the language has no place for it.
  std::string_view epilogue_file = {};
  std::string_view epilogue = {};
  // The code in an answer without fences.
  std::string (*bare_code)(std::string text) = WholeText;
  // The program without its test, from the header, and from the test's prefix file, a newline and the code of
  // the answer.
  std::string (*assemble)(std::string_view header, std::string body) = WithoutHeader;
  // The packages that a program imports, as its text shows them, and a program that prints those of `names`
  // that are not there, one a line. Null where programs have none but the language's own.
  std::vector<std::string> (*imports)(std::string_view program) = nullptr;
  std::string (*find_absent)(std::span<const std::string> names) = nullptr;
};

// All rows, in the order of `assay list languages`.
std::span<const LanguageRow* const> LanguageTable();
// By what a suite may write; null if there is none, or none that the original knows where the rules ask for
// it.
const LanguageRow* FindLanguage(std::string_view accepted, const ProgramRules& rules = {});
// All that suites may write, for suggestions.
std::span<const std::string_view> LanguageNames();

}  // namespace assay
