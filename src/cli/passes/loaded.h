// From a file's name to a frozen plan: the passes that `run`, `check` and `show` share.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/file_reader.h"
#include "cli/settings/options.h"
#include "dialects/dialect.h"
#include "io/toolchain/toolchain.h"
#include "plan/plan.h"

namespace assay {

struct LoadedSuite {
  std::string path;
  const DialectRow* dialect = nullptr;  // null if the file could not be read or nobody claims it
  std::optional<Suite> suite;           // absent after an error; moved into the plan
  std::shared_ptr<const Plan> plan;     // null before BuildPlan and after an error
  std::optional<Error> unreadable;      // the file itself
  Diagnostics diagnostics;
  std::vector<InstalledToolchain> toolchains;  // of the languages of its programs; after BuildPlan

  bool HasErrors() const { return unreadable.has_value() || diagnostics.HasErrors(); }
};

ReadOptions ReadOptionsOf(const Options& options);
// `files` is asked for the suite itself; what the suite names is read only below its own folder and the
// folders of --allow-path and --collections-repo-path.
// The folders that --allow-path and assay.toml grant.
std::vector<std::string> AllowedPaths(const Options& options);
LoadedSuite LoadSuite(const std::string& path, const Options& options, FileReader& files,
                      SourceFiles& sources);
// Finds the toolchains of the suite, if there is one, and lowers it.
void BuildPlan(const Options& options, LoadedSuite& loaded);
// All problems of a file, ready to print; with `told` those that are not in there yet, which they are added
// to.
std::string ProblemsOf(const LoadedSuite& loaded, const SourceFiles& sources,
                       std::set<std::string>* told = nullptr);

}  // namespace assay
