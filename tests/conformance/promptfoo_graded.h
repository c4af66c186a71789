// Grades the cells of a config of promptfoo whose providers are all `echo`, as a run does.
#pragma once

#include <string>

#include "base/files/file_reader.h"
#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/options.h"
#include "text/value.h"

namespace assay::conformance {

struct GradedConfig {
  std::string refused = {};     // why assay does not run the config; "": it does
  std::string difference = {};  // to the results that are wanted; "": there is none
};
// `results`: as golden rows of expansions have them, by testIdx and promptIdx.
GradedConfig GradeEchoes(const promptfoo::Config& config, const promptfoo::EvalOptions& options,
                         FileReader& files, const List& results);

}  // namespace assay::conformance
