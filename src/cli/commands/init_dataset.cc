// The command `assay init dataset FILE`: writes a blueprint for a table, and asks on a terminal where it is
// not sure.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/files/path_names.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/terminal/views/assumed_models.h"
#include "dialects/blueprint/starter/starter.h"
#include "engine/network/provider_keys.h"
#include "engine/signals.h"
#include "engine/words.h"
#include "engine/write/written_files.h"

namespace assay {

namespace {

constexpr std::string_view kEcho = "echo:first";

// "questions" of "questions.csv.gz".
std::string StemOfFile(std::string_view path) {
  std::string_view name = FileNameOf(path);
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return std::string(StemOf(name));
}

// A number of the list, or nothing for the guess. Whatever else is typed is asked for again.
std::size_t ChosenByUser(Ui& ui, std::string_view question, const std::vector<std::string>& choices,
                         std::size_t guess) {
  std::string text = fmt::format("{}\n", Printable(question));
  for (std::size_t i = 0; i < choices.size(); ++i)
    text += fmt::format("  {}  {}{}\n", i + 1, Printable(choices[i]), i == guess ? "  (the guess)" : "");
  const UsualSignals usual;
  for (;;) {
    ui.Problem(fmt::format("{}a number, or Enter for {}:", text, guess + 1));
    std::array<char, 64> line{};
    if (std::fgets(line.data(), line.size(), stdin) == nullptr || line[0] == '\n') return guess;
    char* end = nullptr;
    const unsigned long number = std::strtoul(line.data(), &end, 10);
    if (end != line.data() && number >= 1 && number <= choices.size()) return number - 1;
  }
}

std::string NextStep(const std::string& path, const blueprint::TableStarter& starter, bool has_key) {
  const bool can_run = has_key || !starter.needs_judge;
  std::string next = fmt::format("next: assay check {0}{1}", Printable(path),
                                 can_run ? fmt::format(" && assay run {}", Printable(path)) : "");
  if (!can_run) next += "; its criteria need a judge: `assay doctor --all` lists the keys of providers";
  return next;
}

void Tell(const blueprint::TableStarter& starter, std::string_view table, Ui& ui) {
  ui.Note(Printable(fmt::format("{}: {}; {}", table, Counted(starter.rows, "row"), starter.columns)));
  for (const std::string& fault : starter.faults) ui.Note(Printable(fault));
  for (const std::string& guess : starter.guesses) ui.Note(Printable("guess: " + guess));
}

}  // namespace

ExitCode InitDatasetCommand(const Options& options, Ui& ui) {
  if (options.arguments.size() < 2) {
    ui.Problem("error: expected a table: assay init dataset questions.csv");
    return ExitCode::kUsage;
  }
  const std::string& path = options.arguments[1];
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const std::string stem = StemOfFile(path);
  const std::string written = folder + stem + ".yml";
  DiskFileReader disk;
  if (disk.Exists(written)) {
    ui.Problem(fmt::format("error: {} is there already; rename or delete it first", Printable(written)));
    return ExitCode::kUsage;
  }
  SourceFiles sources;
  Diagnostics diagnostics;
  blueprint::AskUser ask;
  if (CanAskUser()) {
    ask = [&ui](std::string_view question, const std::vector<std::string>& choices, std::size_t guess) {
      return ChosenByUser(ui, question, choices, guess);
    };
  }
  const std::string key = ModelOfSetKeys();
  const std::optional<blueprint::TableStarter> starter =
      blueprint::StarterOfTable({.path = path,
                                 .named = FileNameOf(path),
                                 .title = stem,
                                 .encoding = options.command.encoding,
                                 .model = key.empty() ? kEcho : std::string_view(key),
                                 .has_key = !key.empty(),
                                 .files = disk,
                                 .sources = sources,
                                 .ask = ask},
                                diagnostics);
  if (!starter) {
    ui.Problem(FormatDiagnostics(diagnostics, sources));
    const auto is_encoding = [](const Diagnostic& each) { return each.code == "dataset.encoding"; };
    if (std::any_of(diagnostics.All().begin(), diagnostics.All().end(), is_encoding)) {
      ui.Problem(
          fmt::format("spreadsheets often write windows-1252: "
                      "assay init dataset {} --encoding windows-1252",
                      Printable(path)));
    }
    ui.Problem("nothing was written");
    return ExitCode::kUsage;
  }
  WrittenFiles files(folder.empty() ? "." : folder, Existing::kRefuse);
  const auto write = [&]() -> Status {
    ASSAY_CHECK_OK(files.Open(stem + ".yml"));
    ASSAY_CHECK_OK(files.Write(starter->text));
    return files.Close();
  };
  if (const Status done = write(); !done) return FailWith(ui, done.error());
  Tell(*starter, path, ui);
  ui.Note(fmt::format("wrote {}", Printable(written)));
  if (key.empty()) ui.Note(fmt::format("no key of a provider is set, so the suite asks {}", kEcho));
  ui.Note(NextStep(written, *starter, !key.empty()));
  return ExitCode::kDone;
}

}  // namespace assay
