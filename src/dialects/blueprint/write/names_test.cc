// Tests that no id leaves its folder or takes another's file name.
#include "dialects/blueprint/write/names.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace assay::blueprint {
namespace {

TEST_CASE("plain ids keep their names, others are replaced and marked") {
  for (const char* id :
       {"p-contains", "hash-dd6687c3b655", "With Blanks & umlauts \xc3\xbc", "a:b", "v1.2"}) {
    CHECK(PathPart(id) == id);
  }
  std::set<std::string> names;
  const std::string long_id(400, 'x');
  for (const std::string& id :
       {std::string(""), std::string("."), std::string(".."), std::string("a/b"), std::string("a_b/.."),
        std::string("../../etc/passwd"), std::string("a\\b"), std::string("a\nb"), std::string("x.json"),
        long_id, std::string("nul\0l", 5)}) {
    CAPTURE(id);
    const std::string name = PathPart(id);
    CHECK(name != id);
    CHECK(name.find('/') == std::string::npos);
    CHECK(name.find('\0') == std::string::npos);
    CHECK_FALSE(name.ends_with(".json"));
    CHECK(name.size() <= 170);
    CHECK(name.find_first_not_of('.') != std::string::npos);
    CHECK(names.insert(name).second);
  }
}

TEST_CASE("model ids become file names as the original has them, each its own") {
  const std::vector<std::string> names = VariantFileNames(
      {"openai:gpt-4o[temp:0.5][sp_idx:1]", "a:b[temp:0]", "a/b[temp:0]", "IDEAL_BENCHMARK"});
  CHECK(names[0] == "openai_gpt-4o_temp_0.5__sp_idx_1_");
  CHECK(names[1] == "a_b_temp_0_");
  CHECK(names[2].starts_with("a_b_temp_0_-"));
  CHECK(names[3] == "IDEAL_BENCHMARK");
}

TEST_CASE("time stamps") { CHECK(SafeTimestamp(1'795'257'900'442) == "2026-11-21T10-45-00-442Z"); }

}  // namespace
}  // namespace assay::blueprint
