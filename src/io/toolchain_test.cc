// What is there, and what is missing.
#include "io/toolchain.h"

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

TEST_CASE("no toolchain shows a home or the top of the tree") {
  Result<InstalledToolchain> bash =
      ProbeToolchain("bash", {.search_path = std::string(kPath), .home = "/", .folder = ""});
  REQUIRE(bash.has_value());
  for (const std::string& root : bash->roots) CHECK(std::count(root.begin(), root.end(), '/') >= 2);
}

}  // namespace assay
