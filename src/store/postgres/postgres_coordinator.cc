// Seats, ranges and what is drawn of limits and budgets, as rows of a PostgreSQL store; all times are the
// server's.
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "store/cell_rows.h"
#include "store/column_fields.h"
#include "store/columns.h"
#include "store/coordinator.h"
#include "store/postgres/hold_runs.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/repeating.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

// Seats that were not heard of for too long have ended, and those heard of in the future: the server's clock
// went back behind them. Nobody keeps what one that has ended held. One that commits right now may go on a
// moment. Whoever was not heard of itself judges nobody: the clock may have jumped.
constexpr std::string_view kEndDead =
    "UPDATE seat SET ended_at = clock_timestamp() WHERE number IN (SELECT number FROM seat WHERE run = ?1 "
    "AND ended_at IS NULL AND (beat_at < clock_timestamp() - ?2 * interval '1 ms' OR beat_at > "
    "clock_timestamp() + ?2 * interval '1 ms') AND NOT EXISTS (SELECT 1 FROM seat AS own WHERE own.number = "
    "?3 AND own.ended_at IS NULL AND (own.beat_at < clock_timestamp() - ?4 * interval '1 ms' OR own.beat_at "
    "> clock_timestamp() + ?4 * interval '1 ms')) FOR UPDATE SKIP LOCKED)";
constexpr std::string_view kFreeRanges =
    "UPDATE range SET seat = NULL WHERE run = ?1 AND is_done = 0 AND seat IN (SELECT number FROM seat WHERE "
    "run = ?1 AND ended_at IS NOT NULL)";
// What one that has ended is still waiting for stays its own.
constexpr std::string_view kFreeClaims =
    "DELETE FROM claim WHERE seat IN (SELECT number FROM seat WHERE run = ?1 AND ended_at IS NOT NULL AND "
    "NOT "
    "({}))";
// Of any run. Nothing waits for it: such claims may be taken over. Without it they would stay for good.
constexpr std::string_view kFreeClaimsOfNobody =
    "DELETE FROM claim WHERE (key, epoch) IN (SELECT key, epoch FROM claim WHERE seat IN (SELECT holder.seat "
    "FROM (SELECT DISTINCT seat FROM claim) AS holder WHERE NOT EXISTS (SELECT 1 FROM seat WHERE number = "
    "holder.seat AND {})) FOR UPDATE SKIP LOCKED)";

// Calls of its process may be under way: it sits, or its seat was given away and it has not left.
constexpr std::string_view kHasCalls =
    "(ended_at IS NULL OR (left_at IS NULL AND beat_at >= clock_timestamp() - ?2 * interval '1 ms' AND "
    "beat_at <= clock_timestamp() + ?2 * interval '1 ms'))";

// Whoever stands still in between gives way.
constexpr const char* kBeginToHold = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '60s'";
constexpr const char* kHoldAllRuns = "SELECT pg_try_advisory_xact_lock(1095980889, 3)::int";
constexpr const char* kEndOfHolding = "ROLLBACK";
constexpr std::chrono::milliseconds kHoldAgainAfter{10};  // at first, and twice as long each time
constexpr std::chrono::milliseconds kHoldAgainAfterMax{100};

// Whoever notices that nobody may have been heard of judges no seat until all had time for a beat.
constexpr int kBeatsWithoutJudgement = 2;

// Of this machine.
bool HasEnded(std::int64_t process) {
  return process > 0 && process != getpid() && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

std::int64_t MsOf(std::chrono::milliseconds time) { return time.count(); }

std::string BudgetText(const SharedBudgetLimits& limits) {
  if (!limits.IsSet()) return "no budget";
  constexpr double kNanoPerUsd = 1e9;
  std::string text = "a budget of ";
  if (limits.nano_usd) text += fmt::format("${:.6g}", static_cast<double>(*limits.nano_usd) / kNanoPerUsd);
  if (limits.tokens) text += fmt::format("{}{} tokens", limits.nano_usd ? " and " : "", *limits.tokens);
  return text;
}

// Broken models are stored as lines, whose parts have tabs between them.
template <class Model, class Visitor>
void VisitBroken(Model& model, Visitor&& visit) {
  visit(Column{"key"}, Name{model.key, NameKind::kModel});
  visit(Column{"model"}, Name{model.model, NameKind::kModel});
  visit(Column{"message"}, Words{model.message});
}

class TabbedWriter {
 public:
  explicit TabbedWriter(std::string& out) : out_(out) {}
  void Bind(int at, std::string_view part) {
    if (at > 1) out_ += '\t';
    for (const char c : part) out_ += c == '\t' || c == '\n' ? ' ' : c;
  }

 private:
  std::string& out_;
};

class TabbedRow {
 public:
  explicit TabbedRow(std::string_view line) : line_(line) {}
  std::string_view Text(int at) const {
    std::string_view rest = line_;
    for (; at > 0 && !rest.empty(); --at) rest.remove_prefix(std::min(rest.find('\t'), rest.size() - 1) + 1);
    return rest.substr(0, rest.find('\t'));
  }

 private:
  std::string_view line_;
};

std::string EncodeBroken(std::span<const BrokenModel> models) {
  std::string text;
  TabbedWriter writer(text);
  for (const BrokenModel& each : models) {
    VisitBroken(each, ColumnBinder(writer));
    text += '\n';
  }
  return text;
}

Result<std::vector<BrokenModel>> DecodeBroken(std::string_view text) {
  std::vector<BrokenModel> models;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const TabbedRow line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ColumnReader reader(line);
    VisitBroken(models.emplace_back(), reader);
    ASSAY_CHECK_OK(reader.status());
  }
  return models;
}

