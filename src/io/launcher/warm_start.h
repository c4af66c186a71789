// Finds stand-ins that start a toolchain's programs faster: a precompiled header, a snapshot of a compiler's
// heap, an archive of classes. scripts/toolchains/warm/make.sh makes them; nothing is written when programs
// run.
#pragma once

#include <string>

namespace assay {

enum class WarmStart {
  kNone,      // nothing is there
  kReady,     // may be used
  kOutdated,  // something that it was made of is another now, or gone
};

// What `folder` holds: bin/ with the stand-ins, and made_of, the list of what they were made of:
//   # a comment
//   program NAME PATH        `search_path` leads from this name to this path
//   file BYTES SECONDS PATH  the file has this size and was last changed then, in seconds since 1970
// A stand-in answers as the program itself, so whether it is used changes no result.
WarmStart FindWarmStart(const std::string& folder, const std::string& search_path);

}  // namespace assay
