// MemberNames: paths that lead to a member of some row, and those that lead to none.
#include "text/template/members.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay {

namespace {

MemberNames NamesOf(std::initializer_list<std::string_view> rows) {
  MemberNames names;
  for (const std::string_view row : rows) names.Add(ParseJson(row)->AsMap());
  return names;
}

// "": some row may have it; else the hint.
std::string HintOf(const MemberNames& names, std::string_view written) {
  std::size_t at = 0;
  const std::optional<TemplateProblem> problem = names.ProblemOf(*ReadRowPath(written, at));
  return problem ? problem->hint : std::string();
}

}  // namespace

TEST_CASE("A path to a member of no row is told, with the nearest name") {
  const MemberNames names =
      NamesOf({R"({"a": {"label": "x", "n": null}, "b": [{"w": 1}], "c": "text", "d": null})",
               R"({"a": {"other one": 1}, "b": [2, {"v": {"deep": 1}}], "c": {"k": 1}})"});
  for (const std::string_view known : {"a", "a.label", "a.n", "a[\"other one\"]", "a.label.more", "a[0]",
                                       "b[0].w", "b[-1].v.deep", "c.k", "d.anything", "b.w"}) {
    CHECK_MESSAGE(HintOf(names, known).empty(), known);
  }
  CHECK(HintOf(names, "a.lable") == "did you mean {{a.label}}?");
  CHECK(HintOf(names, "a.other") == R"(the members are "label", "n", "other one")");
  CHECK(HintOf(names, "b[3].v.dep") == "did you mean {{b[3].v.deep}}?");
  CHECK(HintOf(names, "a[\"other on\"]") == R"(did you mean {{a["other one"]}}?)");
}

TEST_CASE("Rows that become mappings of one column keep their names") {
  MemberNames names = NamesOf({R"({"q": {"text": "x"}, "label": "y"})"});
  names.WrapIn("item", {"q", "label"});
  CHECK(HintOf(names, "item.label").empty());
  CHECK(HintOf(names, "item.q.text").empty());
  CHECK(HintOf(names, "item.lable") == "did you mean {{item.label}}?");
  CHECK(HintOf(names, "item.q.txt") == "did you mean {{item.q.text}}?");
}

TEST_CASE("A table with too many names tells of none") {
  MemberNames names;
  for (int i = 0; i < 11'000; ++i)
    names.Add(ParseJson("{\"a\": {\"k" + std::to_string(i) + "\": 1}}")->AsMap());
  CHECK(HintOf(names, "a.unknown").empty());
}

}  // namespace assay
