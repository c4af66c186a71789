// PostgresStore: commits. Of equal requests that several processes asked the first answer counts: the index
// of reusable exchanges lets one in, and whoever comes second goes on with that.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "store/cell_rows.h"
#include "store/column_fields.h"
#include "store/location.h"
#include "store/packed/packed_request.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"
#include "store/sqlite/schema.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

constexpr std::int64_t kIdsPerBlock = 1'024;
constexpr std::size_t kRowsAtOnce = 1'024;
constexpr int kTriesMax = 20;  // of what the server asks to repeat
constexpr int kRoundsMax = 8;  // of answers that are removed while another one is kept
// All that is read on the way is found by a key, whatever a planner takes a young table for; nothing of it
// takes so long that it were worth a program of its own; and a process that stands still keeps no locks.
constexpr const char* kBegin =
    "BEGIN; SET LOCAL synchronous_commit = on; SET LOCAL enable_seqscan = off; SET LOCAL jit = off; SET "
    "LOCAL idle_in_transaction_session_timeout = '20s'";
// Held by who prunes, shared by who keeps what points to older exchanges.
constexpr const char* kShareExchanges = "SELECT pg_advisory_xact_lock_shared(1095980889, 2)";

using KeyInEpoch = std::pair<Digest, std::uint32_t>;
KeyInEpoch KeyOf(const Exchange& exchange) { return {exchange.key, exchange.epoch}; }

}  // namespace

bool PostgresStore::MayTryAgain(int tries, double& waited_s) {
  if (!database_.IsLost()) return database_.MayRepeat() && tries < kTriesMax;
  constexpr double kFirstWaitS = 0.1;
  constexpr double kWaitMaxS = 5;
  constexpr double kToldAfterS = std::chrono::duration<double>(kSlowServerAfter).count();
  SystemClock clock;
  double wait_s = kFirstWaitS;
  while (!database_.Reconnect()) {
    if (waited_s >= lost_s_) return false;
    wait_s = std::min({2 * wait_s, kWaitMaxS, std::max(lost_s_ - waited_s, kFirstWaitS)});
    BoundedQueue<bool> nothing(1);
    clock.Wait(nothing, clock.Now() + std::chrono::duration_cast<std::chrono::microseconds>(
                                          std::chrono::duration<double>(wait_s)));
    const bool was_short = waited_s < kToldAfterS;
    waited_s += wait_s;
    if (const SlowServerTeller tell = WhoTellsOfSlowServers(); tell && was_short && waited_s >= kToldAfterS)
      tell(database_.shown(), std::chrono::seconds(std::llround(waited_s)));
  }
  run_rows_.clear();
  // What cannot be claimed again, another one may ask too: its answer is kept once.
  static_cast<void>(ClaimAgain().has_value());
  return tries < kTriesMax;
}

Status PostgresStore::InTransaction(const std::function<Status()>& work) {
  return Repeating([&]() -> Status {
    ASSAY_CHECK_OK(database_.Execute(kBegin));
    ++within_;
    Status done = work();
    --within_;
    if (done) done = database_.Execute("COMMIT");
    // The transaction may be gone already; what matters is that none of it stays, and what went wrong first.
    if (!done && !database_.IsLost()) {
      const bool may_repeat = database_.MayRepeat();
      static_cast<void>(database_.Execute("ROLLBACK").has_value());
      database_.SetMayRepeat(may_repeat);
    }
    return done;
  });
}

Result<std::vector<Exchange>> PostgresStore::Commit(SittingId sitting, std::uint64_t number,
                                                    SittingWork work) {
  std::vector<Exchange> counting;
  std::vector<std::optional<Exchange>> winners;
  bool was_there = false;
  bool is_displaced = false;
  Status done = InTransaction([&]() -> Status {
    winners.assign(work.exchanges.size(), std::nullopt);
    ASSAY_TRY(const SittingRow row, LockSitting(sitting));
    was_there = number <= row.commits;
    if (was_there) {
      ASSAY_TRY(counting, CommittedAs(sitting, number));
      return Ok();
    }
    // What was paid for is kept. The cells are somebody else's now.
    if (is_displaced = row.is_displaced; is_displaced) work.cells = {};
    ASSAY_CHECK_OK(WriteExchanges(work.exchanges, winners));
    ASSAY_CHECK_OK(CheckLinks(work.cells));
    ASSAY_CHECK_OK(WriteCells(row, work.cells));
    if (seat_ && !work.exchanges.empty()) ASSAY_CHECK_OK(FreeClaimsOf(work.exchanges));
    return WriteChange(sitting, number, row, work, winners);
  });
  if (!done) {
    uncommitted_ = std::move(work.exchanges);
    return std::move(done).error();
  }
  if (is_displaced)
    return Error{ErrorCode::kRefused, "another process has taken this one's place in the run"};
  if (was_there) return counting;
  for (std::size_t i = 0; i < winners.size(); ++i) {
    if (winners[i]) work.exchanges[i] = *std::move(winners[i]);
  }
  return std::move(work.exchanges);
}

