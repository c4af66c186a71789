// Asks on the terminal, or explains how to trust a folder where there is no terminal; remembers the answer.
#include "cli/commands/parts/trusting.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/commands/parts/powers_used.h"
#include "cli/settings/file/settings.h"
#include "cli/settings/trusted_folders.h"
#include "cli/terminal/views/assumed_models.h"
#include "cli/terminal/views/trust_view.h"
#include "engine/ci.h"
#include "engine/words.h"

namespace assay {

namespace {

std::string HowToTrust(const Options& options) {
  const std::string digest = DigestOf(options.granted.settings.powers);
  if (!options.granted.trust_digests.empty())
    return fmt::format("--trust names other powers than this folder's, whose digest is {}", digest);
  if (IsInCi())
    return "if that is meant: --trust=DIGEST or ASSAY_TRUST, with the digest that `assay trust --print` "
           "prints where you have looked at it";
  return "if that is meant: `assay trust`, or --trust for this command alone";
}

// Whether the powers may be used.
bool Agrees(const std::vector<Power>& used, const Options& options, Ui& ui) {
  const std::string lines = PowerLines(used);
  if (!CanAskUser()) {
    ui.Problem(
        fmt::format("error: nobody has trusted this folder's assay.toml, which would have this "
                    "command do more than a folder may:\n{}{}",
                    lines, HowToTrust(options)));
    return false;
  }
  ui.Problem(fmt::format("This folder's assay.toml would have this command do more than a folder may:\n{}",
                         lines.substr(0, lines.size() - 1)));
  if (!UserAgrees(ui, "trust it here, now and later?")) {
    ui.Problem("nothing was asked or started");
    return false;
  }
  if (const Status kept = RememberPowers(".", used); !kept)
    ui.Problem(fmt::format("warning: your answer was not saved: {}", Printable(kept.error().message)));
  return true;
}

}  // namespace

bool MayUsePowers(std::vector<Options>& runs, Ui& ui) {
  std::vector<Power> used;
  for (const Options& run : runs) {
    for (Power& power : PowersUsed(run)) {
      const bool is_known = std::any_of(used.begin(), used.end(), [&power](const Power& each) {
        return each.setting == power.setting && each.value == power.value;
      });
      if (!is_known) used.push_back(std::move(power));
    }
  }
  if (used.empty()) return true;
  if (!Agrees(used, runs.front(), ui)) return false;
  for (Options& run : runs) CountPowers(&used, run);
  return true;
}

bool MayPrepare(Options& options, const research::Dataset& dataset, Ui& ui) {
  const std::vector<Power> used = PowersUsed(options, dataset);
  if (used.empty()) return true;
  if (!Agrees(used, options, ui)) return false;
  CountPowers(&used, options);
  return true;
}

std::string PowersNow(FileReader& files) {
  SourceFiles sources;
  Diagnostics ignored;
  return DigestOf(PowersIn(".", files, sources, ignored));
}

}  // namespace assay
