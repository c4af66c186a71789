// Tests that versions of generators come back as they were written, and that hostile ones are refused.
#include "spec/run/generator_versions.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("versions of generators survive being stored; what nobody wrote is refused") {
  const GeneratorVersions versions = {{"turn", 12}, {"conversation", 1}};
  CHECK(EncodeGeneratorVersions(versions) == R"({"conversation":1,"turn":12})");
  CHECK(DecodeGeneratorVersions(EncodeGeneratorVersions(versions)).value() == versions);
  CHECK(EncodeGeneratorVersions({}).empty());
  CHECK(DecodeGeneratorVersions("").value().empty());
  for (const char* text : {"{", "[]", "7", R"({"turn":"1"})", R"({"turn":-1})", R"({"turn":1e300})",
                           R"({"turn":null})"}) {
    CAPTURE(text);
    const Result<GeneratorVersions> read = DecodeGeneratorVersions(text);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::kCorrupt);
  }
}

}  // namespace assay
