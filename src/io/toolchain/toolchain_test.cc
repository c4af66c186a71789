// Tests of probing toolchains: what is found, and what is missing.
#include "io/toolchain/toolchain.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace assay {

namespace {

constexpr std::string_view kPath = "/usr/local/bin:/usr/bin:/bin";

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-toolchain-XXXXXX").native();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("bash is there and says its version") {
  const ToolchainPlaces places{.search_path = std::string(kPath), .folder = ""};
  Result<InstalledToolchain> bash = ProbeToolchain("bash", places);
  REQUIRE(bash.has_value());
  CHECK(bash->version.starts_with("GNU bash"));
  CHECK(bash->digest.size() == 32);
  CHECK(bash->environment.front().first == "PATH");
  Result<InstalledToolchain> again = ProbeToolchain("bash", places);
  REQUIRE(again.has_value());
  CHECK(again->digest == bash->digest);
}

TEST_CASE("what is missing is said with how to get it") {
  for (const std::string_view name : ToolchainNames()) {
    Result<InstalledToolchain> none = ProbeToolchain(name, {.search_path = "", .folder = ""});
    REQUIRE(!none.has_value());
    CHECK(none.error().code == ErrorCode::kNotFound);
    CHECK(none.error().message.find("install ") != std::string::npos);
  }
  Result<InstalledToolchain> unknown = ProbeToolchain("cobol", {});
  REQUIRE(!unknown.has_value());
  CHECK(unknown.error().code == ErrorCode::kInvalidInput);
}

TEST_CASE("packages that are asked for and cannot be imported are told, and change the digest") {
  const ToolchainPlaces places{.search_path = std::string(kPath), .folder = ""};
  struct Row {
    std::string_view toolchain;
    std::vector<std::string_view> asked;
    std::vector<std::string> absent;
  };
  const Row rows[] = {{"python", {"os", "no_such_module", "json"}, {"no_such_module"}},
                      {"cpp", {"vector", "no/such/header.hpp"}, {"no/such/header.hpp"}}};
  for (const Row& row : rows) {
    CAPTURE(row.toolchain);
    const Result<InstalledToolchain> plain = ProbeToolchain(row.toolchain, places);
    if (!plain) continue;  // not on this machine
    CHECK(plain->absent.empty());
    const Result<InstalledToolchain> asked = ProbeToolchain(row.toolchain, places, row.asked);
    REQUIRE(asked.has_value());
    CHECK(asked->absent == row.absent);
    CHECK(asked->digest != plain->digest);
  }
}

TEST_CASE("a runtime is asked again only if its files changed") {
  const TempFolder folder;
  // What bash's row prints comes from a program in the folder.
  std::filesystem::create_directories(folder.path() / "bin");
  const auto write = [&](std::string_view version) {
    const std::filesystem::path program = folder.path() / "bin/bash";
    std::filesystem::remove(program);
    std::ofstream(program) << fmt::format("#!/bin/sh\necho asked >> {}/asked\necho GNU bash {}\n",
                                          folder.path().native(), version);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  };
  const auto asked = [&] {
    std::ifstream lines(folder.path() / "asked");
    return std::count(std::istreambuf_iterator<char>(lines), {}, '\n');
  };
  const ToolchainPlaces places{.search_path = (folder.path() / "bin").native() + ":/usr/bin:/bin",
                               .folder = "",
                               .memory = (folder.path() / "memory").native(),
                               .level = SandboxLevel::kNone};  // where a program can leave a mark
  write("1.0");
  const Result<InstalledToolchain> first = ProbeToolchain("bash", places);
  REQUIRE(first.has_value());
  CHECK(first->version == "GNU bash 1.0");
  const Result<InstalledToolchain> again = ProbeToolchain("bash", places);
  REQUIRE(again.has_value());
  CHECK(asked() == 1);
  CHECK(again->digest == first->digest);
  CHECK(again->roots == first->roots);
  CHECK(again->environment == first->environment);
  write("2.00");
  const Result<InstalledToolchain> changed = ProbeToolchain("bash", places);
  REQUIRE(changed.has_value());
  CHECK(changed->version == "GNU bash 2.00");
  CHECK(asked() == 2);
  ToolchainPlaces unremembered = places;
  unremembered.memory.clear();
  REQUIRE(ProbeToolchain("bash", unremembered).has_value());
  CHECK(asked() == 3);
  // What is damaged is asked again.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "memory"))
    std::ofstream(entry.path()) << "assay toolchain answer 1\n\n";
  REQUIRE(ProbeToolchain("bash", places).has_value());
  CHECK(asked() == 4);
}