class PgCoordinator final : public Coordinator {
 public:
  explicit PgCoordinator(PostgresStore& store) : store_(store), database_(store.database()) {}

  Result<SeatId> Sit(const SeatRequest& request) override {
    ASSAY_CHECK_OK(store_.InTransaction([&] { return TakeSeat(request); }));
    return seat_;
  }

  Result<Standing> Beat(const SeatNews& news) override {
    bool lives = false;
    bool was_heard_of = true;
    const std::string broken = EncodeBroken(news.broken);
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      // First the sittings, as commits do: else each could have what the other one waits for.
      ASSAY_TRY(PgStatement sittings,
                database_.Prepare("UPDATE sitting SET beat_at = clock_timestamp() WHERE seat = ?1"));
      sittings.Bind(1, seat_);
      ASSAY_CHECK_OK(sittings.Run());
      ASSAY_TRY(PgStatement beat,
                database_.Prepare(
                    "UPDATE seat SET beat_at = clock_timestamp(), cells_done = ?2, in_flight = ?3, "
                    "cells_failed = ?4, cost_nano_usd = ?5, broken = ?6, room_for = ?7 FROM (SELECT beat_at "
                    "AS before FROM seat WHERE number = ?1) AS last WHERE number = ?1 AND ended_at IS NULL "
                    "RETURNING (extract(epoch FROM clock_timestamp() - last.before) * 1000)::bigint"));
      beat.Bind(1, seat_)
          .Bind(2, static_cast<std::int64_t>(news.cells_done))
          .Bind(3, static_cast<std::int64_t>(news.in_flight))
          .Bind(4, static_cast<std::int64_t>(news.cells_failed))
          .Bind(5, news.cost_nano_usd)
          .Bind(6, std::string_view(broken))
          .Bind(7, news.room_for);
      ASSAY_TRY(lives, beat.Step());
      // A try whose commit the server made without a word has moved the beat.
      if (lives) was_heard_of = was_heard_of && beat.Int(0) >= 0 && beat.Int(0) < MsOf(kSilentAfter);
      return Ok();
    }));
    if (!lives) {
      ASSAY_CHECK_OK(SayCallsGoOn());
      return Standing{.lives = false};
    }
    waits_to_judge_ = was_heard_of ? std::max(waits_to_judge_ - 1, 0) : kBeatsWithoutJudgement;
    ASSAY_CHECK_OK(store_.InTransaction([&] { return FreeOfDead(); }));
    return StandingNow();
  }

  Result<RangesClaimed> ClaimRanges(const RangesWish& wish) override {
    RangesClaimed claimed;
    int tries = 0;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      claimed = {};
      if (++tries > 1) ASSAY_CHECK_OK(ReadUnheard(claimed));
      if (claimed.ranges.empty()) ASSAY_CHECK_OK(TakeRanges(wish, claimed));
      if (!claimed.ranges.empty()) return Ok();
      ASSAY_CHECK_OK(FreeOfDead());
      ASSAY_TRY(
          PgStatement left,
          database_.Prepare("SELECT count(*) FROM range WHERE run = ?1 AND is_done = 0 AND seat IS DISTINCT "
                            "FROM ?2"));
      left.Bind(1, run_).Bind(2, seat_);
      ASSAY_TRY([[maybe_unused]] const bool row, left.Step());
      claimed.is_end = left.Int(0) == 0;
      return Ok();
    }));
    std::sort(claimed.ranges.begin(), claimed.ranges.end(),
              [](const SeatRange& a, const SeatRange& b) { return a.number < b.number; });
    for (const SeatRange& range : claimed.ranges) held_.insert(range.number);
    return claimed;
  }

  Status FinishRanges(std::span<const std::int64_t> numbers) override {
    PgArray finished;
    for (const std::int64_t number : numbers) finished.Add(number);
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      ASSAY_TRY(PgStatement finish,
                database_.Prepare(
                    "UPDATE range SET is_done = 1 WHERE run = ?1 AND seat = ?2 AND number = ANY(?3)"));
      finish.Bind(1, run_).Bind(2, seat_).Bind(3, finished);
      return finish.Run();
    }));
    for (const std::int64_t number : numbers) held_.erase(number);
    return Ok();
  }

  Result<std::vector<CellSpan>> FinishedRanges(CellSpan span) override {
    std::vector<CellSpan> finished;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      ASSAY_TRY(PgStatement ranges,
                database_.Prepare("SELECT number, first, last FROM range WHERE run = ?1 AND is_done = 1 AND "
                                  "first < ?3 AND last > ?2 ORDER BY number"));
      ranges.Bind(1, run_)
          .Bind(2, static_cast<std::int64_t>(span.first))
          .Bind(3, static_cast<std::int64_t>(span.last));
      RangesClaimed found;
      ASSAY_CHECK_OK(AddRanges(ranges, found));
      finished.clear();
      for (const SeatRange& range : found.ranges) finished.push_back(range.cells);
      return Ok();
    }));
    return finished;
  }

  Result<RateBlock> Draw(const RateWish& wish) override {
    RateBlock block;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      ASSAY_TRY(PgStatement row,
                database_.Prepare("INSERT INTO pace(run, name, free_at) VALUES(?1, ?2, clock_timestamp()) ON "
                                  "CONFLICT (run, name) DO UPDATE SET free_at = pace.free_at RETURNING "
                                  "(extract(epoch FROM free_at - clock_timestamp()) * 1000000)::bigint"));
      row.Bind(1, run_).Bind(2, std::string_view(wish.name));
      ASSAY_TRY([[maybe_unused]] const bool is_there, row.Step());
      std::int64_t free_in_us = row.Int(0);
      row.Reset();
      block = DrawRate(wish, 0, free_in_us);
      ASSAY_TRY(PgStatement take,
                database_.Prepare("UPDATE pace SET free_at = clock_timestamp() + ?3 * interval '1 us' WHERE "
                                  "run = ?1 AND name = ?2"));
      take.Bind(1, run_).Bind(2, std::string_view(wish.name)).Bind(3, free_in_us);
      return take.Run();
    }));
    return block;
  }

  Result<BudgetDraw> Draw(const BudgetWish& wish) override {
    BudgetDraw draw;
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      draw = {};
      ASSAY_TRY(PgStatement terms,
                database_.Prepare("SELECT budget_from FROM terms WHERE run = ?1 FOR UPDATE"));
      terms.Bind(1, run_);
      ASSAY_TRY(const bool is_there, terms.Step());
      if (!is_there) return Error{ErrorCode::kNotFound, "the run has no budget"};
      // What the store says by now may be anybody's word: the seat's own budget holds, whatever stands there.
      const SharedBudgetLimits& limits = budget_;
      const std::int64_t from = terms.Int(0);
      terms.Reset();
      ASSAY_TRY(
          PgStatement others,
          database_.Prepare(
              "SELECT coalesce(sum(greatest(taken_nano_usd, 0)), 0)::bigint, "
              "coalesce(sum(greatest(taken_tokens, 0)), 0)::bigint, "
              "count(*) FILTER (WHERE ended_at IS NULL AND (taken_nano_usd > held_nano_usd OR taken_tokens > "
              "held_tokens)), count(*) FILTER (WHERE ended_at IS NULL) FROM seat LEFT JOIN tranche ON "
              "tranche.seat = seat.number WHERE seat.run = ?1 AND seat.number >= ?2 AND seat.number <> ?3"));
      others.Bind(1, run_).Bind(2, from).Bind(3, seat_);
      ASSAY_TRY([[maybe_unused]] const bool row, others.Step());
      const auto unspent = [](const std::optional<std::int64_t>& limit, std::int64_t taken) {
        return limit.value_or(0) - std::min(limit.value_or(0), taken);
      };
      draw.left = {.nano_usd = unspent(limits.nano_usd, others.Int(0)) - wish.held.nano_usd,
                   .tokens = unspent(limits.tokens, others.Int(1)) - wish.held.tokens};
      draw.others_hold = others.Int(2) > 0;
      const std::int64_t living = others.Int(3) + 1;
      others.Reset();
      const bool is_return = wish.needed.nano_usd == 0 && wish.needed.tokens == 0;
      const Spending more = is_return ? Spending() : TrancheOf(limits, draw.left, wish.needed, living);
      draw.left.nano_usd -= more.nano_usd;
      draw.left.tokens -= more.tokens;
      draw.taken = {.nano_usd = wish.held.nano_usd + more.nano_usd, .tokens = wish.held.tokens + more.tokens};
      ASSAY_TRY(PgStatement take,
                database_.Prepare("INSERT INTO tranche VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (seat) DO "
                                  "UPDATE SET taken_nano_usd = ?3, taken_tokens = ?4, held_nano_usd = ?5, "
                                  "held_tokens = ?6"));
      take.Bind(1, seat_)
          .Bind(2, run_)
          .Bind(3, draw.taken.nano_usd)
          .Bind(4, draw.taken.tokens)
          .Bind(5, wish.held.nano_usd)
          .Bind(6, wish.held.tokens);
      return take.Run();
    }));
    return draw;
  }

  Status Leave() override {
    ASSAY_CHECK_OK(store_.InTransaction([&]() -> Status {
      ASSAY_TRY(
          PgStatement end,
          database_.Prepare("UPDATE seat SET ended_at = coalesce(ended_at, clock_timestamp()), left_at = "
                            "clock_timestamp() WHERE number = ?1"));
      end.Bind(1, seat_);
      ASSAY_CHECK_OK(end.Run());
      return FreeOfEnded();
    }));
    store_.EmptyClaims();
    return Ok();
  }

 private:
  Status Do(std::string_view sql, std::optional<std::int64_t> second = {}) {
    ASSAY_TRY(PgStatement statement, database_.Prepare(sql));
    statement.Bind(1, run_);
    if (second) statement.Bind(2, *second);
    return statement.Run();
  }

  // Whatever the next rows of `ranges` are. kCorrupt: not of this plan.
  Status AddRanges(PgStatement& ranges, RangesClaimed& claimed) const {
    while (true) {
      ASSAY_TRY(const bool row, ranges.Step());
      if (!row) return Ok();
      const std::int64_t first = ranges.Int(1);
      const std::int64_t last = ranges.Int(2);
      if (first < 0 || first >= last || static_cast<std::uint64_t>(last) > cells_) {
        return Error{ErrorCode::kCorrupt,
                     fmt::format("{}: expected a range of the run's {} cells, found {} to {}; somebody has "
                                 "changed the store",
                                 database_.shown(), cells_, first, last)};
      }
      claimed.ranges.push_back(
          {.number = ranges.Int(0), .cells = {static_cast<CellIndex>(first), static_cast<CellIndex>(last)}});
    }
  }

  Status TakeRanges(const RangesWish& wish, RangesClaimed& claimed) {
    ASSAY_TRY(PgStatement take,
              database_.Prepare(
                  "UPDATE range SET seat = ?2 WHERE (run, number) IN (SELECT run, number FROM range "
                  "WHERE run = ?1 AND seat IS NULL AND is_done = 0 AND first < ?4 AND EXISTS (SELECT 1 "
                  "FROM seat WHERE seat.number = ?2 AND ended_at IS NULL) ORDER BY number LIMIT ?3 "
                  "FOR UPDATE SKIP LOCKED) RETURNING number, first, last"));
    take.Bind(1, run_)
        .Bind(2, seat_)
        .Bind(3, static_cast<std::int64_t>(wish.most))
        .Bind(4, static_cast<std::int64_t>(wish.below));
    return AddRanges(take, claimed);
  }

  // Those that this seat has in the store and does not know of: the server's word of a commit was lost.
  Status ReadUnheard(RangesClaimed& claimed) {
    PgArray held;
    for (const std::int64_t number : held_) held.Add(number);
    ASSAY_TRY(PgStatement unheard,
              database_.Prepare("SELECT number, first, last FROM range WHERE run = ?1 AND seat = ?2 AND "
                                "is_done = 0 AND number <> ALL(?3)"));
    unheard.Bind(1, run_).Bind(2, seat_).Bind(3, held);
    return AddRanges(unheard, claimed);
  }

  Status FreeOfDead() {
    if (waits_to_judge_ == 0) {
      ASSAY_TRY(PgStatement end, database_.Prepare(kEndDead));
      end.Bind(1, run_).Bind(2, MsOf(kDeadAfter)).Bind(3, seat_).Bind(4, MsOf(kSilentAfter));
      ASSAY_CHECK_OK(end.Run());
    }
    return FreeOfEnded();
  }

  Status FreeOfEnded() {
    ASSAY_CHECK_OK(Do(kFreeRanges));
    return Do(fmt::format(kFreeClaims, IsHeardOf()));
  }

  // Of a seat that was given away. Whoever was given up for dead stays so.
  Status SayCallsGoOn() {
    return store_.InTransaction([&]() -> Status {
      ASSAY_TRY(PgStatement beat,
                database_.Prepare(fmt::format(
                    "UPDATE seat SET beat_at = clock_timestamp() WHERE number = ?1 AND {}", kHasCalls)));
      beat.Bind(1, seat_).Bind(2, MsOf(kDeadAfter));
      return beat.Run();
    });
  }

  Result<Standing> StandingNow() {
    Standing standing;
    ASSAY_TRY(
        PgStatement others,
        database_.Prepare(fmt::format(
            "SELECT count(*) FILTER (WHERE has_calls), count(*) FILTER (WHERE has_calls AND number < ?3), "
            "bool_and(NOT has_calls OR room_for >= ?3 OR number > ?3)::int, coalesce(sum(cells_failed) "
            "FILTER "
            "(WHERE is_new), 0)::bigint, string_agg(broken, '') FILTER (WHERE is_new), (SELECT "
            "(extract(epoch "
            "FROM clock_timestamp() - opened_at) * 1000)::bigint FROM terms WHERE run = ?1), "
            "coalesce(max(number) FILTER (WHERE ended_at IS NULL), 0), (extract(epoch FROM min(beat_at) "
            "FILTER "
            "(WHERE ended_at IS NULL) - clock_timestamp()) * 1000)::bigint + ?2 FROM (SELECT *, {} AS "
            "has_calls, number >= (SELECT opened_by FROM terms WHERE run = ?1) AS is_new FROM seat WHERE run "
            "= "
            "?1 AND number <> ?3) AS other WHERE has_calls OR is_new",
            kHasCalls)));
    others.Bind(1, run_).Bind(2, MsOf(kDeadAfter)).Bind(3, seat_);
    ASSAY_TRY([[maybe_unused]] const bool row, others.Step());
    standing.living = others.Int(0) + 1;
    standing.rank = others.Int(1);
    standing.is_known = others.IsNull(2) || others.Int(2) != 0;
    standing.failed_elsewhere = static_cast<std::uint64_t>(others.Int(3));
    if (!others.IsNull(4)) {
      ASSAY_TRY(standing.broken, DecodeBroken(others.Text(4)));
    }
    standing.age = std::chrono::milliseconds(others.Int(5));
    standing.newest = std::max(seat_, others.Int(6));
    if (!others.IsNull(7) && waits_to_judge_ == 0)
      standing.death_in = std::chrono::milliseconds(others.Int(7));
    return standing;
  }

  // What holds for all who sit here together. Whoever opens the run says so; a budget that is not another one
  // goes on with what was spent of it.
  Status AgreeOnTerms(const SeatRequest& request, bool opens) {
    const SharedBudgetLimits& asked = request.budget;
    const auto bind = [](PgStatement& to, int parameter, const std::optional<std::int64_t>& number) {
      number ? to.Bind(parameter, *number) : to.BindNull(parameter);
    };
    ASSAY_TRY(PgStatement select, database_.Prepare("SELECT nano_usd, tokens FROM terms WHERE run = ?1"));
    select.Bind(1, run_);
    ASSAY_TRY(const bool is_there, select.Step());
    SharedBudgetLimits agreed;
    if (is_there && !select.IsNull(0)) agreed.nano_usd = select.Int(0);
    if (is_there && !select.IsNull(1)) agreed.tokens = select.Int(1);
    select.Reset();
    if (!opens) {
      if (agreed == asked) return Ok();
      return Error{ErrorCode::kRefused,
                   fmt::format("run {} is worked on with {}, and this shard was given {}", request.run_id,
                               BudgetText(agreed), BudgetText(asked))};
    }
    ASSAY_TRY(
        PgStatement write,
        database_.Prepare(
            "INSERT INTO terms VALUES(?1, clock_timestamp(), ?2, ?3::bigint, ?4::bigint, ?2, ?6) ON CONFLICT "
            "(run) DO UPDATE SET opened_at = clock_timestamp(), opened_by = ?2, nano_usd = ?3, tokens = ?4, "
            "budget_from = CASE WHEN ?5 = 1 THEN terms.budget_from ELSE ?2 END, shards = ?6"));
    write.Bind(1, run_).Bind(2, seat_).Bind(5, std::int64_t{agreed == asked ? 1 : 0}).Bind(6, request.shards);
    bind(write, 3, asked.nano_usd);
    bind(write, 4, asked.tokens);
    return write.Run();
  }

  // The run's row is locked: seats are taken one after the other.
  Status TakeSeat(const SeatRequest& request) {
    {
      ASSAY_TRY(PgStatement run, database_.Prepare("SELECT number FROM run WHERE id = ?1 FOR UPDATE"));
      run.Bind(1, std::string_view(request.run_id));
      ASSAY_TRY(const bool is_there, run.Step());
      if (!is_there)
        return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", request.run_id)};
      run_ = run.Int(0);
    }
    budget_ = request.budget;
    cells_ = request.cells;
    waits_to_judge_ = 0;
    // One whose commit the server made without a word.
    if (seat_ != 0)
      ASSAY_CHECK_OK(
          Do("UPDATE seat SET ended_at = clock_timestamp(), left_at = clock_timestamp() WHERE run = "
             "?1 AND number = ?2",
             seat_));
    if (request.shard) ASSAY_CHECK_OK(Displace(request));
    ASSAY_CHECK_OK(FreeOfDead());
    ASSAY_TRY(const RunWork others, WorkOnRun(store_, request.run_id));
    for (const SeatRow& other : others.living) {
      if (request.shard && other.shard) continue;
      return Error{ErrorCode::kRefused,
                   fmt::format("run {} is worked on: {}", request.run_id, SeatsText(others))};
    }
    ASSAY_TRY(PgStatement free, database_.Prepare(fmt::format(kFreeClaimsOfNobody, IsHeardOf())));
    ASSAY_CHECK_OK(free.Run());
    const bool opens = others.living.empty();
    if (request.shard && opens) ASSAY_CHECK_OK(OpenRanges(request));
    ASSAY_TRY(
        PgStatement insert,
        database_.Prepare("INSERT INTO seat(run, shard, host, process, task) VALUES(?1, ?2, ?3, ?4, ?5) "
                          "RETURNING number"));
    insert.Bind(1, run_).Bind(3, std::string_view(request.host)).Bind(4, request.process);
    insert.Bind(5, std::string_view(request.task));
    if (request.shard) {
      insert.Bind(2, *request.shard);
    } else {
      insert.BindNull(2);
    }
    ASSAY_TRY([[maybe_unused]] const bool row, insert.Step());
    seat_ = insert.Int(0);
    insert.Reset();
    return request.shard ? AgreeOnTerms(request, opens) : Ok();
  }

  // Whoever sat there for the same shard. A task is never two processes at once, and whether one of this
  // machine is gone can be seen: such ones have no calls under way.
  Status Displace(const SeatRequest& request) {
    PgArray gone;
    {
      ASSAY_TRY(PgStatement before,
                database_.Prepare(fmt::format(
                    "SELECT number, host, process, task FROM seat WHERE run = ?1 AND shard = ?3 AND {}",
                    kHasCalls)));
      before.Bind(1, run_).Bind(2, MsOf(kDeadAfter)).Bind(3, *request.shard);
      while (true) {
        ASSAY_TRY(const bool row, before.Step());
        if (!row) break;
        const bool is_same_task = !request.task.empty() && before.Text(3) == request.task;
        if (is_same_task || (before.Text(1) == request.host && HasEnded(before.Int(2))))
          gone.Add(before.Int(0));
      }
    }
    ASSAY_TRY(
        PgStatement end,
        database_.Prepare("UPDATE seat SET ended_at = coalesce(ended_at, clock_timestamp()), left_at = CASE "
                          "WHEN number = ANY(?3) THEN clock_timestamp() ELSE left_at END WHERE run = ?1 AND "
                          "shard = ?2 AND (ended_at IS NULL OR number = ANY(?3))"));
    end.Bind(1, run_).Bind(2, *request.shard).Bind(3, gone);
    return end.Run();
  }

  // Those of a run that was cut otherwise stay: cells of theirs are done.
  Status OpenRanges(const SeatRequest& request) {
    ASSAY_CHECK_OK(Do("UPDATE range SET seat = NULL, is_done = 0 WHERE run = ?1"));
    PgArrays columns;
    for (const SeatRange& range :
         RangesOf(request.cells, request.cells_per_case, request.shards, request.range_max)) {
      columns.Bind(1, range.number)
          .Bind(2, static_cast<std::int64_t>(range.cells.first))
          .Bind(3, static_cast<std::int64_t>(range.cells.last));
    }
    ASSAY_TRY(
        PgStatement insert,
        database_.Prepare("INSERT INTO range(run, number, first, last) SELECT ?1, new.* FROM unnest(?2, ?3, "
                          "?4) AS new WHERE NOT EXISTS (SELECT 1 FROM range WHERE run = ?1)"));
    insert.Bind(1, run_);
    for (int i = 1; i <= 3; ++i) insert.Bind(i + 1, columns.Of(i));
    return insert.Run();
  }

  PostgresStore& store_;
  PgDatabase& database_;
  std::int64_t run_ = 0;
  SeatId seat_ = 0;
  SharedBudgetLimits budget_;  // with which the seat was taken
  std::uint64_t cells_ = 0;    // of the plan
  // Beats until it may say who is dead: nobody may have been heard of, since the server stood still or its
  // clock jumped.
  int waits_to_judge_ = 0;
  std::set<std::int64_t> held_;  // ranges that were claimed and are not finished
};

