// Progress: counts of cells, calls, tokens, costs and errors of a running sitting, for people and programs
// that watch it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/errors/error.h"
#include "plan/plan.h"
#include "run/limits/cost/budget.h"
#include "spec/exchange/request.h"

namespace assay {

// What steps are for, as people see it.
enum class WorkKind : std::uint8_t { kAnswers, kVerdicts, kEmbeddings, kChecks };
inline constexpr std::size_t kWorkKinds = 4;
std::string_view WorkKindName(WorkKind kind);  // "answers", "verdicts", ...
// Grading is work for nobody: nothing.
std::optional<WorkKind> WorkKindOf(const StepTemplate& step);

struct Tally {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};
// By WorkKind.
using WorkTallies = std::array<Tally, kWorkKinds>;
// What there is to do in all cells of the plan, as `total`.
void CountWork(const Plan& plan, WorkTallies& work);

using CountByError = std::array<std::uint64_t, kErrorCodeCount>;
inline std::uint64_t& CountOf(CountByError& counts, ErrorCode code) {
  return counts[static_cast<std::size_t>(code)];
}

struct Progress {
  CellIndex cells_total = 0;
  CellIndex cells_done = 0;
  CellIndex cells_failed = 0;   // no answer to grade
  CellIndex cells_errors = 0;   // no answer, no score, or graded in part
  CellIndex cells_skipped = 0;  // not asked: budget, breaker, --max-errors
  CellIndex cells_paid = 0;     // done, and something was sent for them
  WorkTallies work;
  std::uint64_t reused = 0;    // requests answered by the store
  std::uint64_t recorded = 0;  // requests answered by a recording
  std::uint64_t sent = 0;      // requests sent, recordings not counted, retries not counted
  std::uint64_t cut = 0;       // requests that were not sent: budget, breaker, --max-errors
  std::uint64_t in_flight = 0;
  std::uint64_t in_flight_reached = 0;  // the most that were
  std::uint64_t in_flight_asked = 0;    // the most that may be
  std::uint64_t retries = 0;
  std::uint64_t waits = 0;  // replies that only said "wait": no tries
  CountByError retries_by_class{};
  std::uint64_t errors = 0;  // requests that failed for good
  std::uint64_t open = 0;    // requests without an answer that is used again: the same command asks them
  CountByError errors_by_class{};
  Usage usage;                      // of replies that came in this sitting
  std::int64_t cost_nano_usd = 0;   // of them, where the price is known
  std::uint64_t unpriced = 0;       // of them, how many have no price or say nothing of their usage
  std::uint64_t without_usage = 0;  // of these, how many say nothing of it
  // What those that say nothing of their usage may have cost; no part of cost_nano_usd.
  std::int64_t cost_estimated_nano_usd = 0;
  std::optional<Shortfall> shortfall;  // absent: nothing was left out because of a budget
  std::string first_error;             // of a request that failed for good
  std::string waits_for;  // what the run waits for, once nothing has happened for a while; else ""
  std::string race;       // of a run that may end early: who is still asked, and how far it is; else ""
  std::string elsewhere;  // who makes calls that this run has waited for longer than a minute; ""
};

}  // namespace assay
