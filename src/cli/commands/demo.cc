// assay demo: an example that the program carries, with recorded answers, run in a folder of its own.
#include <fmt/core.h>

#include <array>
#include <filesystem>

#include "base/text/shell_words.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/embedded.h"
#include "cli/line/command_line.h"
#include "engine/state/known_stores.h"
#include "engine/write/written_files.h"

namespace assay {

namespace {

constexpr std::string_view kSuite = "civic-knowledge.yml";
constexpr std::string_view kRecording = "civic-knowledge.replay.jsonl";

struct DemoFile {
  std::string_view name;
  std::string text;
};

// What is there already has to be the example itself.
Status WriteExample(const std::string& folder) {
  DiskFileReader disk;
  WrittenFiles files(folder, Existing::kRefuse);
  const DemoFile example[] = {{kSuite, std::string(kDemoSuite)}, {kRecording, LargeFile(kDemoRecordingPath)}};
  for (const DemoFile& file : example) {
    const std::string path = fmt::format("{}/{}", folder, file.name);
    if (disk.Exists(path)) {
      ASSAY_TRY(const std::string text, disk.Read(path));
      if (text == file.text) continue;
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} is there already, and is not the example; name another folder: assay "
                               "demo DIR",
                               Printable(path))};
    }
    ASSAY_CHECK_OK(files.Open(file.name));
    ASSAY_CHECK_OK(files.Write(file.text));
    ASSAY_CHECK_OK(files.Close());
  }
  return Ok();
}

// In the folder as it is now.
Result<std::string> PageOfLatest(const Options& run) {
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenForReading({.path = run.granted.store}));
  ASSAY_TRY(const RunRecord record, store->FindRun("latest"));
  std::error_code unknown;
  const std::filesystem::path page =
      std::filesystem::absolute(fmt::format("results/{}/report.html", record.context.run_id), unknown);
  return page.string();
}

struct NextCommand {
  std::string_view words;
  std::string_view help;
};
constexpr NextCommand kNext[] = {
    {"assay show latest --case vote-by-text", "one question: answers, criteria, what each judge said"},
    {"assay compare latest#careful latest#hasty", "which is better, by how much, and is it certain"},
    {"assay init", "a suite of your own, for any one key"},
};

std::string NextText(const std::string& folder) {
  std::string text = fmt::format("to try next:\n  cd {}\n", QuoteWord(Printable(folder)));
  for (const NextCommand& next : kNext) text += fmt::format("  {:<42}  {}\n", next.words, next.help);
  return text;
}

}  // namespace

ExitCode DemoCommand(const Options& options, Ui& ui) {
  const std::string folder = options.arguments.empty() ? std::string(kDemoFolder) : options.arguments.front();
  if (const Status written = WriteExample(folder); !written) {
    ui.Problem(fmt::format("error: {}", written.error().message));
    return ExitCode::kUsage;
  }
  std::error_code problem;
  std::filesystem::current_path(folder, problem);
  if (problem) {
    ui.Problem(fmt::format("error: {} cannot be entered: {}", Printable(folder), problem.message()));
    return ExitCode::kUnfinished;
  }
  // As it stands, whatever the folder above or the environment says.
  Result<Options> run =
      ParseWords(*FindCommand("run"), {std::string(kSuite), "--offline"}, Environment::kIgnore);
  if (!run) {
    ui.Problem(fmt::format("error: {}", run.error().message));
    return ExitCode::kUsage;
  }
  run->shown.quiet = options.shown.quiet;
  run->shown.screen = options.shown.screen;
  const ExitCode code = RunCommand(*run, ui);
  if (code != ExitCode::kDone) return code;
  const Result<std::string> page = PageOfLatest(*run);
  if (page) ui.Out(fmt::format("\nthe page, for a browser: {}\n", Printable(*page)));
  ui.Out(NextText(folder));
  return code;
}

}  // namespace assay