// A transaction that does nothing but hold a lock.
class PgRunsHeld final : public RunsHeld {
 public:
  explicit PgRunsHeld(PgDatabase& database) : database_(database) {}
  PgRunsHeld(const PgRunsHeld&) = delete;
  PgRunsHeld& operator=(const PgRunsHeld&) = delete;
  // Nothing was written: there is nothing that a failure could lose.
  ~PgRunsHeld() override { static_cast<void>(database_.Execute(kEndOfHolding).has_value()); }
  // Its connection is made once: where it is gone, so is the lock.
  Status StillHolds() override {
    Status asked = database_.Execute("SELECT 1");
    if (asked) return Ok();
    return Error{
        ErrorCode::kTimeout,
        fmt::format("{}: choosing the run took so long that another command may have begun it by now; "
                    "run the same command again",
                    database_.shown()),
        {},
        {asked.error().message}};
  }

 private:
  PgDatabase& database_;
};

}  // namespace

std::unique_ptr<Coordinator> CoordinatorOf(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return nullptr;
  return std::make_unique<PgCoordinator>(*postgres);
}

std::vector<Exchange> TakeUncommitted(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  return postgres == nullptr ? std::vector<Exchange>() : postgres->TakeUncommitted();
}

Result<bool> PostgresStore::TryHoldRuns() {
  return Repeating([&]() -> Result<bool> {
    ASSAY_CHECK_OK(database_.Execute(kBeginToHold));
    bool is_held = false;
    {
      ASSAY_TRY(PgStatement hold, database_.Prepare(kHoldAllRuns));
      ASSAY_TRY([[maybe_unused]] const bool row, hold.Step());
      is_held = hold.Int(0) != 0;
    }
    // A connection that is lost now is made again by the next try.
    if (!is_held) static_cast<void>(database_.Execute(kEndOfHolding).has_value());
    return is_held;
  });
}

