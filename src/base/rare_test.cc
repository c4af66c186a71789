// A value that was never set, set, set to what it is by default, copied.
#include "base/rare.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace assay {

namespace {

struct Owner {
  Rare<std::string> name;
  Rare<std::vector<int>> numbers = {};
};

}  // namespace

TEST_CASE("a rare member reads as its default until it is set") {
  Owner owner;
  CHECK(owner.name->empty());
  CHECK(owner.name == "");
  CHECK(static_cast<const std::string&>(owner.name).empty());
  owner.name = "a";
  CHECK(owner.name == "a");
  CHECK(*owner.name + "b" == "ab");
  owner.numbers.edit().push_back(1);
  CHECK(owner.numbers->size() == 1);
}

TEST_CASE("copies of a rare member are their own") {
  Owner first{.name = std::string("a")};
  Owner second = first;
  second.name.edit() += "b";
  CHECK(first.name == "a");
  CHECK(second.name == "ab");
  first = second;
  CHECK(first.name == "ab");
  const Owner moved = std::move(second);
  CHECK(moved.name == "ab");
}

TEST_CASE("what says the same as the default takes a pointer alone") {
  static_assert(sizeof(Rare<std::string>) == sizeof(void*));
  Rare<std::string> name = std::string("a");
  const std::string* standard = &*Rare<std::string>();
  CHECK(&*name != standard);
  name = std::string();
  CHECK(&*name == standard);
  name = {};
  CHECK(&*name == standard);
}

}  // namespace assay
