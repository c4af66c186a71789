// Tests of the comparison of secrets.
#include "base/wire/secret.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("equal texts alone are the same secret") {
  CHECK(AreEqualSecrets("abc", "abc"));
  CHECK_FALSE(AreEqualSecrets("abc", "abd"));
  CHECK_FALSE(AreEqualSecrets("abc", "ab"));
}

}  // namespace
}  // namespace assay