Result<std::unique_ptr<RunsHeld>> HoldRuns(Store& store) { return HoldRunsWithin(store, kHoldRunsWithin); }

Result<std::unique_ptr<RunsHeld>> HoldRunsWithin(Store& store, std::chrono::milliseconds within) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return std::unique_ptr<RunsHeld>();
  // A pooler has few connections: whoever waits has none of them, else the one that is waited for gets no
  // other.
  SystemClock clock;
  BoundedQueue<bool> nothing(1);
  const TimePoint until = clock.Now() + within;
  std::chrono::milliseconds pause = kHoldAgainAfter;
  while (true) {
    ASSAY_TRY(const bool is_held, postgres->TryHoldRuns());
    if (is_held) return std::unique_ptr<RunsHeld>(std::make_unique<PgRunsHeld>(postgres->database()));
    if (clock.Now() >= until) {
      return Error{
          ErrorCode::kTimeout,
          fmt::format("{}: other commands choose their runs, and have done so for {} s; run the same "
                      "command again",
                      postgres->database().shown(),
                      std::chrono::duration_cast<std::chrono::seconds>(within).count())};
    }
    clock.Wait(nothing, clock.Now() + pause);
    pause = std::min(2 * pause, kHoldAgainAfterMax);
  }
}

Status VisitOutcomesOf(Store& store, const std::string& run_id, std::span<const CellIndex> cells,
                       const Store::OutcomeVisitor& visit) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) {
    for (const CellIndex cell : cells) ASSAY_CHECK_OK(store.VisitOutcomes(run_id, {cell, cell + 1}, visit));
    return Ok();
  }
  PgArray wanted;
  for (const CellIndex cell : cells) wanted.Add(static_cast<std::int64_t>(cell));
  std::vector<std::pair<CellIndex, CellOutcome>> found;
  ASSAY_CHECK_OK(postgres->InTransaction([&]() -> Status {
    found.clear();
    ASSAY_TRY(PgStatement rows,
              postgres->database().Prepare("SELECT cell.cell, cell.state, cell.score FROM cell JOIN run ON "
                                           "run.number = cell.run WHERE run.id = ?1 AND "
                                           "part = ?2 AND cell.cell = ANY(?3) AND cell.state IS NOT NULL"));
    rows.Bind(1, std::string_view(run_id)).Bind(2, static_cast<std::int64_t>(RunPart::kRun)).Bind(3, wanted);
    while (true) {
      ASSAY_TRY(const bool row, rows.Step());
      if (!row) return Ok();
      ASSAY_TRY(const CellIndex cell, ReadCell(rows, 0, kEveryCell));
      ASSAY_TRY(const std::optional<CellOutcome> outcome, ReadOutcome(rows, 1));
      if (outcome) found.emplace_back(cell, *outcome);
    }
  }));
  for (const auto& [cell, outcome] : found) ASSAY_CHECK_OK(visit(cell, outcome));
  return Ok();
}

