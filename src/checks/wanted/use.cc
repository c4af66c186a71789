// Grades `$use`: whether an answer took at most so much money, time or output. Pure; any thread.
//   args    {of: cost_usd | latency_ms | output_tokens, at_most: a number}
//   answer  its text does not matter: what counts is its calls as they were first made, also when their
//           replies come from the cache
//   score   1 or 0; an error, never 0, where it is not known: a model without a price, a reply that says
//           nothing of its tokens
//   source  assay's own
#include <fmt/core.h>

#include <limits>

#include "checks/graders.h"
#include "checks/wanted/arguments.h"

namespace assay {
namespace {

constexpr double kMicrosecondsPerMs = 1e3;
constexpr double kNanoUsdPerUsd = 1e9;
constexpr std::string_view kUnknown = "check.unknown-use";

enum class UseOfAnswer : std::uint8_t { kCost, kLatency, kOutput };

struct UseLimit {
  UseOfAnswer of = UseOfAnswer::kCost;
  double at_most = 0;
};

Result<UseLimit> ReadUseLimit(const Value& args) {
  UseLimit limit;
  if (!args.is_map())
    return BadArgument("{of: cost_usd, latency_ms or output_tokens, at_most: NUMBER}", args);
  ASSAY_CHECK_OK(OnlyMembers(args, {"of", "at_most"}));
  if (args.Find("of") == nullptr) return BadMember("cost_usd, latency_ms or output_tokens", args, "of");
  ASSAY_TRY(const std::size_t of, WordMember(args, "of", {"cost_usd", "latency_ms", "output_tokens"}));
  limit.of = static_cast<UseOfAnswer>(of);
  ASSAY_TRY(const std::optional<double> most,
            BoundedMember(args, "at_most", 0, std::numeric_limits<double>::infinity()));
  if (!most) return BadMember("a number of 0 or more", args, "at_most");
  limit.at_most = *most;
  return limit;
}

Score CompareUse(double used, const UseLimit& limit, std::string found) {
  Score score = Score::Of(used <= limit.at_most ? 1 : 0);
  score.explanation = std::move(found);
  return score;
}

Score GradeUseLimit(const GradeInput& input, const UseLimit& limit, WorkerState&) {
  const AttemptUse& use = input.use;
  switch (limit.of) {
    case UseOfAnswer::kCost: {
      if (!use.nano_usd || !use.usage.known) {
        return Score::Failure(
            fmt::format("{}: the cost of the answer is not known, since {}", kUnknown,
                        use.nano_usd ? "its reply says nothing of its tokens" : "the model has no price"));
      }
      const double usd = static_cast<double>(*use.nano_usd) / kNanoUsdPerUsd;
      return CompareUse(usd, limit, fmt::format("the answer cost ${:g}", usd));
    }
    case UseOfAnswer::kLatency: {
      const double ms = static_cast<double>(use.duration_us) / kMicrosecondsPerMs;
      return CompareUse(ms, limit, fmt::format("the answer took {:g} ms", ms));
    }
    case UseOfAnswer::kOutput:
      break;
  }
  if (!use.usage.known) {
    return Score::Failure(fmt::format("{}: the reply does not say how many tokens it has", kUnknown));
  }
  return CompareUse(static_cast<double>(use.usage.output_tokens), limit,
                    fmt::format("the answer has {} output tokens", use.usage.output_tokens));
}

}  // namespace

CheckArgs ParseUse(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadUseLimit(input.check.args), diagnostics);
}

Score GradeUse(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<UseLimit, GradeUseLimit>(input, args, worker);
}

}  // namespace assay
