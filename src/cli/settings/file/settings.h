// assay.toml: what a project's folder says about every run in it, and below it what the user says about all
// of his runs. The command line and the environment win. docs/cli.md shows a whole file, docs/trust.md says
// what of a folder's counts.
#pragma once

#include <string>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "engine/grants/settings.h"

namespace assay {

inline constexpr char kSettingsPath[] = "assay.toml";

struct Options;

// The file of the user's own: $XDG_CONFIG_HOME/assay/assay.toml, else below ~/.config; "" if he has no home.
std::string OwnSettingsPath();

// The settings in the current folder, over the user's own; none if there are no such files. Unknown keys are
// warnings, values that cannot be used are errors, all at their places. Aliases of an asky configuration
// stand beside them (asky_config.h). Powers of the folder count if `given`, or what was remembered, trusts
// them; aliases that do not count stand there nevertheless (ModelAlias::untrusted) and lead nowhere.
Settings ReadSettings(TrustGiven given, FileReader& files, SourceFiles& sources, Diagnostics& diagnostics);
// What needs trust in `folder`, another one than the current perhaps.
std::vector<Power> PowersIn(const std::string& folder, FileReader& files, SourceFiles& sources,
                            Diagnostics& diagnostics);

// Commands that start or send something have the user agree first to what does not count yet; options are
// therefore set as if he had, so that nothing is set twice.
enum class Withheld { kApplied, kLeftOut };
// Gives the options that nobody has set the values of the file. Grants of the file hold beside the others.
void ApplySettings(Settings settings, Options& options, Withheld withheld = Withheld::kLeftOut);

}  // namespace assay