// Two commits of one sitting, one of them sent again, go one after the other; and none goes while its seat is
// given to somebody else.
Result<PostgresStore::SittingRow> PostgresStore::LockSitting(SittingId sitting) {
  ASSAY_TRY(PgStatement select,
            database_.Prepare("SELECT run, part, commits, seat FROM sitting WHERE number = ?1 FOR UPDATE"));
  select.Bind(1, sitting);
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no sitting {}", sitting)};
  SittingRow found{
      .run = select.Int(0),
      .part = static_cast<RunPart>(std::clamp<std::int64_t>(select.Int(1), 0, kRunPartCount - 1)),
      .commits = static_cast<std::uint64_t>(select.Int(2))};
  if (select.IsNull(3)) return found;
  found.seat = select.Int(3);
  ASSAY_TRY(PgStatement seat,
            database_.Prepare("SELECT 1 FROM seat WHERE number = ?1 AND ended_at IS NULL FOR SHARE"));
  seat.Bind(1, *found.seat);
  ASSAY_TRY(const bool lives, seat.Step());
  found.is_displaced = !lives;
  return found;
}

// Whoever waits for them finds the answers, or asks himself.
Status PostgresStore::FreeClaimsOf(std::span<const Exchange> exchanges) {
  std::vector<Digest> keys;
  for (const Exchange& exchange : exchanges) keys.push_back(exchange.key);
  return FreeClaims(keys, exchanges.front().epoch);
}

Result<std::vector<Exchange>> PostgresStore::CommittedAs(SittingId sitting, std::uint64_t number) {
  ASSAY_TRY(PgStatement select,
            database_.Prepare("SELECT exchanges FROM change WHERE sitting = ?1 AND commit_number = ?2"));
  select.Bind(1, sitting).Bind(2, static_cast<std::int64_t>(number));
  ASSAY_TRY(const bool found, select.Step());
  if (!found) return Error{ErrorCode::kNotFound, fmt::format("the sitting has no commit {}", number)};
  ASSAY_TRY(const std::vector<ExchangeId> ids, DecodeNumbers(select.Text(0)));
  return Get(ids);
}

// Ids name rows and say nothing of their order: each writer takes them from blocks of its own.
Result<ExchangeId> PostgresStore::NextId() {
  if (next_id_ == end_id_) {
    ASSAY_TRY(const std::int64_t block, NumberOf("SELECT nextval('exchange_block')"));
    next_id_ = static_cast<ExchangeId>((block - 1) * kIdsPerBlock + 1);
    end_id_ = next_id_ + kIdsPerBlock;
    blocks_.insert(next_id_);
  }
  return next_id_++;
}

bool PostgresStore::IsOwnId(ExchangeId id) const {
  const auto after = blocks_.upper_bound(id);
  return after != blocks_.begin() && id < *std::prev(after) + kIdsPerBlock;
}

Status PostgresStore::WriteExchanges(std::vector<Exchange>& exchanges,
                                     std::vector<std::optional<Exchange>>& winners) {
  std::vector<Entry> plain;    // that answer nothing again: all of them are kept
  std::vector<Entry> waiting;  // that may
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    ASSAY_TRY(exchanges[i].id, NextId());
    (exchanges[i].Reusable() ? waiting : plain).push_back({&exchanges[i], &winners[i]});
  }
  ASSAY_CHECK_OK(MarkExchanges(exchanges));
  ASSAY_TRY([[maybe_unused]] const std::set<ExchangeId> all, Insert(plain, false));
  // Of equal ones the first is there before the next is looked at.
  while (!waiting.empty()) {
    std::vector<Entry> distinct;
    std::vector<Entry> later;
    std::set<KeyInEpoch> keys;
    for (const Entry& each : waiting)
      (keys.insert(KeyOf(*each.exchange)).second ? distinct : later).push_back(each);
    ASSAY_CHECK_OK(WriteDistinct(std::move(distinct)));
    waiting = std::move(later);
  }
  for (const Exchange& exchange : exchanges) ASSAY_CHECK_OK(WriteMedia(exchange));
  return Ok();
}

