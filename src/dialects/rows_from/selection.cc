// Reads what the options of blueprint/options.h say.
#include "dialects/rows_from/selection.h"

#include <fmt/core.h>

#include "dialects/blueprint/options.h"

namespace assay {

dataset::Overrides RowOverridesOf(const OwnOptions& own) {
  dataset::Overrides overrides;
  overrides.where = own.Texts(kWhereOption);
  if (own.Has(kSampleOption)) overrides.sample = dataset::CountOf(Value(own.Text(kSampleOption)));
  if (own.Has(kSampleSeedOption)) overrides.sample_seed = own.Text(kSampleSeedOption);
  return overrides;
}

bool RefuseLostSelection(const OwnOptions& own, FileId file, Diagnostics& diagnostics) {
  for (const std::string_view option : {kWhereOption, kSampleOption, kSampleSeedOption}) {
    if (!own.Has(option)) continue;
    diagnostics.Error("dataset.none",
                      fmt::format("--{} selects rows of a dataset, and the file has none", option),
                      {file, 0, 0}, "use --filter or --limit to select cases");
    return true;
  }
  return false;
}

}  // namespace assay
