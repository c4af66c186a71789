// The gates, one row each, and what closes them.
#include "cli/gate_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/shell_words.h"
#include "cli/settings/powers.h"
#include "cli/words.h"

namespace assay {

namespace {

constexpr GatingOption kGatingOptions[] = {
    {"--fail-under", [](const Options& options) { return options.fail_under.has_value(); }},
    {"--fail-on-regression", [](const Options& options) { return !options.fail_on_regression.empty(); }},
    {"--fail-on-flip", [](const Options& options) { return !options.fail_on_flip.empty(); }},
};

// Whether --trust says so of all that the folder brings: by itself, or with the digest of its powers.
bool TrustsFolder(const Options& options) {
  const std::vector<std::string>& given = options.trust_digests;
  const bool names_powers = !given.empty() && std::find(given.begin(), given.end(),
                                                        DigestOf(options.settings.powers)) != given.end();
  return options.trust || names_powers;
}

// The first that is asked for; null: none, or the user trusts whatever there is.
const GatingOption* ClosedGate(const Options& options) {
  if (TrustsFolder(options)) return nullptr;
  const auto* asked = std::find_if(std::begin(kGatingOptions), std::end(kGatingOptions),
                                   [&](const GatingOption& gate) { return gate.is_asked(options); });
  return asked == std::end(kGatingOptions) ? nullptr : asked;
}

}  // namespace

std::span<const GatingOption> GatingOptions() { return kGatingOptions; }

Status MayGateBy(const OpenedRecordings& recorded, const Options& options) {
  const GatingOption* gate = ClosedGate(options);
  if (gate == nullptr || !recorded.unasked) return Ok();
  const std::vector<std::string>& given = options.trust_digests;
  if (std::find(given.begin(), given.end(), recorded.unasked->digest) != given.end()) return Ok();
  const std::string path = QuoteWord(Printable(recorded.unasked->path));
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: {} would answer, a recording that this user neither made nor named; "
                           "--replay {} names it, as --trust does; `assay cache adopt {}` does for good, "
                           "--replay none asks the models",
                           gate->option, path, path, path)};
}

Status MayGateBy(const StoreOrigin& origin, const Options& options) {
  const GatingOption* gate = ClosedGate(options);
  if (gate == nullptr || !origin.IsForeign()) return Ok();
  const std::string path = QuoteWord(Printable(options.store));
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: the store {} has answers that this user did not make{}{}; `assay cache adopt "
                           "--store {}` takes them over, --trust counts them this once, --store with another "
                           "file leaves them out",
                           gate->option, path, origin.why.empty() ? "" : ": ", Printable(origin.why), path)};
}

Status MayGateBy(std::string_view run_id, std::uint64_t foreign_replies, const Options& options) {
  const GatingOption* gate = ClosedGate(options);
  if (gate == nullptr || foreign_replies == 0) return Ok();
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: run {} used {} that this user did not make; `assay cache adopt` takes over "
                           "the store, `assay cache adopt FILE` the recording that answered",
                           gate->option, Printable(run_id), Counted(foreign_replies, "reply"))};
}

}  // namespace assay