Status PostgresStore::WriteDistinct(std::vector<Entry> entries) {
  std::vector<Entry> losers;
  std::vector<ExchangeId> beaten;
  for (int round = 0; !entries.empty(); ++round) {
    if (round == kRoundsMax)
      return Error{ErrorCode::kIo, "answers of the store are removed as fast as they are kept"};
    ASSAY_TRY(const std::set<ExchangeId> inserted, Insert(entries, false));
    std::erase_if(entries, [&](const Entry& each) { return inserted.contains(each.exchange->id); });
    if (entries.empty()) break;
    ASSAY_TRY(const auto kept, WinnersOf(entries));
    beaten.clear();
    std::erase_if(entries, [&](const Entry& each) {
      const auto winner = kept.find(KeyOf(*each.exchange));
      if (winner == kept.end()) return false;  // removed meanwhile
      if (!winner->second.CountsBefore(*each.exchange)) {
        beaten.push_back(winner->second.id);
        return false;
      }
      *each.winner = winner->second;
      losers.push_back(each);
      return true;
    });
    ASSAY_CHECK_OK(SetAside(beaten));
  }
  ASSAY_TRY([[maybe_unused]] const std::set<ExchangeId> all, Insert(losers, true));
  return Ok();
}

Result<std::set<ExchangeId>> PostgresStore::Insert(std::vector<Entry> entries, bool as_losers) {
  std::set<ExchangeId> inserted;
  // Two transactions that take the same keys in the same order never wait for each other in a ring.
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return KeyOf(*a.exchange) < KeyOf(*b.exchange); });
  const std::string names = InsertedExchangeColumns();
  std::string values = names;
  constexpr std::string_view kReusable = ", reusable,";
  if (as_losers) values.replace(values.find(kReusable), kReusable.size(), ", 0,");
  for (std::size_t at = 0; at < entries.size(); at += kRowsAtOnce) {
    const auto some = std::span(entries).subspan(at, std::min(kRowsAtOnce, entries.size() - at));
    PgArray ids;
    PgArrays columns;
    RequestPacker packer;
    for (const Entry& each : some) {
      const Exchange& exchange = *each.exchange;
      ids.Add(static_cast<std::int64_t>(exchange.id));
      const std::string reply = exchange.error ? std::string() : EncodeReply(exchange.reply);
      BindExchange(exchange, reply, packer.Pack(exchange.request), columns);
    }
    std::string arrays = "?1";
    const std::span<const PgArray> all = columns.all();
    for (std::size_t i = 0; i < all.size(); ++i) arrays += fmt::format(", ?{}", i + 2);
    ASSAY_TRY(PgStatement insert,
              database_.Prepare(fmt::format(
                  "INSERT INTO exchange(id, {0}) SELECT id, {1} FROM unnest({2}) AS new(id, {0}) ON CONFLICT "
                  "(key, epoch) WHERE reusable = 1 DO NOTHING RETURNING id",
                  names, values, arrays)));
    insert.Bind(1, ids);
    for (std::size_t i = 0; i < all.size(); ++i) insert.Bind(static_cast<int>(i + 2), all[i]);
    while (true) {
      ASSAY_TRY(const bool row, insert.Step());
      if (!row) break;
      inserted.insert(static_cast<ExchangeId>(insert.Int(0)));
    }
  }
  return inserted;
}

// A second statement sees what others have committed since the first began. One search for each key: else a
// planner that knows nothing of a young table reads all of it.
Result<std::map<KeyInEpoch, Exchange>> PostgresStore::WinnersOf(const std::vector<Entry>& entries) {
  PgArray keys;
  PgArray epochs;
  for (const Entry& each : entries) {
    keys.AddBytes(BytesOf(each.exchange->key));
    epochs.Add(std::int64_t{each.exchange->epoch});
  }
  ASSAY_TRY(PgStatement select,
            database_.Prepare(fmt::format(
                "SELECT {} FROM unnest(?1, ?2) AS wanted(wanted_key, wanted_epoch) CROSS JOIN LATERAL "
                "(SELECT * FROM exchange WHERE key = wanted_key AND epoch = wanted_epoch AND reusable = 1 "
                "LIMIT 1) AS winner",
                ExchangeColumns())));
  select.Bind(1, keys).Bind(2, epochs);
  std::map<KeyInEpoch, Exchange> winners;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return winners;
    ASSAY_TRY(Exchange exchange, ReadExchange(select));
    const KeyInEpoch key = KeyOf(exchange);
    winners.emplace(key, std::move(exchange));
  }
}

