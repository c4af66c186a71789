// The files of JavaScript that a config calls, with what they import: each once, as Suite::scripts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "spec/suite/outside.h"

namespace assay::promptfoo {

class ScriptCollector {
 public:
  // `folder`: of the config: "" or ending in "/". Nothing outside of it is read.
  ScriptCollector(std::string folder, FileReader& files, Diagnostics& diagnostics)
      : folder_(std::move(folder)), files_(files), diagnostics_(diagnostics) {}

  // Reads the file that "file://PATH.js:FUNCTION" names, and all that it imports. The same text with the path
  // by which Suite::scripts has it; problems are errors at `where`.
  std::string Add(const std::string& named, Span where);
  std::vector<ScriptSource> Take() { return std::move(scripts_); }

 private:
  // False if there is no such file.
  bool AddFile(const std::string& path, Span where);

  std::string folder_;
  FileReader& files_;
  Diagnostics& diagnostics_;
  std::vector<ScriptSource> scripts_;
  std::set<std::string> known_;  // paths that were looked at
};

}  // namespace assay::promptfoo
