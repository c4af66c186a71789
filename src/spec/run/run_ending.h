// RunEnding: how one process's work on a run ended. The executor stops for one of these reasons, the run
// ends with it, and the store keeps it.
#pragma once

#include <optional>

namespace assay {

enum class RunEnding {
  // Persisted: do not renumber.
  kOpen = 0,         // it has not ended, or it was cut off
  kWhole = 1,        // all that there was to do was done
  kInterrupted = 2,  // by who runs it: what has arrived is committed, and the run is left
  // Every cell was gone through, but not all that it needs was asked.
  kBudget = 3,
  kTooManyErrors = 4,
  kOutOfTime = 5,
  kError = 6,
  kDecided = 7,  // its questions were decided before everything was asked
  // Of a process alone; the store keeps kInterrupted.
  kServiceDown = 8,  // the run is left, as others or the same command continue it
  kDisplaced = 9     // another process has the seat; calls in flight are paid for, and their replies are kept
};

inline constexpr RunEnding kLastStoredEnding = RunEnding::kDecided;

// As the store keeps it.
constexpr RunEnding StoredEnding(RunEnding ending) {
  return ending > kLastStoredEnding ? RunEnding::kInterrupted : ending;
}

// Whether nothing stopped it: the run asked all that it had to ask.
constexpr bool IsComplete(RunEnding ending) {
  return ending == RunEnding::kWhole || ending == RunEnding::kDecided;
}

// Whether a limit that the user set stopped it.
constexpr bool IsOfLimit(std::optional<RunEnding> ending) {
  return ending == RunEnding::kBudget || ending == RunEnding::kTooManyErrors ||
         ending == RunEnding::kOutOfTime;
}

// How a run ends whose shards ended so, for the process that makes its report.
constexpr RunEnding EndingOfShards(std::optional<RunEnding> ending) {
  return IsOfLimit(ending) ? *ending : RunEnding::kWhole;
}

}  // namespace assay
