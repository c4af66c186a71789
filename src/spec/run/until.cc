// Reads the questions of --until.
#include "spec/run/until.h"

#include <fmt/core.h>

#include "base/text/option_text.h"

namespace assay {

namespace {

constexpr double kPointsMax = 100;
constexpr double kPointsLeast = 0.1;

}  // namespace

Result<double> ParsePoints(std::string_view text, double most) {
  constexpr double kPerScore = 100;
  const Result<double> share = ParseNumber<double>(text, 0, kPointsLeast);
  if (share && *share > 0 && *share < kPointsLeast)
    return Error{ErrorCode::kInvalidInput, fmt::format("points: {:g}, not {}", *share * kPerScore, text)};
  return ParseNumber<double>(text, kPointsLeast, most);
}

Result<StopQuestion> ParseStopQuestion(std::string_view text) {
  if (text == "decided") return StopQuestion{};
  if (text == "gate") return StopQuestion{.kind = StopQuestion::Kind::kGate};
  for (const std::string_view sign : {"±", "+-"}) {
    if (!text.starts_with(sign)) continue;
    ASSAY_TRY(const double half, ParsePoints(text.substr(sign.size()), kPointsMax / 2));
    return StopQuestion{.kind = StopQuestion::Kind::kLevel, .half = half};
  }
  const std::size_t at = text.find('>');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size())
    return BadValue("decided, A>B, A>B+3, gate or ±5", text);
  return StopQuestion{.kind = StopQuestion::Kind::kAhead,
                      .a = std::string(text.substr(0, at)),
                      .b = std::string(text.substr(at + 1))};
}

NameAndPoints SplitPoints(std::string_view text) {
  const std::size_t plus = text.rfind('+');
  if (plus == std::string_view::npos || plus == 0) return {.name = text};
  const Result<double> points = ParseNumber<double>(text.substr(plus + 1), kPointsLeast, kPointsMax);
  if (!points) return {.name = text};
  return {.name = text.substr(0, plus), .points = *points};
}

}  // namespace assay
