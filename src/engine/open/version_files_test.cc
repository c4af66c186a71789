// Tests that version files are reported and not obeyed. A cloned folder's rust-toolchain.toml used to choose
// the compiler.
#include "engine/open/version_files.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace assay {

TEST_CASE("version managers' files are found where a manager would look, and only there") {
  std::string top = (std::filesystem::temp_directory_path() / "assay-versions-XXXXXX").native();
  REQUIRE(mkdtemp(top.data()) != nullptr);
  const std::string folder = top + "/own/suite/inner";
  std::filesystem::create_directories(folder);
  for (const char* path : {"/own/.tool-versions", "/own/suite/rust-toolchain.toml", "/own/suite/inner/.nvmrc",
                           "/own/suite/inner/.python-version"})
    std::ofstream(top + path) << "evil\n";
  using Paths = std::vector<std::string>;
  const std::string home = top + "/own";
  CHECK(IgnoredVersionFiles("rust", folder, home) == Paths{home + "/suite/rust-toolchain.toml"});
  CHECK(IgnoredVersionFiles("javascript", folder, home) == Paths{folder + "/.nvmrc"});
  CHECK(IgnoredVersionFiles("python", folder, home) == Paths{folder + "/.python-version"});
  CHECK(IgnoredVersionFiles("java", folder, home) == Paths{});
  CHECK(IgnoredVersionFiles("java", folder, "") == Paths{home + "/.tool-versions"});  // no home of ours
  std::filesystem::remove_all(top);
}

}  // namespace assay
