// Builds the requests of programs, and words their outcomes as InfiBench does (failed, timed out, missing
// package).
#include "checks/program/program.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

// Compilers and runtimes with several threads use more than one core; the wall clock ends them all.
constexpr int kCpuPerWall = 4;
constexpr std::string_view kMissingStart = "package missing: the program uses ";
constexpr std::string_view kMissingEnd = ", which is not installed (";
constexpr char kFrameMark = '\x1e';  // before what the frame of a language says of the outcome

// What the program's own frame said of the exception that ended it.
std::string_view FrameText(std::string_view stderr_text) {
  const std::size_t mark = stderr_text.rfind(kFrameMark);
  return mark == std::string_view::npos ? std::string_view() : stderr_text.substr(mark + 1);
}

bool IsAbsent(const InjectedPackage& package, std::span<const std::string> absent) {
  return std::find(absent.begin(), absent.end(), package.name) != absent.end();
}

bool IsOfAbsent(std::string_view line, const LanguageRow& language, std::span<const std::string> absent) {
  return std::any_of(language.injected.begin(), language.injected.end(), [&](const InjectedPackage& package) {
    return IsAbsent(package, absent) &&
           std::find(package.lines.begin(), package.lines.end(), line) != package.lines.end();
  });
}

bool IsNamePart(char c) { return IsAsciiAlphanumeric(c) || c == '_'; }

// Whether one of the words stands in the text as a name of its own: not inside another, and not as a member
// of something.
bool NamesOneOf(std::string_view text, std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      const bool begins = at == 0 || (!IsNamePart(text[at - 1]) && text[at - 1] != '.');
      if (begins && (end == text.size() || !IsNamePart(text[end]))) return true;
    }
  }
  return false;
}

// Compilers and R choose their quotation marks by the locale.
std::string WithPlainQuotes(std::string_view text) {
  constexpr std::string_view kMarks[] = {"\u2018", "\u2019", "\u201C", "\u201D", "`", "\""};
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const auto* const mark = std::find_if(std::begin(kMarks), std::end(kMarks),
                                          [text](std::string_view each) { return text.starts_with(each); });
    plain += mark == std::end(kMarks) ? text.front() : '\'';
    text.remove_prefix(mark == std::end(kMarks) ? 1 : mark->size());
  }
  return plain;
}

// What a test adds to an answer's code.
std::string SourceOfTest(const Value& test) {
  std::string source;
  for (const Value* text : {test.Find("prefix_text"), test.is_string() ? &test : test.Find("content")}) {
    if (text != nullptr && text->is_string()) source += text->AsString() + "\n";
  }
  return source;
}

template <class Visit>
void ForEachTest(const Suite& suite, const LanguageRow& language, const Visit& visit) {
  for (const Case& the_case : suite.cases) {
    for (const Check& check : the_case.checks) {
      if (check.kind != kUnitTestKind || LanguageOfTests(check.args, suite.programs) != &language) continue;
      for (const Value& test : check.args.ListAt("tests")) visit(test);
    }
  }
}

}  // namespace

const LanguageRow* LanguageOfTests(const Value& args, const ProgramRules& rules) {
  return FindLanguage(args.TextAt(args.Find("lang") != nullptr ? "lang" : "case_lang"), rules);
}

std::string SourceOfTests(const Value& args) {
  std::string source;
  for (const Value& test : args.ListAt("tests")) source += SourceOfTest(test);
  return source;
}

std::string HeaderWithout(const LanguageRow& language, std::span<const std::string> absent) {
  std::string header;
  for (std::string_view rest = language.header; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!IsOfAbsent(line, language, absent)) header.append(line) += '\n';
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return header;
}

const InjectedPackage* MissingPackage(const LanguageRow& language, std::span<const std::string> absent,
                                      std::string_view result) {
  if (absent.empty()) return nullptr;
  const std::string said = WithPlainQuotes(result);
  for (const InjectedPackage& package : language.injected) {
    const bool is_named = std::any_of(package.signs.begin(), package.signs.end(), [&](std::string_view sign) {
      return said.find(sign) != std::string::npos;
    });
    if (is_named && IsAbsent(package, absent)) return &package;
  }
  return nullptr;
}

std::string MissingPackageError(const InjectedPackage& package) {
  return fmt::format("{}{}{}{})", kMissingStart, package.name, kMissingEnd, package.install);
}

std::string_view PackageOfError(std::string_view error) {
  if (!error.starts_with(kMissingStart)) return {};
  error.remove_prefix(kMissingStart.size());
  const std::size_t end = error.find(kMissingEnd);
  return end == std::string_view::npos ? std::string_view() : error.substr(0, end);
}

std::vector<MissingUse> MissingUses(const Suite& suite, const Toolchain& toolchain) {
  const LanguageRow* language = FindLanguage(toolchain.language);
  std::vector<MissingUse> uses;
  if (language == nullptr) return uses;
  for (const InjectedPackage& package : language->injected) {
    if (!IsAbsent(package, toolchain.absent)) continue;
    MissingUse use{.package = &package};
    ForEachTest(suite, *language, [&](const Value& test) {
      if (!NamesOneOf(SourceOfTest(test), package.words)) return;
      if (use.tests++ == 0) use.first = test.span;
    });
    if (use.tests > 0) uses.push_back(use);
  }
  return uses;
}

ProcessRequest ProgramRequest(const LanguageRow& language, std::string program,
                              std::chrono::milliseconds timeout, std::span<const std::string> absent) {
  ProcessRequest request;
  request.argv.assign(language.argv.begin(), language.argv.end());
  request.files.push_back({std::string(language.file), std::move(program)});
  for (const SupportFile& file : language.support) {
    request.files.push_back({std::string(file.path), std::string(file.bytes)});
  }
  request.toolchain = language.toolchain;
  if (language.starts_warm) request.prelude = HeaderWithout(language, absent);
  request.limits = {.wall = timeout,
                    .cpu = timeout * kCpuPerWall,
                    .memory_bytes = limits::kProgramMemoryBytesMax,
                    .output_bytes = limits::kProgramOutputBytesMax,
                    .processes = limits::kProgramProcessesMax};
  if (!language.epilogue.empty()) {
    request.epilogue = {.path = std::string(language.epilogue_file), .text = std::string(language.epilogue)};
  }
  return request;
}

bool ExitedWell(const ProcessReply& reply) {
  return !reply.timed_out && reply.signal == 0 && reply.exit_code == 0;
}

std::string ProgramResultText(const LanguageRow& language, const ProcessReply& reply) {
  if (reply.timed_out) return "time out";
  const bool exited_well = ExitedWell(reply);
  const std::string& out = reply.stdout_text;
  const std::string& err = reply.stderr_text;
  if (language.result_text == ResultText::kOutput)
    return exited_well ? "passed" : "failed: " + (err.empty() ? out : err);
  if (language.result_text == ResultText::kException) {
    if (exited_well) return "passed";
    if (const std::string_view said = FrameText(err); !said.empty()) return std::string(said);
  }
  const int code = reply.signal != 0 ? -reply.signal : reply.exit_code;
  std::string text = exited_well ? "passed " : fmt::format("failed: returncode: {} ", code);
  if (!err.empty()) return text + "stderr: " + err;
  return out.empty() ? text : text + "stdout: " + out;
}

}  // namespace assay
