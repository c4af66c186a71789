// Reads the models of an asky configuration as aliases: models.toml, api.toml and general.toml below
// ASKY_HOME, else ~/.config/asky. They are read, never written; keys stay in the settings and go to their own
// URL alone. Source: spec research 2 and 9; asky-cli 14f1a9e.
// Source: spec research 2 and 9; asky-cli 14f1a9e.
#pragma once

#include "base/files/file_reader.h"
#include "cli/settings/file/settings.h"

namespace assay {

// Adds to `settings` what the configuration in `folder` says; names that assay.toml gives win. Nothing of it
// is an error: a model that cannot be asked says why (ModelAlias::problem), a file that cannot be read is
// told where an alias is looked for (Settings::aliases_problem).
void AddAskyModels(const std::string& folder, FileReader& files, Settings& settings);

// Where the configuration of whoever runs this lies; "" if he has no home.
std::string AskyFolder();

}  // namespace assay
