// Says what happens in a sitting: lines of the format's own where it has such, else a status line.
#include "cli/terminal/views/narrator.h"

#include <fmt/core.h>

#include "cli/terminal/views/run_summary.h"
#include "dialects/habits.h"
#include "engine/choose/run_folder.h"
#include "engine/words.h"
#include "report/decide/factors.h"
#include "text/json/json.h"

namespace assay {

Narrator::Narrator(Ui& ui, const Clock& clock, const RunInput& input, const RunRecord& record)
    : ui_(ui), clock_(clock), input_(input) {
  const DialectRow& dialect = *input.planned.dialect;
  const Suite& suite = input.planned.plan->suite();
  const bool is_orderly = input.options.granted.calls.max_in_flight == 1;
  if (dialect.narration)
    lines_ = dialect.narration->open(
        suite,
        {.names = SpokenNames(suite), .started_ms = record.context.started_ms, .is_orderly = is_orderly});
  if (dialect.rows) rows_.emplace(*dialect.rows, suite, FolderOfRun(dialect, suite, record));
}

Onlooker Narrator::AsOnlooker() {
  Onlooker onlooker{.on_start = [this] { display_.emplace(ui_, clock_, input_.options.shown.progress); },
                    .on_progress = [this](const Progress& progress) { TellProgress(progress); },
                    .on_end = [this](const Executor& executor,
                                     std::optional<SandboxLevel> sandbox) { TellEnd(executor, sandbox); }};
  if (input_.options.shown.progress == ProgressMode::kJson)
    onlooker.on_look = [this](const Value& look) { ui_.Status(WriteJson(look, JsonStyle::kJavaScript)); };
  if (lines_ || rows_) onlooker.on_event = [this](const RunEvent& event) { Tell(event); };
  return onlooker;
}

void Narrator::Tell(const RunEvent& event) {
  if (rows_) rows_->On(event);
  if (lines_) Say(lines_->On(event, clock_.Now()));
}

// A format's own lines stand where its tool has them.
void Narrator::Say(const std::string& lines) {
  if (lines.empty()) return;
  if (HabitsOf(input_.options.spec.compat).progress_on_output) {
    ui_.Out(PrintableLines(lines));
  } else {
    ui_.Note(PrintableLines(std::string_view(lines).substr(0, lines.size() - 1)));
  }
}

void Narrator::TellProgress(const Progress& progress) {
  display_->UpdateElsewhere(progress);
  if (lines_) {
    Say(lines_->After(clock_.Now()));
    if (input_.options.shown.progress != ProgressMode::kJson) return;
  }
  display_->Update(progress);
}

void Narrator::TellEnd(const Executor& executor, std::optional<SandboxLevel> sandbox) {
  display_->End(executor.progress());
  if (sandbox) ui_.Note(fmt::format("programs ran in the sandbox at level {}", SandboxLevelName(*sandbox)));
  // Nobody can be asked again for answers that are recorded.
  const std::string words = input_.options.spec.responses.empty()
                                ? RunWords(input_.options, input_.planned.problems.path)
                                : std::string();
  problems_ += ProblemsOfRun(executor, words);
  if (const std::string notes = NotesOfRun(executor); !notes.empty()) ui_.Note(notes);
}

}  // namespace assay
