// What a suite's checks use beside the suite: services, files of JavaScript, and the languages that they run
// programs in.
#pragma once

#include <string>
#include <vector>

#include "text/value.h"

namespace assay {

// A service outside that checks may call, as the suite describes it: {url, method, headers, timeout, ...}.
struct Service {
  std::string name;
  Value settings;
};

// A file of JavaScript that checks call; it imports no others than these.
struct ScriptSource {
  std::string path;  // by which checks name it, from the suite's folder
  std::string source;
};

// One of the languages that checks run programs in, as it is on this machine; found out once, before the plan
// is made.
struct Toolchain {
  std::string language;  // row in checks/languages/table.cc: "python"
  std::string digest;    // of what would run; part of every program's key; "" if it is missing
  std::string missing;   // why no program can run in it, and what to do; "" if it is there
  // The packages that the format puts before its programs, those of them that are not there: "numpy".
  std::vector<std::string> absent = {};
};

}  // namespace assay
