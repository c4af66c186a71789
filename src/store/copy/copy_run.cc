// Walks the exchanges and cells of a run in batches, and commits them as a sitting of the other store does.
#include "store/copy/copy_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "spec/report/cell_grid.h"
#include "spec/suite/suite.h"
#include "store/coordinator.h"

namespace assay {

namespace {

constexpr std::size_t kLookedAtAtOnce = 1'024;
constexpr std::size_t kLookedAtBytesMax = 8u << 20;  // of their replies
constexpr std::size_t kKeysAtOnce = 64;
constexpr std::size_t kCopiedAtOnce = 64;  // each may bring media along
constexpr std::size_t kCopiedCellsAtOnce = 256;
constexpr std::size_t kCopiedCellsBytesMax = 8u << 20;  // of their scores, transcripts and marks

// Whether they are one exchange, which was copied before.
bool IsSame(const Exchange& a, const Exchange& b) {
  return a.key == b.key && a.epoch == b.epoch && a.started_ms == b.started_ms &&
         a.duration_us == b.duration_us && a.tries == b.tries && a.error.has_value() == b.error.has_value() &&
         (a.error || EncodeReply(a.reply) == EncodeReply(b.reply));
}

void Uncomplete(std::vector<Exchange>& exchanges) {
  for (Exchange& exchange : exchanges) {
    exchange.request = exchange.raw = {};
    exchange.media.clear();
  }
}

// A copy of what is read of them without Complete.
std::vector<Exchange> Uncompleted(std::vector<Exchange>& exchanges) {
  std::vector<Exchange> light;
  light.reserve(exchanges.size());
  for (Exchange& exchange : exchanges) {
    std::string request = std::move(exchange.request);
    std::string raw = std::move(exchange.raw);
    std::vector<MediaPart> media = std::move(exchange.media);
    light.push_back(exchange);
    exchange.request = std::move(request);
    exchange.raw = std::move(raw);
    exchange.media = std::move(media);
  }
  return light;
}

// What answers the key of an exchange in some store, in the exchange's own epoch.
struct KeyAnswer {
  ExchangeId id = 0;     // 0: nothing does
  bool is_same = false;  // it is this exchange
};

// Per exchange; each key is asked for once, since a store may have many exchanges of one key.
Result<std::vector<KeyAnswer>> AnswersOf(Store& store, std::span<const SizedExchange> exchanges) {
  std::map<std::uint32_t, std::map<Digest, std::vector<std::size_t>>> by_epoch;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const Exchange& exchange = exchanges[i].exchange;
    by_epoch[exchange.epoch][exchange.key].push_back(i);
  }
  std::vector<KeyAnswer> answers(exchanges.size());
  for (const auto& [epoch, by_key] : by_epoch) {
    for (auto next = by_key.begin(); next != by_key.end();) {
      const auto first = next;
      std::vector<Digest> keys;
      for (; next != by_key.end() && keys.size() < kKeysAtOnce; ++next) keys.push_back(next->first);
      ASSAY_TRY(const auto found, store.Find(keys, {epoch, epoch}));
      std::size_t at = 0;
      for (auto key = first; key != next; ++key, ++at) {
        if (!found[at]) continue;
        for (const std::size_t place : key->second)
          answers[place] = {found[at]->id, IsSame(*found[at], exchanges[place].exchange)};
      }
    }
  }
  return answers;
}

}  // namespace

Result<std::vector<Exchange>> RunCopier::Commit(Sitting& sitting, SittingWork work) {
  work.at_ms = now_ms_;
  return to_.Commit(sitting.id, ++sitting.commits, std::move(work));
}

// Null: the run has cells of its own.
Result<const RunRecord*> RunCopier::OwnerOfCells(const RunRecord& run) {
  const std::int64_t number = run.cells_of;
  if (number == 0) return static_cast<const RunRecord*>(nullptr);
  if (!here_) {
    ASSAY_TRY(here_, from_.Runs());
  }
  const auto owner = std::find_if(here_->begin(), here_->end(),
                                  [number](const RunRecord& each) { return each.number == number; });
  if (owner == here_->end())
    return Error{ErrorCode::kCorrupt, fmt::format("the store has no run number {}", number)};
  // One that has another one's cells is never an owner; a ring of them would have no end.
  if (owner->cells_of != 0) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the store is damaged: run {} has no cells of its own", owner->context.run_id)};
  }
  return &*owner;
}

