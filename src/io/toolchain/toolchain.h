// InstalledToolchain: what a foreign program may see and use: the programs of one language as they are on
// this machine, the folders that hold them, and the environment that they need.
//
// Found out by asking the programs themselves, which takes up to a second; their answers may be kept until
// the files that they stand on change.
//
// They are asked as the programs that they will run are started: at the same level of the sandbox, as the
// same user, with an environment of a dozen names. They start in /, and nothing of the current folder reaches
// them: no relative part of the path, no file by which a version manager would choose there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "io/launcher/warm_start.h"
#include "io/sandbox/sandbox.h"

namespace assay {

// Where to look. io reads no environment: whoever calls has read it.
struct ToolchainPlaces {
  std::string search_path;  // folders with colons between them, as in $PATH; only absolute ones count
  // Below it stands what was installed for assay alone, and it comes first: python/ (a virtual environment),
  // node/node_modules/, r/library/, bin/, and warm/ with what starts warm. "" for none.
  std::string folder;
  // Where answers are kept, the user's own; "": everybody is asked.
  std::string memory = {};
  // At which they are asked; where it does not work here, and if absent, the strongest that does.
  std::optional<SandboxLevel> level = {};
};

struct ToolchainWanted {
  std::string_view name;
  // Whose absence is looked for, as the language imports them ("numpy", "boost/any.hpp"): names of our own,
  // never of a suite. Only python, r and cpp can say.
  std::vector<std::string_view> packages = {};
};

struct InstalledToolchain {
  std::string name;
  std::string version;  // for people, one line: "Python 3.11.7"
  // 32 hex digits over what the programs and packages say of themselves, and the environment. Equal digests
  // answer equally, as far as versions tell.
  std::string digest;
  std::vector<std::string> roots;  // absolute paths of folders and files, shown read-only at the same place
  std::vector<std::pair<std::string, std::string>> environment;  // all of it, but for HOME and TMPDIR
  std::vector<std::string> packages;  // what its language imports, "numpy 1.26.4"; empty where nobody tells
  std::vector<std::string> absent;    // of the packages that were asked for, those that cannot be imported
  // Folders that a program must be able to write and that begin with what is there ("GOCACHE"): writes last
  // as long as the program.
  std::vector<std::string> scratch_roots;
  WarmStart warm_start = WarmStart::kNone;
};

// All at once, in the order of `wanted`. Names: python, node, typescript, java, cpp, csharp, r, go, rust,
// ruby, php, bash, pdftotext, sqlite. Errors are one line:
//   kNotFound      it is not installed; what is missing and how to install it
//   kRefused       it stands where the user that programs run as may not read it; what to do
//   kInvalidInput  no toolchain has this name
std::vector<Result<InstalledToolchain>> ProbeToolchains(std::span<const ToolchainWanted> wanted,
                                                        const ToolchainPlaces& places);
Result<InstalledToolchain> ProbeToolchain(std::string_view name, const ToolchainPlaces& places,
                                          std::span<const std::string_view> packages = {});

std::vector<std::string_view> ToolchainNames();

}  // namespace assay
