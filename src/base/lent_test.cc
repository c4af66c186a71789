// Tests of Lent.
#include "base/lent.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

TEST_CASE("what is lent is the owner's until it is copied") {
  std::vector<std::string> owner = {"a"};
  const auto lent = Lent<std::vector<std::string>>::Of(owner);
  CHECK(&*lent == &owner);
  const Lent<std::vector<std::string>> copy = lent;
  Lent<std::vector<std::string>> assigned;
  assigned = lent;
  owner.front() = "b";
  CHECK(lent->front() == "b");
  CHECK(copy->front() == "a");
  CHECK(assigned->front() == "a");
}

TEST_CASE("moving keeps what a value is: lent, or one's own") {
  const std::string owner = "a text that is longer than any short string";
  Lent<std::string> lent = Lent<std::string>::Of(owner);
  const Lent<std::string> moved = std::move(lent);
  CHECK(&*moved == &owner);
  Lent<std::string> own(owner);
  const Lent<std::string> taken = std::move(own);
  CHECK(*taken == owner);
  CHECK(&*taken != &owner);
}

}  // namespace
}  // namespace assay
