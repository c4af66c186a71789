// Reads the values of --until and of what goes with it.
#include "cli/settings/set_until.h"

#include <fmt/core.h>

#include "base/limits.h"
#include "base/text/option_text.h"
#include "spec/limits.h"
#include "spec/run/until.h"

namespace assay {

// "all" is said of a run that goes on: the rest of what it may end without.
Status AddUntil(std::string_view text, Options& options) {
  if (text == "all") {
    options.command.asks_rest = true;
    return Ok();
  }
  const Result<StopQuestion> question = ParseStopQuestion(text);
  if (!question) return question.error();
  options.spec.until.emplace_back(text);
  return Ok();
}

Status SetWithin(std::string_view text, Options& options) {
  constexpr double kMost = 100;
  ASSAY_TRY(options.spec.within, ParsePoints(text, kMost));
  return Ok();
}
std::vector<std::string> GetWithin(const Options& options) {
  return options.spec.within ? std::vector<std::string>{fmt::format("{}", *options.spec.within)}
                             : std::vector<std::string>();
}

Status SetHalfWidth(std::string_view text, Options& options) {
  constexpr double kMost = 50;
  ASSAY_TRY(options.shown.half_width, ParsePoints(text, kMost));
  return Ok();
}

Status SetPromise(std::string_view text, Options& options) {
  if (text != "suite" && text != "world") return BadValue("suite or world", text);
  options.spec.promise = text == "world" ? "world" : "";
  return Ok();
}

Status SetOrderSeed(std::string_view text, Options& options) {
  constexpr std::size_t kBytesMax = 100;
  if (text.empty() || text.size() > kBytesMax) return BadValue("a text of 1 to 100 bytes", text);
  options.spec.order_seed = text == "0" ? "" : text;
  return Ok();
}

Status SetLookEvery(std::string_view text, Options& options) {
  ASSAY_TRY(options.spec.look_every, ParseNumber<std::uint64_t>(text, 1, limits::kCellsMax));
  return Ok();
}
std::vector<std::string> GetLookEvery(const Options& options) {
  return options.spec.look_every ? std::vector<std::string>{std::to_string(*options.spec.look_every)}
                                 : std::vector<std::string>();
}

}  // namespace assay
