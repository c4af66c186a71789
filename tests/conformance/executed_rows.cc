// Golden programs that are run: whole programs of the published results with what became of them. They run in
// the sandbox, in the toolchains of this machine; a language that is not there is skipped aloud.
//
// Java and Go run in full. Of the other languages every twentieth program does, all of them with
// ASSAY_EVERY_PROGRAM=1 in the environment.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>

#include "base/completion_queue.h"
#include "checks/program/program.h"
#include "io/launcher/launcher.h"
#include "tests/conformance/conformance.h"
#include "tests/support/slowness.h"

namespace assay::conformance {
namespace {

constexpr std::size_t kEveryNth = 20;
constexpr std::size_t kWorkers = 2;

// Cases whose tests are of another language than the case.
constexpr std::pair<std::string_view, std::string_view> kTestLanguages[] = {
    {"cases/eval_0-0-48.yaml", "typescript"},
    {"cases/eval_0-2-154.yaml", "javascript"},
};

// Cases whose published outcomes depend on where they were made.
constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
    {"cases/eval_1-3-198.yaml", "asks a host on the network"},
    {"cases/eval_1-3-217.yaml", "needs torch"},
    {"cases/eval_1-3-223.yaml", "asks the network through pip"},
    {"cases/eval_1-3-231.yaml", "needs torch"},
};

std::string_view Find(std::span<const std::pair<std::string_view, std::string_view>> table,
                      std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == name; });
  return found == table.end() ? std::string_view() : found->second;
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

ToolchainPlaces ExecutedPlaces() {
  std::string folder = Environment("ASSAY_TOOLCHAINS");
  if (folder.empty()) folder = Environment("HOME") + "/.local/share/assay/toolchains";
  return {.search_path = Environment("PATH"), .folder = std::move(folder)};
}

struct Program {
  const LanguageRow* language = nullptr;
  std::string place;
  std::string name_of_case;
  std::string text;
  bool passes = false;
  bool reached_end = false;
  std::string said;
  ProcessReply reply = {};
};

// Runs the programs of `indices` and keeps their replies.
void RunAll(Launcher& launcher, const std::vector<std::size_t>& indices, std::vector<Program>& programs) {
  CompletionQueue replies;
  for (const std::size_t index : indices) {
    const Program& program = programs[index];
    launcher.Run(index,
                 ProgramRequest(*program.language, program.text, testing::Slowly(program.language->timeout)),
                 replies);
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    Completion completion = replies.Take();
    programs[completion.ticket].reply = std::get<ProcessReply>(std::move(completion.reply));
  }
  launcher.CancelAll();  // done with `replies`
}

const LanguageRow* LanguageOf(const Value& row) {
  const std::string_view other = Find(kTestLanguages, GetText(row, "case"));
  return FindLanguage(other.empty() ? GetText(row, "lang") : other);
}

bool IsChosen(const LanguageRow& language, std::size_t number) {
  const bool is_short = language.name == "java" || language.name == "go";
  return is_short || number % kEveryNth == 0 || !Environment("ASSAY_EVERY_PROGRAM").empty();
}

// The package for want of which Python ended, if it is one of those that this machine is known to lack; "" if
// it is not.
std::string AbsentPackage(const ProcessReply& reply, std::span<const std::string> absent) {
  constexpr std::string_view kNoPackage = "No module named '";
  const std::size_t at = reply.stderr_text.find(kNoPackage);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(reply.stderr_text).substr(at + kNoPackage.size());
  const std::string name(rest.substr(0, rest.find_first_of(".'")));
  return std::find(absent.begin(), absent.end(), name) == absent.end() ? std::string() : name;
}

void JudgeProgram(const Program& program, std::span<const std::string> absent, Outcome& outcome) {
  if (program.reply.error) {
    outcome.Fail(fmt::format("{}: {}", program.place, program.reply.error->message));
    return;
  }
  if (ExitedWell(program.reply) == program.passes) {
    outcome.Pass();
    return;
  }
  const std::string_view elsewhere = Find(kElsewhere, program.name_of_case);
  if (!elsewhere.empty()) {
    outcome.Skip(fmt::format("{} {}", program.name_of_case, elsewhere));
    return;
  }
  if (const std::string package = AbsentPackage(program.reply, absent); program.passes && !package.empty()) {
    outcome.Skip(fmt::format("Python's package {} is not installed", package));
    return;
  }
  outcome.Fail(fmt::format("{}: want {} ({}), got {}", program.place, program.passes ? "passed" : "failed",
                           program.said, ProgramResultText(*program.language, program.reply)));
}

