// Requests of programs, and their outcomes in the format's own words.
#include "checks/program.h"

#include <fmt/core.h>

#include "base/limits.h"

namespace assay {
namespace {

// Compilers and runtimes with several threads use more than one core; the wall clock ends them all.
constexpr int kCpuPerWall = 4;
constexpr char kFrameMark = '\x1e';  // before what the frame of a language says of the outcome

// What the program's own frame said of the exception that ended it.
std::string_view FrameText(std::string_view stderr_text) {
  const std::size_t mark = stderr_text.rfind(kFrameMark);
  return mark == std::string_view::npos ? std::string_view() : stderr_text.substr(mark + 1);
}

}  // namespace

const LanguageRow* LanguageOfTests(const Value& args, Compat compat) {
  const Value* lang = args.Find("lang");
  if (lang == nullptr) lang = args.Find("case_lang");
  return lang != nullptr && lang->is_string() ? FindLanguage(lang->AsString(), compat) : nullptr;
}

std::string SourceOfTests(const Value& args) {
  std::string source;
  const auto add = [&source](const Value* text) {
    if (text != nullptr && text->is_string()) source += text->AsString() + "\n";
  };
  const Value* tests = args.Find("tests");
  if (tests == nullptr || !tests->is_list()) return source;
  for (const Value& test : tests->AsList()) {
    for (const Value* text : {test.Find("prefix_text"), test.is_string() ? &test : test.Find("content")})
      add(text);
  }
  return source;
}

ProcessRequest ProgramRequest(const LanguageRow& language, std::string program,
                              std::chrono::milliseconds timeout) {
  ProcessRequest request;
  request.argv.assign(language.argv.begin(), language.argv.end());
  request.files.push_back({std::string(language.file), std::move(program)});
  for (const SupportFile& file : language.support) {
    request.files.push_back({std::string(file.path), std::string(file.bytes)});
  }
  request.toolchain = language.toolchain;
  request.prelude = language.prelude;
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
