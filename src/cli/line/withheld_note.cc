// Writes the note about settings of a folder that do not count for a command.
#include "cli/line/withheld_note.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/terminal/views/trust_view.h"

namespace assay {

namespace {

constexpr std::string_view kStoreOption = "--store";

bool ConcernsPrices(const Power& power) { return power.setting.starts_with("prices."); }
bool ConcernsPlans(const Power& power) { return power.effect != PowerEffect::kAlias; }

}  // namespace

std::string WithheldNote(const Options& options, const CommandRow& command) {
  if (command.trust == TrustUse::kAsks) return {};
  const auto rows = OptionTable();
  const auto concerns = [&](const Power& power) {
    if (command.trust == TrustUse::kPrices && ConcernsPrices(power)) return true;
    if (command.trust == TrustUse::kShows && ConcernsPlans(power)) return true;
    // What the command looks for would be elsewhere.
    return power.subject == kStoreOption && std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) {
             return row.LongName() == kStoreOption && row.TakenBy(command.name);
           });
  };
  std::vector<Power> left_out;
  std::copy_if(options.granted.settings.withheld.begin(), options.granted.settings.withheld.end(),
               std::back_inserter(left_out), concerns);
  if (left_out.empty()) return {};
  return fmt::format(
      "nobody has trusted this of assay.toml, and it does not count here:\n{}"
      "`assay trust` trusts it",
      PowerLines(left_out));
}

}  // namespace assay
