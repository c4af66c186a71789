// Cells of a run as they are committed, for pages that stay open.
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>

#include "report/values/json.h"
#include "report/values/pages/run_map.h"
#include "spec/report/cell_grid.h"
#include "store/coordinator.h"
#include "text/json/json.h"
#include "text/object.h"
#include "view/endpoint.h"

namespace assay {

namespace {

constexpr std::size_t kPairsAtOnce = 5'000;  // of one line; the page asks for cells.bin where it is more
constexpr std::int64_t kRateWindowMs = 30'000;
constexpr std::int64_t kSilenceMs = 5'000;  // then a line says for how long nothing came
constexpr std::int64_t kLookMs = 1'000;     // so often the run's own row is read

// One page that listens. Everything it needs of the run is its own: the library may have let go of it.
class CellStream {
 public:
  CellStream(ViewedStore& home, RunRecord record, const Report& report, const PassRule& pass,
             std::int64_t mark, std::uint64_t done, const Clock& clock)
      : home_(home),
        record_(std::move(record)),
        report_(report),
        pass_(pass),
        mark_(mark),
        done_(done),
        clock_(clock) {}

  std::optional<std::string> Next() {
    if (is_ended_) return std::nullopt;
    const std::int64_t now = clock_.WallMs();
    if (now - looked_ms_ >= kLookMs) Look(now);
    Result<RunChanges> changes = home_.store->ChangesSince(record_.context.run_id, mark_);
    if (!changes) return std::nullopt;
    const bool is_new = changes->mark != mark_;
    if (is_new || news_ms_ == 0) news_ms_ = now;
    if (!is_new && has_told_ && !is_ended_ && now - told_ms_ < kSilenceMs) return std::string();
    mark_ = changes->mark;
    std::set<std::pair<CaseIndex, VariantIndex>> pairs;
    for (const PartCells& part : changes->changed) {
      if (part.part != RunPart::kRun) continue;
      done_ += part.cells.size();
      for (const CellIndex cell : part.cells) AddPair(cell, pairs);
    }
    told_ms_ = now;
    has_told_ = true;
    return Line(pairs, now) + (is_ended_ ? "event: end\ndata: {}\n\n" : "");
  }

 private:
  void Look(std::int64_t now) {
    looked_ms_ = now;
    const Result<RunRecord> record = home_.store->FindRun(record_.context.run_id);
    if (record && record->context.run_id == record_.context.run_id) record_ = *record;
    is_live_ = IsWorkedOn(record_, RunsAtWork(*home_.store, home_.path).value_or({}));
    is_ended_ = record_.state == RunState::kFinished;
  }

  void AddPair(CellIndex cell, std::set<std::pair<CaseIndex, VariantIndex>>& pairs) {
    if (!grid_) grid_ = CellGrid::Of(*report_.suite);
    if (!grid_ || cell >= grid_->count()) return;
    const CellAddress at = grid_->At(cell);
    last_attempt_[{at.case_index, at.variant}] = at.attempt;
    pairs.insert({at.case_index, at.variant});
  }

  // The bytes of a pair as they stand now.
  PairBytes::Bytes BytesOf(CaseIndex row, VariantIndex column) const {
    PairBytes pair(*report_.suite, pass_, true);
    const Status walked =
        report_.for_each_cell(CellRange::OfPair(row, column), CellParts::kOutcome, [&pair](const Cell& cell) {
          pair.Add(cell);
          return Ok();
        });
    return walked ? pair.Take() : PairBytes::Bytes{.score = static_cast<std::uint8_t>(CellByte::kPending)};
  }

  std::string Line(const std::set<std::pair<CaseIndex, VariantIndex>>& pairs, std::int64_t now) {
    List cells;
    const bool is_small = pairs.size() <= kPairsAtOnce;
    for (const auto& [row, column] : pairs) {
      if (!is_small) break;
      const PairBytes::Bytes bytes = BytesOf(row, column);
      cells.emplace_back(List{CountValue(row), CountValue(column),
                              CountValue(last_attempt_[{row, column}] + 1ull), CountValue(bytes.score),
                              CountValue(bytes.bits)});
    }
    last_attempt_.clear();
    window_.emplace_back(now, done_);
    while (window_.size() > 1 && now - window_.front().first > kRateWindowMs) window_.pop_front();
    const double seconds = static_cast<double>(now - window_.front().first) / 1e3;
    const double rate = seconds > 0 ? static_cast<double>(done_ - window_.front().second) / seconds : 0;
    const double left = static_cast<double>(record_.cells > done_ ? record_.cells - done_ : 0);
    return fmt::format(
        "id: {}\ndata: {}\n\n", mark_,
        WriteJson(
            Object{
                {"n", CountValue(static_cast<std::uint64_t>(mark_))},
                {"cells", std::move(cells)},
                {"is_whole", is_small},
                {"done", CountValue(std::min<std::uint64_t>(done_, record_.cells))},
                {"planned", CountValue(record_.cells)},
                {"rate", rate > 0 ? Value(rate) : Value(Null{})},
                {"left_ms", rate > 0 && is_live_ ? Value(left / rate * 1e3) : Value(Null{})},
                {"cost_usd", record_.cost ? Value(static_cast<double>(record_.cost->nano_usd) / kNanoPerUsd)
                                          : Value(Null{})},
                // While a call is under way nothing is written: what is known is how many came
                // back, and since when none has.
                {"requests_sent", CountValue(record_.requests_sent)},
                {"quiet_ms", Number(now - news_ms_)},
                {"state", is_ended_  ? "finished"
                          : is_live_ ? "live"
                                     : "unfinished"},
            },
            JsonStyle::kJavaScript));
  }

  ViewedStore& home_;
  RunRecord record_;
  const Report report_;  // its cursors keep the suite
  PassRule pass_;
  std::int64_t mark_;
  std::uint64_t done_;
  const Clock& clock_;
  std::optional<CellGrid> grid_;
  std::map<std::pair<CaseIndex, VariantIndex>, AttemptIndex> last_attempt_;
  std::deque<std::pair<std::int64_t, std::uint64_t>> window_;  // when, and how many were done
  std::int64_t looked_ms_ = 0;
  std::int64_t told_ms_ = 0;
  std::int64_t news_ms_ = 0;  // when something came last, or the page was opened
  bool has_told_ = false;
  bool is_live_ = false;
  bool is_ended_ = false;
};

}  // namespace

Result<Made> MakeEvents(Library& library, const Asked& asked) {
  ASSAY_TRY(const OpenedRun* run, library.Open(asked.names[0]));
  Asked seen = asked;
  if (!seen.last_event.empty()) seen.parameters = {{"n", seen.last_event}};
  ASSAY_TRY(const std::uint64_t from, seen.Number("n", static_cast<std::uint64_t>(run->mark)));
  const auto mark = static_cast<std::int64_t>(from);
  // What the page has seen is done; what came since the mark is told.
  ASSAY_TRY(const RunChanges since, run->home->store->ChangesSince(run->record.context.run_id, mark));
  std::uint64_t told = 0;
  for (const PartCells& part : since.changed) told += part.part == RunPart::kRun ? part.cells.size() : 0;
  const std::uint64_t done = run->map.done - std::min(run->map.done, told);
  const auto stream = std::make_shared<CellStream>(*run->home, run->record, run->report, run->pass, mark,
                                                   done, library.clock());
  return Made{.type = "text/event-stream", .next = [stream] { return stream->Next(); }};
}

}  // namespace assay