// The programs of a file that can run here; the toolchains go to `toolchains`.
class ProgramFile {
 public:
  // Reads `row`, which chooses and completes the program.
  using Read = bool (*)(std::size_t number, const Value& row, Program& program);

  Outcome Collect(const std::string& path, Read read, std::string_view why_skipped) {
    return ForEachLine(path, [&](std::size_t number, const Value& row, Outcome& rows) {
      Program program;
      program.language = LanguageOf(row);
      if (program.language == nullptr) {
        rows.Fail("no language " + Show(Get(row, "lang")));
        return;
      }
      program.place = fmt::format("row {} ({})", number, program.language->name);
      program.text = GetText(row, "program");
      program.passes = Get(row, "passed").Truthy();
      if (!read(number, row, program)) {
        rows.Skip(std::string(why_skipped));
      } else if (const std::string& why = WhyMissing(*program.language); !why.empty()) {
        rows.Skip(why);
      } else {
        programs.push_back(std::move(program));
      }
    });
  }

  // Runs them all; what timed out or came out otherwise than its row says runs again alone: how busy the
  // machine is decides nothing.
  Status Run() {
    ASSAY_TRY(const std::unique_ptr<ProcessLauncher> launcher, ProcessLauncher::Open(options_));
    std::vector<std::size_t> indices(programs.size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
    RunAll(*launcher, indices, programs);
    std::erase_if(indices, [&](std::size_t index) {
      const Program& program = programs[index];
      return !program.reply.timed_out && ExitedWell(program.reply) == program.passes;
    });
    for (const std::size_t index : indices) RunAll(*launcher, {index}, programs);
    return Ok();
  }

  // Of the packages that the format puts before its programs, those that are not here.
  std::span<const std::string> AbsentIn(const LanguageRow& language) const {
    const auto found =
        std::find_if(options_.toolchains.begin(), options_.toolchains.end(),
                     [&](const InstalledToolchain& each) { return each.name == language.toolchain; });
    return found == options_.toolchains.end() ? std::span<const std::string>() : found->absent;
  }

  std::vector<Program> programs;

 private:
  const std::string& WhyMissing(const LanguageRow& language) {
    const auto [entry, is_new] = missing_.try_emplace(language.toolchain);
    if (!is_new) return entry->second;
    std::vector<std::string_view> packages;
    for (const InjectedPackage& package : language.injected) packages.push_back(package.name);
    Result<InstalledToolchain> found = ProbeToolchain(language.toolchain, ExecutedPlaces(), packages);
    if (found) {
      options_.toolchains.push_back(std::move(*found));
    } else {
      entry->second = found.error().message;
    }
    return entry->second;
  }

  LauncherOptions options_{.level = {}, .workers = kWorkers, .toolchains = {}};
  std::map<std::string_view, std::string> missing_;  // by toolchain; "" if it is there
};

Outcome RunExecuted(const std::string& path) {
  ProgramFile file;
  const auto read = [](std::size_t number, const Value& row, Program& program) {
    program.name_of_case = GetText(row, "case");
    program.said = GetText(row, "result").substr(0, 100);
    return IsChosen(*program.language, number);
  };
  Outcome outcome = file.Collect(path, read, "every twentieth runs; all of them with ASSAY_EVERY_PROGRAM=1");
  if (const Status ran = file.Run(); !ran) {
    outcome.Skip(ran.error().message);
    return outcome;
  }
  for (const Program& program : file.programs)
    JudgeProgram(program, file.AbsentIn(*program.language), outcome);
  return outcome;
}

// Which programs come to their end, and which only end: {lang, program, passed, reached_end}.
Outcome RunProofs(const std::string& path) {
  ProgramFile file;
  const auto read = [](std::size_t, const Value& row, Program& program) {
    program.reached_end = Get(row, "reached_end").Truthy();
    return true;
  };
  Outcome outcome = file.Collect(path, read, "");
  if (const Status ran = file.Run(); !ran) {
    outcome.Skip(ran.error().message);
    return outcome;
  }
  for (const Program& program : file.programs) {
    const ProcessReply& reply = program.reply;
    JudgeProgram(program, file.AbsentIn(*program.language), outcome);
    outcome.Same(program.place + " reached its end", program.reached_end, reply.reached_end.value_or(false));
  }
  return outcome;
}

}  // namespace

std::span<const GoldenRow> ExecutedRows() {
  static constexpr GoldenRow kRows[] = {{"infibench/v21_programs_*.jsonl", RunExecuted},
                                        {"infibench/proofs.jsonl", RunProofs}};
  return kRows;
}

}  // namespace assay::conformance
