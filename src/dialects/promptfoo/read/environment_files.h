// Reads the files of variables: those of --env-file, else `.env`.
#pragma once

#include <string>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/promptfoo/options.h"

namespace assay::promptfoo {

// Adds what the files say to the environment, once. Without --env-file these are `.env` in the folder of the
// command line and beside the config. What the process says stands; of two files the first wins.
void ReadEnvironmentFiles(const std::string& config_folder, FileReader& files, Diagnostics& diagnostics,
                          EvalOptions& options);

}  // namespace assay::promptfoo