// Of the run whose cells this one has.
Result<std::int64_t> RunCopier::NumberThere(const RunRecord& run) {
  ASSAY_TRY(const RunRecord* owner, OwnerOfCells(run));
  if (owner == nullptr) return std::int64_t{0};
  if (const auto known = numbers_there_.find(owner->number); known != numbers_there_.end())
    return known->second;
  ASSAY_CHECK_OK(Copy(*owner));
  ASSAY_TRY(const RunRecord copied, to_.FindRun(owner->context.run_id));
  numbers_there_[owner->number] = copied.number;
  return copied.number;
}

Status RunCopier::Begin(const RunRecord& run) {
  RunRecord begun = run;
  begun.state = RunState::kUnfinished;  // until all of it is there
  begun.said.clear();                   // it was said of files of another place
  ASSAY_TRY(begun.cells_of, NumberThere(run));
  begun_.push_back(run.context.run_id);
  return to_.BeginRun(begun);
}

Status RunCopier::ReadThere() {
  if (there_) return Ok();
  ASSAY_TRY(std::vector<RunRecord> runs, to_.Runs());
  there_.emplace();
  for (RunRecord& each : runs) {
    std::string id = each.context.run_id;
    const RunState state = each.state;
    there_->emplace(std::move(id), There{.state = state, .before = std::move(each)});
  }
  return Ok();
}

bool RunCopier::IsKeptThere(const RunRecord& run) const {
  const auto known = there_->find(run.context.run_id);
  return known != there_->end() && known->second.before && is_kept_(run, *known->second.before);
}

Status RunCopier::Copy(const RunRecord& run) {
  const std::string& id = run.context.run_id;
  ASSAY_CHECK_OK(ReadThere());
  ASSAY_TRY(const RunRecord* owner, OwnerOfCells(run));
  if (IsKeptThere(run) || (owner != nullptr && IsKeptThere(*owner))) {
    kept_.push_back(id);
    return Ok();
  }
  const auto known = there_->find(id);
  const bool is_there = known != there_->end();
  if (is_there && known->second.state == RunState::kFinished) {
    ++counts_.runs_there;
    return Ok();
  }
  ASSAY_TRY(const RunWork work, WorkOnRun(to_, id));
  if (!work.living.empty())
    return Error{ErrorCode::kRefused, fmt::format("run {} is worked on there: {}", id, SeatsText(work))};
  std::shared_ptr<const Suite> suite;
  RunRecord copied = run;
  if (run.suite) {
    ASSAY_TRY(suite, CopySuite(*run.suite));
    copied.suite = suite_digest_there_;
  }
  if (!is_there) ASSAY_CHECK_OK(Begin(copied));
  if (run.cells_of == 0) {
    for (const RunPartRow& row : kRunParts) ASSAY_CHECK_OK(CopyPart(run, suite.get(), row.part));
  }
  copied.said.clear();
  ASSAY_CHECK_OK(to_.UpdateRun(copied));
  (*there_)[id].state = run.state;
  ++counts_.runs;
  return Ok();
}

// Runs that follow each other are mostly of one suite.
Result<std::shared_ptr<const Suite>> RunCopier::CopySuite(const Digest& digest) {
  if (suite_ != nullptr && suite_digest_ == digest) return suite_;
  ASSAY_TRY(Suite suite, from_.LoadSuite(digest));
  const PackedSuite packed = PackSuite(suite);
  ASSAY_CHECK_OK(to_.SaveSuite(packed));
  suite_digest_ = digest;
  suite_digest_there_ = packed.digest;
  suite_ = std::make_shared<const Suite>(std::move(suite));
  return suite_;
}

Status RunCopier::CopyPart(const RunRecord& run, const Suite* suite, RunPart part) {
  const std::string& id = run.context.run_id;
  ASSAY_TRY(const std::vector<ExchangeId> used, from_.ExchangesOf(id, part));
  Sitting sitting;
  const auto sit = [&]() -> Status {
    if (sitting.id != 0) return Ok();
    ASSAY_TRY(sitting.id, to_.BeginSitting(id, part, now_ms_, run.context.assay_version));
    return Ok();
  };
  // Most runs have nothing in their other parts.
  if (part == RunPart::kRun || !used.empty()) ASSAY_CHECK_OK(sit());
  ASSAY_CHECK_OK(CopyExchanges(sitting, used));
  const std::optional<CellGrid> grid = suite != nullptr ? CellGrid::Of(*suite) : std::nullopt;
  std::vector<CellResult> cells;
  std::size_t bytes = 0;  // of the cells
  const auto write = [&]() -> Status {
    ASSAY_CHECK_OK(sit());
    counts_.cells += cells.size();
    ASSAY_TRY([[maybe_unused]] const auto none, Commit(sitting, {.exchanges = {}, .cells = cells}));
    cells.clear();
    bytes = 0;
    return Ok();
  };
  ASSAY_CHECK_OK(from_.VisitCells(id, part, kEveryCell, [&](const CellResult& cell) -> Status {
    CellResult copy = cell;
    for (StepLink& step : copy.steps) {
      for (ExchangeId& exchange : step.exchanges) {
        const auto there = ids_.find(exchange);
        if (there == ids_.end())
          return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", exchange)};
        exchange = there->second;
      }
    }
    if (cell.outcome && grid && cell.cell < grid->count()) {
      const CellAddress address = grid->At(cell.cell);
      copy.columns = CellColumns{.variant = address.variant,
                                 .attempt = address.attempt,
                                 .outcome = *cell.outcome,
                                 .weight = weight_of_(suite->cases[address.case_index])};
    }
    bytes += copy.scores.size() + (copy.transcript ? copy.transcript->size() : 0) + copy.marks.size();
    cells.push_back(std::move(copy));
    return cells.size() < kCopiedCellsAtOnce && bytes < kCopiedCellsBytesMax ? Ok() : write();
  }));
  return cells.empty() ? Ok() : write();
}