// What older runs, or others, asked may be pruned: a cell points to nothing that is gone.
Status PostgresStore::CheckLinks(std::span<const CellResult> cells) {
  std::set<ExchangeId> others;
  for (const CellResult& cell : cells) {
    for (const StepLink& step : cell.steps) {
      for (const ExchangeId id : step.exchanges) {
        if (!IsOwnId(id)) others.insert(id);
      }
    }
  }
  if (others.empty()) return Ok();
  ASSAY_CHECK_OK(database_.Execute(kShareExchanges));
  ASSAY_TRY(PgStatement count, database_.Prepare("SELECT count(*) FROM exchange WHERE id = ANY(?1)"));
  count.Bind(1, std::vector<ExchangeId>(others.begin(), others.end()));
  ASSAY_TRY([[maybe_unused]] const bool row, count.Step());
  if (count.Int(0) == static_cast<std::int64_t>(others.size())) return Ok();
  return Error{ErrorCode::kNotFound,
               "answers that this run uses were pruned meanwhile; run the same command again"};
}

Status PostgresStore::WriteCells(const SittingRow& row, std::span<const CellResult> cells) {
  std::map<CellIndex, const CellResult*> last;  // of a cell that is there twice
  for (const CellResult& cell : cells) last[cell.cell] = &cell;
  PgArrays columns;
  PgArrays scored;
  for (const auto& [index, cell] : last) {
    columns.Bind(1, static_cast<std::int64_t>(index)).BindBlob(2, EncodeStepLinks(cell->steps));
    BindColumns(cell->columns, 3, columns);
    if (cell->scores.empty() || row.part != RunPart::kRun) continue;
    scored.Bind(1, static_cast<std::int64_t>(index)).BindBlob(2, cell->scores);
    if (cell->transcript) {
      scored.BindBlob(3, *cell->transcript);
    } else {
      scored.BindNull(3);
    }
    if (cell->marks.empty()) {
      scored.BindNull(4);
    } else {
      scored.Bind(4, std::string_view(cell->marks));
    }
  }
  if (last.empty()) return Ok();
  ASSAY_TRY(
      PgStatement insert,
      database_.Prepare(
          "INSERT INTO cell(run, part, cell, exchanges, variant, attempt, state, score, weight) SELECT ?1, "
          "?2, new.* FROM unnest(?3, ?4, ?5, ?6, ?7, ?8, ?9) AS new ON CONFLICT (run, part, cell) DO "
          "UPDATE SET exchanges = excluded.exchanges, variant = excluded.variant, attempt = "
          "excluded.attempt, state = excluded.state, score = excluded.score, weight = excluded.weight"));
  insert.Bind(1, row.run).Bind(2, static_cast<std::int64_t>(row.part));
  for (int i = 1; i <= 7; ++i) insert.Bind(i + 2, columns.Of(i));
  ASSAY_CHECK_OK(insert.Run());
  if (scored.all().empty()) return Ok();
  scored.Of(3).SetBytes();
  ASSAY_TRY(PgStatement insert_scores,
            database_.Prepare("INSERT INTO score(run, cell, scores, transcript, marks) SELECT ?1, new.* FROM "
                              "unnest(?2, ?3, ?4, ?5) AS new ON CONFLICT (run, cell) DO UPDATE SET scores = "
                              "excluded.scores, transcript = excluded.transcript, marks = excluded.marks"));
  insert_scores.Bind(1, row.run);
  for (int i = 1; i <= 4; ++i) insert_scores.Bind(i + 1, scored.Of(i));
  return insert_scores.Run();
}

Status PostgresStore::WriteChange(SittingId sitting, std::uint64_t number, const SittingRow& row,
                                  const SittingWork& work, std::span<const std::optional<Exchange>> winners) {
  std::vector<CellIndex> cells;
  for (const CellResult& cell : work.cells) cells.push_back(cell.cell);
  std::vector<ExchangeId> ids;
  for (std::size_t i = 0; i < winners.size(); ++i)
    ids.push_back(winners[i] ? winners[i]->id : work.exchanges[i].id);
  const std::string cell_bytes = EncodeNumbers(cells);
  const std::string id_bytes = EncodeNumbers(ids);
  const auto commit = static_cast<std::int64_t>(number);
  ASSAY_TRY(PgStatement insert,
            database_.Prepare(
                "WITH told AS (INSERT INTO change VALUES(?1, ?2, ?3, ?4, "
                "(pg_current_xact_id()::text)::bigint, ?5, ?6)) UPDATE sitting SET commits = ?2, last_ms = "
                "greatest(last_ms, ?7), requests_sent = requests_sent + ?8, beat_at = clock_timestamp() "
                "WHERE number = ?1"));
  insert.Bind(1, sitting)
      .Bind(2, commit)
      .Bind(3, row.run)
      .Bind(4, static_cast<std::int64_t>(row.part))
      .BindBlob(5, cell_bytes)
      .BindBlob(6, id_bytes)
      .Bind(7, work.at_ms)
      .Bind(8, static_cast<std::int64_t>(work.sent));
  return insert.Run();
}

}  // namespace assay
