// What a slip, a name alone or a part of an id means.
#include "base/errors/near_id.h"

#include <doctest/doctest.h>

#include <vector>

namespace assay {
namespace {

TEST_CASE("ids are found by slips, by their names alone, and by what only one of them holds") {
  const std::vector<std::string_view> ids = {"cases/loop.yaml", "cases/undo-commit.yaml",
                                             "openai:gpt-4o-mini"};
  const struct {
    std::string_view word, want;
  } rows[] = {{"loop", "cases/loop.yaml"},      {"cases/lop.yaml", "cases/loop.yaml"},
              {"lopo", "cases/loop.yaml"},      {"undo", "cases/undo-commit.yaml"},
              {"gpt-4o", "openai:gpt-4o-mini"}, {"cases/", ""},
              {"", ""},                         {"elephant", ""}};
  for (const auto& row : rows) CHECK_MESSAGE(NearestId(row.word, ids) == row.want, row.word);
  CHECK(IdHint("lopo", ids) == ", did you mean \"cases/loop.yaml\"?");
  CHECK(IdHint("elephant", {}).empty());
  const std::vector<std::string_view> two = {"a", "b"};
  CHECK(IdHint("elephant", two) == "; there are \"a\" and \"b\"");
  const std::vector<std::string_view> seven = {"a", "b", "c", "d", "e", "f", "g"};
  CHECK(IdHint("elephant", seven) == "; there are \"a\", \"b\", \"c\", \"d\", \"e\" and 2 more");
}

}  // namespace
}  // namespace assay
