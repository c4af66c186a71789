// What the readers of promptfoo's files share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/errors/span.h"
#include "base/files/file_reader.h"
#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/options.h"

namespace assay::promptfoo {

struct ReadContext {
  const EvalOptions& options;
  FileReader& files;
  SourceFiles& sources;
  Diagnostics& diagnostics;
  std::vector<Code>& code;  // what stands in the files and is not run here

  void Error(std::string code_of, std::string message, Span where, std::string hint) const {
    diagnostics.Error(std::move(code_of), std::move(message), where, std::move(hint));
  }
};

}  // namespace assay::promptfoo
