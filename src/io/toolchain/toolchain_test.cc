// What is there, and what is missing.
#include "io/toolchain/toolchain.h"

#include <algorithm>

#include <doctest/doctest.h>

namespace assay {

namespace {

constexpr std::string_view kPath = "/usr/local/bin:/usr/bin:/bin";

}  // namespace

TEST_CASE("bash is there and says its version") {
  const ToolchainPlaces places{.search_path = std::string(kPath), .home = "/", .folder = ""};
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
    Result<InstalledToolchain> none = ProbeToolchain(name, {.search_path = "", .home = "/", .folder = ""});
    REQUIRE(!none.has_value());
    CHECK(none.error().code == ErrorCode::kNotFound);
    CHECK(none.error().message.find("install ") != std::string::npos);
  }
  Result<InstalledToolchain> unknown = ProbeToolchain("cobol", {});
  REQUIRE(!unknown.has_value());
  CHECK(unknown.error().code == ErrorCode::kInvalidInput);
}

TEST_CASE("packages that are asked for and cannot be imported are told, and change the digest") {
  const ToolchainPlaces places{.search_path = std::string(kPath), .home = "/", .folder = ""};
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

TEST_CASE("a folder that programs write and nobody has made is not named to them") {
  const ToolchainPlaces places{
      .search_path = std::string(kPath) + ":/usr/local/go/bin", .home = "/tmp", .folder = "/no/such/folder"};
  const Result<InstalledToolchain> go = ProbeToolchain("go", places);
  if (!go) return;  // not on this machine
  for (const auto& [name, value] : go->environment) CHECK(name != "GOCACHE");
  CHECK(go->scratch_roots.empty());
}

TEST_CASE("no toolchain shows a home or the top of the tree") {
  Result<InstalledToolchain> bash =
      ProbeToolchain("bash", {.search_path = std::string(kPath), .home = "/", .folder = ""});
  REQUIRE(bash.has_value());
  for (const std::string& root : bash->roots) CHECK(std::count(root.begin(), root.end(), '/') >= 2);
}

}  // namespace assay
