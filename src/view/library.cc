// Folds runs when they are asked for, and keeps the last few.
#include "view/library.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "report/decide/factors.h"
#include "report/decide/run_statistics.h"
#include "report/fold/cell_counts.h"
#include "report/fold/fold.h"
#include "report/fold/stored_summary.h"
#include "report/fold/stored_tables.h"
#include "spec/suite/suite.h"
#include "store/coordinator.h"
#include "store/location.h"

namespace assay {

namespace {

constexpr std::size_t kOpenedMax = 6;
constexpr CellIndex kNewsCellsMax = 50'000;  // of larger runs the list tells what somebody opened

// "15 Nov", in a zone that is so far ahead of UTC.
std::string DayOf(std::int64_t ms, std::int32_t utc_offset_min) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::int64_t kMsPerSecond = 1000;
  constexpr std::int64_t kSecondsPerMinute = 60;
  const auto seconds = static_cast<std::time_t>(ms / kMsPerSecond + utc_offset_min * kSecondsPerMinute);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{} {}", parts.tm_mday,
                     kMonths[static_cast<std::size_t>(parts.tm_mon) % kMonths.size()]);
}

VariantSummary SumOf(const Report& report) {
  VariantSummary sum;
  for (const VariantSummary& each : report.variants) {
    sum.cells += each.cells;
    sum.scored += each.scored;
    sum.unscored += each.unscored;
    sum.errors += each.errors;
    sum.skipped += each.skipped;
    sum.partial += each.partial;
  }
  return sum;
}

RunNews NewsOfRun(const OpenedRun& run) {
  const Suite& suite = *run.report.suite;
  RunNews news;
  news.cases = suite.cases.size();
  news.variants = suite.variants.size();
  news.attempts = suite.attempts;
  news.done = run.map.done;
  news.counts = SumOf(run.report);
  const Standings& standings = run.report.statistics->standings;
  if (standings.sentences.empty() || standings.ranking.places.empty()) return news;
  news.sentence = standings.sentences.front().text;
  const bool of_models = standings.sentences.front().about == VerdictSentence::About::kModels;
  const RankPlace& first =
      of_models ? standings.model_ranking.places.front() : standings.ranking.places.front();
  news.leader = of_models ? standings.models.spoken[first.variant] : SpokenNames(suite)[first.variant];
  news.mean = first.estimate.mean;
  news.value = standings.scores.title;
  news.plain_mean =
      of_models ? PlainMeanOfModel(standings, first.variant) : PlainMeanOf(standings.scores, first.variant);
  news.pass_rate = of_models ? PassRateOfModel(*run.report.statistics, first.variant).mean
                             : PassRateOf(*run.report.statistics, std::span(&first.variant, 1)).mean;
  news.interval = first.estimate.interval;
  return news;
}

std::string TagOf(const RunRecord& record, std::int64_t mark) {
  return fmt::format("{}-{}-{}", record.number, mark, record.finished_ms);
}

}  // namespace

bool IsWorkedOn(const RunRecord& run, std::span<const std::string> at_work) {
  return run.state != RunState::kFinished &&
         std::find(at_work.begin(), at_work.end(), run.context.run_id) != at_work.end();
}

std::string BoardOf(const RunRecord& run) { return run.title.empty() ? run.source : run.title; }

std::string OpenedRun::Tag() const { return TagOf(record, mark) + (is_live ? "-live" : ""); }

PageFacts OpenedRun::Facts() const {
  return {.record = record,
          .cost = cost,
          .pass = pass,
          .store = ShownLocation(home->path),
          .board = BoardOf(record),
          .records = static_cast<std::uint64_t>(mark),
          .is_live = is_live,
          .earlier = earlier,
          .gates = GatesOfSummary(record.summary),
          .statistics = *report.statistics,
          .map = map};
}

Library::Library(std::vector<ViewedStore> stores, ViewPowers powers, const Clock& clock)
    : stores_(std::move(stores)), powers_(std::move(powers)), clock_(clock) {}

Result<std::vector<ListedRun>> Library::Runs() {
  std::vector<ListedRun> all;
  for (ViewedStore& home : stores_) {
    ASSAY_TRY(std::vector<RunRecord> records, home.store->Runs());
    const std::vector<std::string> at_work = RunsAtWork(*home.store, home.path).value_or({});
    const MarkedRows marks = MadeElsewhere(home);
    for (RunRecord& record : records) {
      const bool is_live = IsWorkedOn(record, at_work);
      const bool is_foreign = IsMarkedRun(marks.runs, record);
      all.push_back(
          {.home = &home, .record = std::move(record), .is_live = is_live, .is_foreign = is_foreign});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const ListedRun& a, const ListedRun& b) {
    return a.record.context.started_ms > b.record.context.started_ms;
  });
  return all;
}

MarkedRows Library::MadeElsewhere(const ViewedStore& home) const {
  return powers_.made_elsewhere ? powers_.made_elsewhere(*home.store, home.path) : MarkedRows();
}

Result<Library::Place> Library::Find(std::string_view id) {
  for (ViewedStore& home : stores_) {
    Result<RunRecord> record = home.store->FindRun(id);
    // What begins like an id is no id.
    if (record && record->context.run_id == id) return Place{.home = &home, .record = *std::move(record)};
    if (!record && record.error().code != ErrorCode::kNotFound &&
        record.error().code != ErrorCode::kInvalidInput)
      return std::move(record).error();
  }
  return Error{ErrorCode::kNotFound, fmt::format("there is no run {}", id)};
}

