// Folds the store's rows into the report, asks for the executive summary, and evaluates the gates.
#include "engine/write/folded.h"

#include <fmt/core.h>

#include "engine/write/closing.h"
#include "engine/write/pass_rule.h"
#include "engine/write/program_notes.h"
#include "plan/answers/retelling.h"
#include "report/decide/run_statistics.h"
#include "report/fold/fold.h"
#include "report/fold/stored_tables.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

// What a model says of the whole run; the run's record with what that took.
struct Closing {
  Result<ClosingAnswer> reply;
  RunRecord record;
};

// Nobody is asked twice of a run that is up to date, or has another's cells.
bool IsAnswered(const Ran& ran) { return ran.is_up_to_date || ran.record.cells_of != 0; }

Result<std::shared_ptr<const Plan>> ClosingPlanOf(const DialectRow& dialect, const Report& report) {
  if (!dialect.closing)
    return Error{ErrorCode::kUnsupported, fmt::format("nobody sums up a {}", dialect.name)};
  ASSAY_TRY(Suite suite, dialect.closing->ask(report));
  Diagnostics diagnostics;
  std::shared_ptr<const Plan> plan = Plan::Build(std::move(suite), {.part = RunPart::kClosing}, diagnostics);
  ASSAY_ASSERT(plan != nullptr);
  return plan;
}

Closing AskClosing(const RunWorld& world, const Planned& planned, const RunSpec& spec, const Granted& granted,
                   const Report& report, const RunRecord& record, const Onlooker& onlooker) {
  const auto plan = ClosingPlanOf(*planned.dialect, report);
  if (!plan) return {.reply = plan.error(), .record = record};
  const PartOfRun part{.plan = **plan, .toolchains = planned.toolchains};
  Result<Ran> asked = ExecutePlan(world, planned, part, spec, granted, record, onlooker);
  if (!asked) return {.reply = asked.error(), .record = record};
  if (asked->ending == RunEnding::kInterrupted)
    return {.reply = Error{ErrorCode::kCancelled, "stopped"}, .record = std::move(asked->record)};
  return {.reply = ClosingReply(world.store, record.context.run_id), .record = std::move(asked->record)};
}

// What the page needs of a walk over all cells reads more of them than the others do: only where there is a
// page to come, and of a run that this program made whole, which tells its errors as they are stored.
bool WantsMap(const Ran& ran, bool with_page) { return with_page && !ran.is_up_to_date && !ran.resumed; }

// The only walk over all cells for the run's sums, its statistics, its map, and what its dialect makes of it.
Result<Folded> FoldOnce(Store& store, const Planned& planned, const Ran& ran, const RunSpec& spec,
                        const ModelBook& models, bool with_page) {
  const std::shared_ptr<const Suite> suite = SuiteOf(planned.plan);
  const PassRule pass = PassRuleOf(spec, planned.dialect->name);
  StatisticsGatherer statistics(*suite, pass);
  std::optional<MapGatherer> map;
  std::vector<CellGatherer*> gatherers = {&statistics};
  if (WantsMap(ran, with_page)) gatherers.push_back(&map.emplace(*suite, pass, false));
  std::shared_ptr<CellGatherer> gathered;
  if (planned.dialect->gather != nullptr) gathered = planned.dialect->gather(*suite);
  if (gathered != nullptr) gatherers.push_back(gathered.get());
  std::optional<ProgramNotes> notes;
  if (ProgramNotes::AreOf(*suite)) gatherers.push_back(&notes.emplace(*suite));
  Retelling retelling = RetellingOf(ran.record.generators);
  retelling.price = PricesBy(models);
  RunRecord record = ran.record;
  if (!ran.is_up_to_date) record.ending = StoredEnding(ran.ending);
  ASSAY_TRY(Report report, Fold(store, record, suite, std::move(retelling), gatherers));
  report.statistics = ToldUntil(report, statistics.Finish());
  report.gathered = std::move(gathered);
  Folded folded{.record = ran.record, .report = std::move(report), .no_summary = {}};
  if (notes) folded.program_notes = notes->Text();
  if (map) folded.map = map->Finish();
  return folded;
}

}  // namespace

Result<Folded> FoldRun(const RunWorld& world, const Planned& planned, const Ran& ran, const RunSpec& spec,
                       const Granted& granted, const Onlooker& onlooker, bool with_page) {
  ASSAY_TRY(Folded folded, FoldOnce(world.store, planned, ran, spec, world.models, with_page));
  Report& report = folded.report;
  ASSAY_TRY(report.totals.foreign_replies,
            CountForeign(world.store, world.origin, ran.record, report.totals));
  const bool has_tables = AddStoredTables(ran.record, report);
  if (WantsSummary(spec)) {
    Closing closing =
        IsAnswered(ran)
            ? Closing{.reply = ClosingReply(world.store, ran.record.context.run_id), .record = ran.record}
            : AskClosing(world, planned, spec, granted, report, ran.record, onlooker);
    folded.record = std::move(closing.record);
    if (closing.reply) {
      planned.dialect->closing->add(*closing.reply, report);
    } else {
      folded.no_summary = std::move(closing.reply).error();
    }
  }
  if (planned.dialect->tables && !has_tables)
    ASSAY_CHECK_OK(planned.dialect->tables->add(report, CostsBy(world.models)));
  return folded;
}

}  // namespace assay
