// The options that gate a run, one row each, and the rule that refuses a gate over answers that this user did
// not make.
#include "engine/run/gate_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/text/shell_words.h"
#include "engine/ci.h"
#include "engine/state/store_seal.h"
#include "engine/words.h"
#include "store/location.h"

namespace assay {

namespace {

struct GatingOption {
  std::string_view option;  // "--fail-under"
  bool (*is_asked)(const GateOptions& gates);
};
constexpr GatingOption kGatingOptions[] = {
    {"--fail-under", [](const GateOptions& gates) { return gates.fail_under.has_value(); }},
    {"--pass-rate", [](const GateOptions& gates) { return gates.pass_rate.value_or(0) > 0; }},
    {"--fail-on-regression", [](const GateOptions& gates) { return !gates.fail_on_regression.empty(); }},
    {"--fail-on-flip", [](const GateOptions& gates) { return !gates.fail_on_flip.empty(); }},
};

// Whether `--trust=DIGEST` names what has this digest. The digest of a folder's powers names no answers.
bool Names(const Granted& granted, std::string_view digest) {
  const std::vector<std::string>& given = granted.trust_digests;
  return std::find(given.begin(), given.end(), digest) != given.end();
}

bool NamesStore(const Granted& granted) {
  if (granted.trust_digests.empty()) return false;
  const std::string digest = DigestOfStore(granted.store);
  return !digest.empty() && Names(granted, digest);
}

// The first that is asked for; null: none, or the user trusts whatever there is.
const GatingOption* ClosedGate(const GateOptions& gates, const Granted& granted) {
  if (granted.trust) return nullptr;
  const auto* asked = std::find_if(std::begin(kGatingOptions), std::end(kGatingOptions),
                                   [&](const GatingOption& gate) { return gate.is_asked(gates); });
  return asked == std::end(kGatingOptions) ? nullptr : asked;
}

}  // namespace

Status MayGateBy(const OpenedRecordings& recorded, const GateOptions& gates, const Granted& granted) {
  const GatingOption* gate = ClosedGate(gates, granted);
  if (gate == nullptr || !recorded.unasked) return Ok();
  if (Names(granted, recorded.unasked->digest)) return Ok();
  const std::string path = QuoteWord(Printable(recorded.unasked->path));
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: {} would answer, a recording that this user neither made nor named; "
                           "--replay {} names it, as --trust and --trust={} do; `assay cache adopt {}` does "
                           "for good, --replay none asks the models",
                           gate->option, path, path, recorded.unasked->digest, path)};
}

namespace {

// What opens the gate in CI, where nobody adopts a store. `path`: quoted.
std::string RemedyInCi(const Granted& granted, const std::string& path) {
  if (IsServer(granted.store)) {
    return fmt::format(
        "`assay cache adopt --store {}` outside of CI adopts them for all users. --store uses another "
        "database",
        path);
  }
  const Result<std::optional<Secret>> key = StoreKey();
  const std::string remedy =
      key && *key
          ? "Delete the cache that the store comes from, so that the next job makes a new store"
          : fmt::format("Set {}, a secret that all jobs share, to seal the store; the job of a fork has none",
                        kStoreKeyVariable);
  return fmt::format("{} (`assay help ci`). Or count this file with {}, or use another with --store", remedy,
                     TrustByDigest(granted.store));
}

std::string RemedyAtHome(const Granted& granted, const std::string& path) {
  const std::string adopt =
      fmt::format("`assay cache adopt --store {}` adopts them, --trust counts them once", path);
  if (IsServer(granted.store)) return adopt + ". --store uses another database";
  return fmt::format("{}, and {} counts this file. --store uses another file", adopt,
                     TrustByDigest(granted.store));
}

}  // namespace

Status MayGateBy(const StoreOrigin& origin, const GateOptions& gates, const Granted& granted) {
  const GatingOption* gate = ClosedGate(gates, granted);
  if (gate == nullptr || !origin.IsForeign() || NamesStore(granted)) return Ok();
  const std::string path = QuoteWord(Printable(ShownLocation(granted.store)));
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("{}: the store {} has answers that this {} did not make{}{}. {}", gate->option, path,
                  IsInCi() ? "job" : "user", origin.why.empty() ? "" : ": ", Printable(origin.why),
                  IsInCi() ? RemedyInCi(granted, path) : RemedyAtHome(granted, path))};
}

Status MayGateBy(std::string_view run_id, std::uint64_t foreign_replies, const GateOptions& gates,
                 const Granted& granted) {
  const GatingOption* gate = ClosedGate(gates, granted);
  if (gate == nullptr || foreign_replies == 0 || NamesStore(granted)) return Ok();
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: run {} used {} that this user did not make; `assay cache adopt` takes over "
                           "the store, `assay cache adopt FILE` the recording that answered",
                           gate->option, Printable(run_id), Counted(foreign_replies, "reply"))};
}

}  // namespace assay