Result<RunWork> WorkOnRun(Store& store, const std::string& run_id) {
  RunWork work;
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return work;
  PgDatabase& database = postgres->database();
  ASSAY_TRY(
      PgStatement seats,
      database.Prepare(
          "SELECT seat.number, shard, host, process, task, (extract(epoch FROM began_at) * 1000)::bigint, "
          "(extract(epoch FROM clock_timestamp() - beat_at) * 1000)::bigint, cells_done, in_flight, "
          "cells_failed, seat.cost_nano_usd, (SELECT "
          "coalesce(sum(requests_sent), 0)::bigint FROM sitting WHERE sitting.seat = seat.number), (SELECT "
          "count(*) FROM range WHERE range.run = seat.run AND range.seat = seat.number AND is_done = 0) FROM "
          "seat JOIN run ON run.number = seat.run WHERE run.id = ?1 AND ended_at IS NULL AND beat_at >= "
          "clock_timestamp() - ?2 * interval '1 ms' ORDER BY shard, seat.number"));
  seats.Bind(1, std::string_view(run_id)).Bind(2, MsOf(kDeadAfter));
  while (true) {
    ASSAY_TRY(const bool row, seats.Step());
    if (!row) break;
    SeatRow& seat = work.living.emplace_back();
    seat.id = seats.Int(0);
    if (!seats.IsNull(1)) {
      ASSAY_TRY(seat.shard, ReadShard(seats.Int(1)));
    }
    ASSAY_TRY(seat.host, ReadName(NameKind::kHost, seats.Text(2)));
    seat.process = seats.Int(3);
    ASSAY_TRY(seat.task, ReadName(NameKind::kTask, seats.Text(4)));
    seat.began_ms = seats.Int(5);
    seat.beat_age_ms = seats.Int(6);
    seat.news = {.cells_done = static_cast<std::uint64_t>(seats.Int(7)),
                 .in_flight = static_cast<std::uint64_t>(seats.Int(8)),
                 .cells_failed = static_cast<std::uint64_t>(seats.Int(9)),
                 .cost_nano_usd = seats.Int(10)};
    seat.requests_sent = static_cast<std::uint64_t>(seats.Int(11));
    seat.ranges_held = seats.Int(12);
  }
  ASSAY_TRY(
      PgStatement ranges,
      database.Prepare("SELECT count(*) FILTER (WHERE is_done = 0 AND range.seat IS NULL), count(*) FILTER "
                       "(WHERE is_done = 0 AND range.seat IS NOT NULL), count(*) FILTER (WHERE is_done = 1) "
                       "FROM range JOIN run ON run.number = range.run WHERE run.id = ?1"));
  ranges.Bind(1, std::string_view(run_id));
  ASSAY_TRY([[maybe_unused]] const bool row, ranges.Step());
  work.ranges = {.open = ranges.Int(0), .held = ranges.Int(1), .done = ranges.Int(2)};
  return work;
}

}  // namespace assay
