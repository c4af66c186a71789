// Reads the values of --pass-at, --pass-attempts, --pass-at-k and of the gates that count what passes.
#include "cli/settings/set_passing.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/limits.h"
#include "base/text/option_text.h"
#include "spec/limits.h"

namespace assay {

Status SetPassAt(std::string_view text, Options& options) {
  ASSAY_TRY(options.spec.pass_at, ParseNumber<double>(text, 0, 1));
  return Ok();
}
std::vector<std::string> GetPassAt(const Options& options) {
  return options.spec.pass_at ? std::vector<std::string>{fmt::format("{}", *options.spec.pass_at)}
                              : std::vector<std::string>();
}

// Of none every case would pass.
Status SetPassAttempts(std::string_view text, Options& options) {
  constexpr double kLeast = 0.01;
  ASSAY_TRY(options.spec.pass_attempts, ParseNumber<double>(text, kLeast, 1));
  return Ok();
}
std::vector<std::string> GetPassAttempts(const Options& options) {
  return options.spec.pass_attempts ? std::vector<std::string>{fmt::format("{}", *options.spec.pass_attempts)}
                                    : std::vector<std::string>();
}

// "1,5,10"
Status SetPassAtK(std::string_view text, Options& options) {
  std::vector<AttemptIndex>& ks = options.spec.pass_at_k;
  ks.clear();
  for (std::string_view rest = text;;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const Result<AttemptIndex> k = ParseNumber<AttemptIndex>(rest.substr(0, comma), 1, limits::kAttemptsMax);
    if (!k || ks.size() == limits::kTriesMax)
      return BadValue("numbers of tries between commas, such as 1,5,10 (--pass-at takes a score)", text);
    if (std::find(ks.begin(), ks.end(), *k) == ks.end()) ks.push_back(*k);
    if (comma == rest.size()) return Ok();
    rest.remove_prefix(comma + 1);
  }
}

std::vector<std::string> GetPassAtK(const Options& options) {
  if (options.spec.pass_at_k.empty()) return {};
  return {fmt::format("{}", fmt::join(options.spec.pass_at_k, ","))};
}

Status SetFailUnder(std::string_view text, Options& options) {
  const Result<double> value = ParseNumber<double>(text, 0, 1);
  if (!value) return Error{value.error().code, value.error().message + "; 0.8 means 80 points"};
  options.gates.fail_under = *value;
  return Ok();
}

Status SetPassRate(std::string_view text, Options& options) {
  const Result<double> value = ParseNumber<double>(text, 0, 1);
  if (!value) return Error{value.error().code, value.error().message + "; 0.9 means 9 of 10 cells"};
  options.gates.pass_rate = *value;
  return Ok();
}

Status SetFailedExitCode(std::string_view text, Options& options) {
  constexpr int kMost = 255;
  ASSAY_TRY(options.gates.failed_exit_code, ParseNumber<int>(text, 1, kMost));
  return Ok();
}

Status SetDelta(std::string_view text, Options& options) {
  ASSAY_TRY(options.gates.delta, ParseNumber<double>(text, 0, 1));
  return Ok();
}

}  // namespace assay
