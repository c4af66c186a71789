// Problems: everything that is wrong with one file, from reading it and from planning it, and its printed
// text.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/errors/diagnostics.h"

namespace assay {

struct Problems {
  std::string path;                 // of the file, as the user named it
  std::optional<Error> unreadable;  // the file itself
  Diagnostics found;

  bool HasErrors() const { return unreadable.has_value() || found.HasErrors(); }
};

// All of them, ready to print; with `told` those that are not in there yet, which they are added to.
std::string ProblemsText(const Problems& problems, const SourceFiles& sources,
                         std::set<std::string>* told = nullptr);

}  // namespace assay
