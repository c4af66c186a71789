// RunLimits: what the user allows a run at most (calls in flight, rates, errors, time), for all providers and
// for single ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace assay {

// Of one provider. What is absent is bounded by nobody here.
struct ProviderLimits {
  std::optional<std::size_t> max_in_flight;  // of each of its pools
  // The width of its pools starts low, and follows its service up to so many; absent: it starts there.
  std::optional<std::size_t> grows_to = {};
  std::optional<double> requests_per_min;  // of all its pools together, as services count
  std::optional<double> tokens_per_min;    // the same; input and output
};

// How many cells may end in an error before a run stops: a number, or a share of all cells in per cent.
struct ErrorLimit {
  double value = 0;
  bool is_percent = false;
  bool IsExceeded(std::uint64_t errors, CellIndex cells) const {
    const double most = is_percent ? value / 100 * static_cast<double>(cells) : value;
    return static_cast<double>(errors) > most;
  }
};

struct RunLimits {
  ProviderLimits each;                                           // of every provider
  std::map<std::string, ProviderLimits, std::less<>> providers;  // of one; comes first
  std::optional<ErrorLimit> max_errors;
  std::optional<std::chrono::milliseconds> max_time;  // nothing more is asked after that

  // What holds for a provider, member by member.
  ProviderLimits Of(std::string_view provider) const;
};

// "openai" of the pools "openai" and "judge:openai"; "program" of "program".
std::string_view ProviderOfPool(std::string_view pool_name);
// How wide the pool is in a run with these limits.
std::size_t WidthOf(const Pool& pool, const RunLimits& limits);

}  // namespace assay