Status RunCopier::CopyExchanges(Sitting& sitting, const std::vector<ExchangeId>& ids) {
  std::vector<ExchangeId> missing;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(missing),
               [this](ExchangeId id) { return !ids_.contains(id); });
  for (std::size_t at = 0; at < missing.size();) {
    const std::size_t count = std::min(kLookedAtAtOnce, missing.size() - at);
    ASSAY_TRY(std::vector<SizedExchange> some,
              from_.GetSome(std::span(missing).subspan(at, count), kLookedAtBytesMax));
    at += some.size();
    ASSAY_CHECK_OK(CopySome(sitting, std::move(some)));
  }
  return Ok();
}

Status RunCopier::CopySome(Sitting& sitting, std::vector<SizedExchange> exchanges) {
  ASSAY_TRY(const auto answers_here, AnswersOf(from_, exchanges));
  ASSAY_TRY(const auto answers_there, AnswersOf(to_, exchanges));
  std::vector<Exchange> missing;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    Exchange& exchange = exchanges[i].exchange;
    const bool answers = exchange.id != 0 && answers_here[i].id == exchange.id;
    if (answers && answers_there[i].is_same) {
      ids_[exchange.id] = answers_there[i].id;
      ++counts_.exchanges_there;
      continue;
    }
    exchange.is_set_aside = !answers || answers_there[i].id != 0;
    exchange.takes_silence = answers;  // an answer without a word is one where its store says so
    missing.push_back(std::move(exchange));
  }
  for (std::size_t at = 0; at < missing.size(); at += kCopiedAtOnce) {
    const auto first = std::make_move_iterator(missing.begin() + static_cast<std::ptrdiff_t>(at));
    const std::size_t count = std::min(kCopiedAtOnce, missing.size() - at);
    ASSAY_CHECK_OK(Keep(sitting, {first, first + static_cast<std::ptrdiff_t>(count)}));
  }
  return Ok();
}

Status RunCopier::Keep(Sitting& sitting, std::vector<Exchange> missing) {
  const Status completed = from_.Complete(missing);
  if (!completed && completed.error().code == ErrorCode::kLimit && missing.size() > 1) {
    const auto half = missing.begin() + static_cast<std::ptrdiff_t>(missing.size() / 2);
    std::vector<Exchange> second(std::make_move_iterator(half), std::make_move_iterator(missing.end()));
    missing.erase(half, missing.end());
    Uncomplete(missing);
    Uncomplete(second);
    ASSAY_CHECK_OK(Keep(sitting, std::move(missing)));
    return Keep(sitting, std::move(second));
  }
  ASSAY_CHECK_OK(completed);
  // Somebody else may answer one of them between the look and the commit: it is kept then beside his.
  while (!missing.empty()) {
    std::vector<Exchange> light = Uncompleted(missing);
    ASSAY_TRY(const std::vector<Exchange> kept, Commit(sitting, {.exchanges = std::move(missing)}));
    missing = std::move(light);
    std::vector<Exchange> beaten;
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (!IsSame(kept[i], missing[i])) {
        missing[i].is_set_aside = true;
        beaten.push_back(std::move(missing[i]));
        continue;
      }
      ids_[missing[i].id] = kept[i].id;
      copied_.emplace_back(missing[i].id, kept[i].id);
      ++counts_.exchanges;
    }
    missing = std::move(beaten);
    ASSAY_CHECK_OK(from_.Complete(missing));
  }
  return Ok();
}

}  // namespace assay
