// The command `assay export`: writes a stored run, or another tool's result file, in another format as one
// file.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/contenders.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/terminal/remarks.h"
#include "engine/open/loaded.h"
#include "engine/state/known_stores.h"
#include "engine/write/closing.h"
#include "engine/write/written_files.h"
#include "report/decide/factors.h"
#include "report/export.h"
#include "report/fold/stored_summary.h"
#include "report/import/imported_run.h"
#include "spec/suite/suite.h"
#include "store/store.h"

namespace assay {

namespace {

// Standard output as the one file that is written; on a terminal, without what this would obey.
class OutSink final : public Sink {
 public:
  OutSink(Ui& ui, bool is_terminal) : ui_(ui), is_terminal_(is_terminal) {}
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    if (!is_terminal_) {
      ui_.Out(bytes);
      return Ok();
    }
    line_ += bytes;
    if (const std::size_t end = line_.rfind('\n'); end != std::string::npos) {
      Show(std::string_view(line_).substr(0, end + 1));
      line_.erase(0, end + 1);
    }
    return Ok();
  }
  Status Close() override {
    Show(line_);
    line_.clear();
    if (is_changed_)
      ui_.Note("control characters are escaped on a terminal: -o FILE writes them as they are");
    return Ok();
  }

 private:
  void Show(std::string_view lines) {
    const std::string shown = PrintableLines(lines);
    is_changed_ = is_changed_ || shown != lines;
    ui_.Out(shown);
  }

  Ui& ui_;
  bool is_terminal_;
  bool is_changed_ = false;
  std::string line_;
};

Error NoFormat(std::string_view format) {
  std::vector<std::string_view> names;
  std::string all;
  for (const ExportRow& row : ExportTable()) {
    names.push_back(row.name);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", row.name);
  }
  if (format.empty()) return {ErrorCode::kInvalidInput, fmt::format("--to says in which format: {}", all)};
  const std::string_view near = DidYouMean(format, names);
  return {ErrorCode::kInvalidInput,
          near.empty() ? fmt::format("there is no exporter {}; there is {}", Quoted(format), all)
                       : fmt::format("there is no exporter {}; did you mean {}?", Quoted(format), near)};
}

// What to write of the run: the variant behind `#`, if there is one, by the run's own pass mark.
Result<ExportAsk> AskOf(const ExportRow& row, const RunRecord& record, const Report& report,
                        const std::string& part, const Options& options) {
  ExportAsk ask{.all_cases = options.command.all};
  ASSAY_TRY(const RunSpec made_with, DecodeRunSpec(record.spec));
  ask.pass = PassRuleOfRun(options, made_with, record.dialect);
  const std::vector<Variant>& variants = report.suite->variants;
  if (!part.empty()) {
    ASSAY_TRY(ask.variant, FindVariant(*report.suite, part, "the run"));
  } else if (row.of_one_variant && variants.size() > 1) {
    std::string ids;
    for (const std::string& name : SpokenNames(*report.suite)) ids += fmt::format("\n  {}", Printable(name));
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("a file of {} holds one variant, and the run has {}; name one as {}#PART, a part of "
                    "its id:{}",
                    row.name, variants.size(), record.context.run_id, ids)};
  }
  return ask;
}

// Gates were decided when the run ended. " …" where the rule of passing was another one then, else "".
Result<std::string> OtherRuleText(const RunRecord& record, const Suite& suite, const PassRule& now) {
  ASSAY_TRY(const RunSpec made_with, DecodeRunSpec(record.spec));
  const PassRule then = PassRuleOf(made_with, record.dialect);
  if (then == now) return std::string();
  return fmt::format(" (Decided with the run's own rule: a case passes if {}; an attempt passes with {}.)",
                     ShareWords(then), MarkWords(then, suite));
}

Status WriteExport(const ExportRow& row, const Report& report, const ExportAsk& ask, const std::string& path,
                   Ui& ui) {
  if (path.empty()) {
    OutSink out(ui, isatty(STDOUT_FILENO) == 1);
    return Export(row, report, ask, row.file, out);
  }
  const std::filesystem::path target(path);
  const std::string folder = target.parent_path().empty() ? "." : target.parent_path().string();
  WrittenFiles files(folder, Existing::kReplace);
  ASSAY_CHECK_OK(Export(row, report, ask, target.filename().string(), files));
  ui.Note(fmt::format("wrote {}", Printable(path)));
  return Ok();
}

// Results that another tool wrote, in another format again.
Status ExportFile(const ExportRow& row, const Report& report, const std::string& part, const Options& options,
                  Ui& ui) {
  RunRecord record;
  record.context = report.run;
  ASSAY_TRY(const ExportAsk ask, AskOf(row, record, report, part, options));
  return WriteExport(row, report, ask, options.command.output, ui);
}

Status ExportRun(const Options& options, Ui& ui) {
  const ExportRow* row = FindExport(options.command.format);
  if (row == nullptr) return NoFormat(options.command.format);
  if (options.command.all && row->name != "html")
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--all belongs to --to html: {} holds all cases without it", row->name)};
  const RunName named = RunNameOf(options.arguments.front());
  const std::string part = named.variant.value_or("");
  std::shared_ptr<const ImportedRun> file;
  if (!MeansRun(options, named.text)) {
    ASSAY_TRY(file, RunOfFile(named.run, AllowedPaths(options.granted), part));
  }
  if (file != nullptr) {
    TellRemarks(named.run, file->remarks, ui);
    return ExportFile(*row, file->report, file->is_part ? std::string() : part, options, ui);
  }
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenForReading({.path = options.granted.store}));
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store->BeginReading());
  ASSAY_TRY(const RunRecord record, store->FindRun(named.run));
  ASSAY_TRY(Report report, FoldStored(*store, record, options));
  ASSAY_CHECK_OK(AddDialectParts(*store, record, ModelBook(options.granted.settings.models), report));
  if (record.state != RunState::kFinished)
    ui.Note(fmt::format("run {} is not finished: what it lacks is shown as skipped", record.context.run_id));
  TellOfForeign(record.context.run_id, report.totals.foreign_replies, ui);
  ASSAY_TRY(ExportAsk ask, AskOf(*row, record, report, part, options));
  ask.gates = GatesOfSummary(record.summary);
  ASSAY_TRY(const std::string rule, OtherRuleText(record, *report.suite, ask.pass));
  for (GateResult& gate : ask.gates) gate.line += rule;
  ask.record = &record;
  if (ask.variant) {
    std::erase_if(ask.gates, [&](const GateResult& gate) {
      return gate.variant != report.suite->variants[*ask.variant].id;
    });
  }
  ASSAY_CHECK_OK(WriteExport(*row, report, ask, options.command.output, ui));
  if (const std::string note = PartToldNote(report); !note.empty()) ui.Note(note);
  return Ok();
}

}  // namespace

ExitCode ExportCommand(const Options& options, Ui& ui) {
  const Status exported = ExportRun(options, ui);
  return exported ? ExitCode::kDone : FailWith(ui, exported.error());
}

}  // namespace assay
