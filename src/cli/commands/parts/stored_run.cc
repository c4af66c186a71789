// Reads a run's row, its suite and its settings from the store, and folds it into a report.
#include "cli/commands/parts/stored_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands/parts/failure.h"
#include "engine/open/imported.h"
#include "engine/state/known_stores.h"
#include "engine/write/closing.h"
#include "engine/write/reduced_report.h"
#include "plan/answers/retelling.h"
#include "report/fold/fold.h"
#include "store/location.h"

namespace assay {

ExitCode WithStore(const Options& options, Ui& ui, const std::function<ExitCode(Store& store)>& work) {
  const Result<std::unique_ptr<Store>> store = OpenForReading({.path = options.granted.store});
  if (store) return work(**store);
  return FailWith(ui, store.error());
}

bool MeansRun(Store* store, std::string_view name) {
  name = name.substr(0, name.find('#'));
  if (name == "latest") return true;
  if (store == nullptr || name.find('/') != std::string_view::npos) return false;
  const Result<RunRecord> run = store->FindRun(name);
  return run || run.error().code == ErrorCode::kInvalidInput;  // several begin with it
}

bool MeansRun(const Options& options, const std::string& name) {
  std::error_code unseen;
  if (!std::filesystem::exists(FilePartOf(name).file, unseen) || MeansRun(nullptr, name)) return true;
  if (!MayBeThere(options.granted.store)) return false;
  // A store that cannot be read has no run for anyone.
  const Result<std::unique_ptr<Store>> store = OpenForReading({.path = options.granted.store});
  return store && MeansRun(store->get(), name);
}

PassRule PassRuleOfRun(const Options& asked, const RunSpec& made_with, std::string_view dialect) {
  // A file of settings says what holds where the run itself says nothing.
  const auto is_asked_now = [&asked](std::string_view name) {
    const GivenOption* given = asked.Given(name);
    return given != nullptr && !given->is_setting;
  };
  RunSpec spec = asked.spec;
  if (made_with.pass_at && !is_asked_now("--pass-at")) {
    spec.pass_at = made_with.pass_at;
    spec.pass_at_is_setting = made_with.pass_at_is_setting;
  }
  if (made_with.pass_attempts && !is_asked_now("--pass-attempts"))
    spec.pass_attempts = made_with.pass_attempts;
  return PassRuleOf(spec, dialect);
}

namespace {

// Versions before 0.4 knew one kind of thoughts.
bool CountsThoughts(const Report& report) { return report.run.assay_version.starts_with("0.3."); }

}  // namespace

std::string PartToldNote(const Report& report) {
  std::string note;
  if (report.part_told != nullptr && *report.part_told)
    note =
        "another version of assay made some of the answers and stored no words of them; they are shown as "
        "far as this version can tell";
  if (!CountsThoughts(report)) return note;
  return fmt::format(
      "{}{}graded by assay {}, for which thoughts other than one <think> block at the start were part of the "
      "answer; its scores stay as they are, and --fresh makes others",
      note, note.empty() ? "" : "; ", report.run.assay_version);
}

void TellOfForeign(const std::string& run, std::uint64_t replies, Ui& ui) {
  if (replies == 0) return;
  ui.Note(fmt::format("{}: {} that this user did not make", Printable(run), Counted(replies, "reply")));
}

Result<Report> FoldStored(Store& store, const RunRecord& record, const Options& asked) {
  ASSAY_TRY(std::shared_ptr<const Suite> suite, SuiteOf(store, record));
  const std::shared_ptr<const Suite> own = suite;
  suite = WithReducer(std::move(suite), asked.shown.reduce);
  const bool is_reduced = suite != own;
  Retelling retelling = RetellingOf(record.generators);
  retelling.price = PricesBy(ModelBook(asked.granted.settings.models));
  ASSAY_TRY(Report report, Fold(store, record, std::move(suite), std::move(retelling)));
  if (is_reduced) ASSAY_CHECK_OK(TakeMeans(report));
  ASSAY_TRY(const StoreOrigin origin, OriginOf(store, asked.granted.store));
  ASSAY_TRY(report.totals.foreign_replies, CountForeign(store, origin, record, report.totals));
  return report;
}

}  // namespace assay