std::optional<EarlierRun> Library::EarlierOf(const Place& place) const {
  const Result<std::vector<RunRecord>> records = place.home->store->Runs();
  if (!records) return std::nullopt;
  const RunRecord* earlier = nullptr;
  const MarkedRows marks = MadeElsewhere(*place.home);
  const bool is_foreign = IsMarkedRun(marks.runs, place.record);
  for (const RunRecord& record : *records) {
    const bool is_before = record.number < place.record.number && record.state == RunState::kFinished;
    const bool is_of_same_maker = IsMarkedRun(marks.runs, record) == is_foreign;
    if (is_before && is_of_same_maker && BoardOf(record) == BoardOf(place.record)) earlier = &record;
  }
  if (earlier == nullptr) return std::nullopt;
  const bool is_alike = earlier->plan_digest == place.record.plan_digest ||
                        (earlier->suite && earlier->suite == place.record.suite);
  const std::int64_t started_ms = earlier->context.started_ms;
  const std::int32_t offset_min = powers_.utc_offset_min ? powers_.utc_offset_min(started_ms) : 0;
  return EarlierRun{
      .id = earlier->context.run_id, .started = DayOf(started_ms, offset_min), .is_alike = is_alike};
}

Result<std::unique_ptr<OpenedRun>> Library::Read(const Place& place, std::int64_t mark) {
  auto run = std::make_unique<OpenedRun>();
  Store& store = *place.home->store;
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store.BeginReading());
  run->home = place.home;
  run->record = place.record;
  run->mark = mark;
  std::shared_ptr<const Suite> suite;
  if (powers_.suite) {
    ASSAY_TRY(suite, powers_.suite(store, run->record));
  }
  ASSAY_TRY(run->report, Fold(store, run->record, std::move(suite),
                              powers_.retelling ? powers_.retelling(run->record) : Retelling()));
  AddStoredTables(run->record, run->report);
  if (powers_.pass) run->pass = powers_.pass(run->record);
  if (powers_.cost) {
    ASSAY_TRY(run->cost, powers_.cost(store, run->record));
  } else if (run->record.cost) {
    run->cost = *run->record.cost;
  }
  if (powers_.foreign) {
    ASSAY_TRY(run->report.totals.foreign_replies,
              powers_.foreign(store, place.home->path, run->record, run->report.totals));
  }
  const bool is_open = run->record.state != RunState::kFinished;
  run->is_live = IsWorkedOn(run->record, RunsAtWork(store, place.home->path).value_or({}));
  ASSAY_CHECK_OK(CanReduce(*run->report.suite));
  StatisticsGatherer statistics(*run->report.suite, run->pass);
  MapGatherer map(*run->report.suite, run->pass, is_open);
  CellGatherer* const gatherers[] = {&statistics, &map};
  ASSAY_CHECK_OK(GatherCells(run->report, gatherers));
  run->report.statistics = statistics.Finish();
  run->map = map.Finish();
  run->earlier = EarlierOf(place);
  return run;
}

Result<OpenedRun*> Library::Open(std::string_view id) {
  ASSAY_TRY(const Place place, Find(id));
  const auto known = std::find_if(opened_.begin(), opened_.end(), [&](const std::unique_ptr<OpenedRun>& run) {
    return run->home == place.home && run->record.context.run_id == id;
  });
  const std::int64_t from = known == opened_.end() ? 0 : (*known)->mark;
  ASSAY_TRY(const RunChanges changes, place.home->store->ChangesSince(std::string(id), from));
  if (known != opened_.end()) {
    const bool is_same = TagOf(place.record, changes.mark) == TagOf((*known)->record, (*known)->mark);
    std::rotate(opened_.begin(), known, known + 1);
    if (is_same) {
      opened_.front()->is_live =
          IsWorkedOn(place.record, RunsAtWork(*place.home->store, place.home->path).value_or({}));
      return opened_.front().get();
    }
    opened_.erase(opened_.begin());
  }
  ASSAY_TRY(std::unique_ptr<OpenedRun> run, Read(place, changes.mark));
  opened_.insert(opened_.begin(), std::move(run));
  if (opened_.size() > kOpenedMax) opened_.pop_back();
  news_[std::string(id)] = {.tag = TagOf(place.record, changes.mark), .news = NewsOfRun(*opened_.front())};
  return opened_.front().get();
}

const RunNews* Library::NewsOf(const ListedRun& listed) {
  const std::string& id = listed.record.context.run_id;
  const auto found = news_.find(id);
  const bool is_finished = listed.record.state == RunState::kFinished;
  const bool is_known =
      found != news_.end() &&
      (is_finished ? found->second.tag.ends_with(fmt::format("-{}", listed.record.finished_ms)) : false);
  if (!is_known && listed.record.cells <= kNewsCellsMax) {
    const Result<OpenedRun*> run = Open(id);
    // A run that cannot be read is still a row of the list.
    if (!run) news_[id] = {.tag = TagOf(listed.record, 0), .news = {}};
  }
  const auto now = news_.find(id);
  return now == news_.end() || !now->second.news ? nullptr : &*now->second.news;
}

}  // namespace assay