TEST_CASE("behind a version manager a runtime is asked again when another version is chosen") {
  const TempFolder folder;
  struct Row {
    std::string_view shims;
    std::string_view chosen_by;  // "": nobody knows
  };
  const Row rows[] = {{".pyenv/shims", ".pyenv/version"}, {".others/shims", ""}};
  for (const Row& row : rows) {
    CAPTURE(row.shims);
    std::filesystem::create_directories(folder.path() / row.shims);
    const std::filesystem::path counted = folder.path() / "asked";
    std::filesystem::remove(counted);
    const std::filesystem::path program = folder.path() / row.shims / "bash";
    std::ofstream(program) << fmt::format("#!/bin/sh\necho asked >> {}\necho GNU bash 1.0\n",
                                          counted.native());
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const ToolchainPlaces places{.search_path = (folder.path() / row.shims).native() + ":/usr/bin:/bin",
                                   .folder = "",
                                 .memory = (folder.path() / "memory").native(),
                                 .level = SandboxLevel::kNone};
    const auto asked_now = [&] {
      REQUIRE(ProbeToolchain("bash", places).has_value());
      std::ifstream lines(counted);
      return std::count(std::istreambuf_iterator<char>(lines), {}, '\n');
    };
    CHECK(asked_now() == 1);
    CHECK(asked_now() == (row.chosen_by.empty() ? 2 : 1));
    if (row.chosen_by.empty()) continue;
    std::ofstream(folder.path() / row.chosen_by) << "3.12\n";
    CHECK(asked_now() == 2);
  }
}

// A python3 in a relative part of the path, and modules of the current folder, ran with the user's rights.
TEST_CASE("only absolute parts of the path count, and programs are asked in /") {
  const TempFolder folder;
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::filesystem::create_directories("bin");
  for (const char* name : {"bin/bash", "bin/python3", "bash", "python3"}) {
    std::ofstream(name) << "#!/bin/sh\necho version EVIL\n";
    std::filesystem::permissions(name, std::filesystem::perms::owner_all);
  }
  for (const char* name : {"sysconfig.py", "json.py", "importlib.py", "sitecustomize.py", "usercustomize.py"})
    std::ofstream(name) << "print('version EVIL')\n";
  CHECK(!ProbeToolchain("bash", {.search_path = "bin:.::", .folder = "bin"}).has_value());
  for (const SandboxLevel level : {SandboxLevel::kNamespaces, SandboxLevel::kLandlock, SandboxLevel::kNone}) {
    CAPTURE(SandboxLevelName(level));
    for (const std::string_view name : {"bash", "python"}) {
      const Result<InstalledToolchain> found = ProbeToolchain(
          name, {.search_path = fmt::format("bin:.:{}", kPath), .folder = "", .memory = {}, .level = level});
      if (!found) continue;  // not on this machine
      CHECK(found->version.find("EVIL") == std::string::npos);
    }
  }
  std::filesystem::current_path(here);
}

TEST_CASE("a folder that programs write and nobody has made is not named to them") {
  const ToolchainPlaces places{
      .search_path = std::string(kPath) + ":/usr/local/go/bin", .folder = "/no/such/folder"};
  const Result<InstalledToolchain> go = ProbeToolchain("go", places);
  if (!go) return;  // not on this machine
  for (const auto& [name, value] : go->environment) CHECK(name != "GOCACHE");
  CHECK(go->scratch_roots.empty());
}

TEST_CASE("no toolchain shows a home or the top of the tree") {
  Result<InstalledToolchain> bash =
      ProbeToolchain("bash", {.search_path = std::string(kPath), .folder = ""});
  REQUIRE(bash.has_value());
  for (const std::string& root : bash->roots) CHECK(std::count(root.begin(), root.end(), '/') >= 2);
}

}  // namespace assay
