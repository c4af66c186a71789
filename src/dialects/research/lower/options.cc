// Parses the options that limit a turn: time, tokens and US dollars.
#include "dialects/research/lower/options.h"

#include <fmt/core.h>

#include "base/text/option_text.h"

namespace assay::research {

namespace {

Result<double> TurnTime(std::string_view text) { return ParseSeconds(text, 0.001, 1e6); }
Result<std::int64_t> TurnTokens(std::string_view text) {
  return ParseNumber<std::int64_t>(text, 1, 1'000'000'000'000);
}
Result<double> TurnUsd(std::string_view text) { return ParseNumber<double>(text, 1e-6, 1e6); }

// One form of each number, so that equal limits are equal texts.
template <class Number>
Result<std::string> Again(const Result<Number>& number) {
  if (!number) return number.error();
  return fmt::format("{}", *number);
}

// Of a text that was kept.
template <class Number>
std::optional<Number> Known(const Result<Number>& number) {
  return number ? std::optional(*number) : std::nullopt;
}

}  // namespace

Result<std::string> ReadTurnTime(std::string_view text) { return Again(TurnTime(text)); }
Result<std::string> ReadTurnTokens(std::string_view text) { return Again(TurnTokens(text)); }
Result<std::string> ReadTurnUsd(std::string_view text) { return Again(TurnUsd(text)); }

TurnLimits TurnLimitsOf(const OwnOptions& own) {
  return {.seconds = Known(TurnTime(own.Text(kTurnTimeOption))),
          .tokens = Known(TurnTokens(own.Text(kTurnTokensOption))),
          .usd = Known(TurnUsd(own.Text(kTurnUsdOption)))};
}

}  // namespace assay::research
