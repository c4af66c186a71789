// Tests of datasets and matrices: all problems at once, each at its place.
#include <doctest/doctest.h>

#include "dialects/research/read/dataset.h"
#include "dialects/research/read/matrix.h"

namespace assay::research {

namespace {

struct Reported {
  std::string_view code, at, hint;  // `at`: the source text of the place
};

template <std::size_t N>
void CheckProblems(const Diagnostics& diagnostics, std::string_view text, const Reported (&wanted)[N]) {
  REQUIRE(diagnostics.All().size() == N);
  for (std::size_t i = 0; i < N; ++i) {
    const Diagnostic& told = diagnostics.All()[i];
    CAPTURE(told.message);
    CHECK(told.code == wanted[i].code);
    CHECK(text.substr(told.where.offset, told.where.length) == wanted[i].at);
    CHECK(told.hint.find(wanted[i].hint) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a dataset's problems are told all at once") {
  const std::string_view text =
      "id: a/../b\n"
      "docs:\n"
      "  - {id: first, title: 3, url: u, tite: x}\n"
      "  - {id: ' first ', title: T, url: u}\n"
      "tests:\n"
      "  - {id: t, doc_id: firs, query: q, expected: {type: contain, text: x}}\n"
      "  - {id: t, doc_ids: [first, 1], expected: {type: regex, pattern: '  '}}\n";
  Diagnostics diagnostics;
  CHECK_FALSE(ReadDataset(FileId{0}, "/d.yaml", text, diagnostics).has_value());
  const Reported wanted[] = {
      {"research.id", "a/../b", "leave out"},
      {"research.field", "3", "quotes"},
      {"research.unknown-key", "tite", "did you mean title?"},
      {"research.duplicate-id", "' first '", ""},
      {"research.unknown-doc", "firs", "did you mean \"first\"?"},
      {"research.field", "contain", "did you mean contains?"},
      {"research.duplicate-id", "t", ""},
      {"research.field", "[first, 1]", ""},
      {"research.field", "{id: t, doc_ids: [first, 1], expected: {type: regex, pattern: '  '}}", ""},
      {"research.field", "'  '", ""},
  };
  CheckProblems(diagnostics, text, wanted);
}

TEST_CASE("a matrix's problems are told all at once") {
  const std::string_view text =
      "dataset = 3\n"
      "[[runs]]\n"
      "id = \"..\"\n"
      "model_alas = \"m\"\n"
      "source_provider = \"live\"\n"
      "disabled_tools = [1]\n"
      "parameters = \"x\"\n"
      "query_prefix = 1\n";
  Diagnostics diagnostics;
  const PathRoots roots{.matrix_folder = "/m", .cwd = "/c", .home = "/h"};
  CHECK_FALSE(ReadMatrix(FileId{0}, "/m/a.toml", text, roots, diagnostics).has_value());
  std::vector<std::string> codes;
  for (const Diagnostic& told : diagnostics.All()) codes.push_back(told.code);
  CHECK(diagnostics.ErrorCount() == 7);
  CHECK(codes.front() == "research.id");
  CHECK(codes.back() == "research.field");
}

TEST_CASE("a run's label") {
  Diagnostics diagnostics;
  const PathRoots roots{.matrix_folder = "/m", .cwd = "/c", .home = "/h"};
  const std::optional<Matrix> matrix =
      ReadMatrix(FileId{0}, "/m/a.toml",
                 "[[runs]]\nid = \"a\"\nmodel_alias = \"e:m\"\nlabel = \" Em \"\n"
                 "[[runs]]\nid = \"b\"\nmodel_alias = \"e:m\"\n",
                 roots, diagnostics);
  CHECK(diagnostics.All().empty());
  REQUIRE(matrix.has_value());
  CHECK(matrix->runs.at(0).label == "Em");
  CHECK(matrix->runs.at(1).label.empty());
}

TEST_CASE("paths of a matrix and of options") {
  const PathRoots roots{.matrix_folder = "/m/x", .cwd = "/c", .home = "/h"};
  const struct {
    std::string_view path, of_matrix, of_option;
  } rows[] = {
      {" ./d.yaml ", "/m/x/d.yaml", "/c/ ./d.yaml "},
      {"../d", "/m/d", "/d"},
      {"a/../d/", "/c/d", "/c/d"},
      {"/abs//x/../d/.", "/abs/x/../d", "/abs/x/../d"},
      {"~/a/../b", "/h/a/../b", "/h/a/../b"},
      {".", "/c", "/c"},
      {"~", "/h", "/h"},
      {".hidden/x", "/c/.hidden/x", "/c/.hidden/x"},
      {"./~/x", "/h/x", "/h/x"},  // "." is no folder of its own
      {".//././/~", "/h", "/h"},
      {"../~/x", "/m/~/x", "/~/x"},
      {"a/~/x", "/c/a/~/x", "/c/a/~/x"},
      {"./a~", "/m/x/a~", "/c/a~"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.path);
    CHECK(ResolveMatrixPath(row.path, roots).value_or("") == row.of_matrix);
    CHECK(ResolveOptionPath(row.path, roots).value_or("") == row.of_option);
  }
  CHECK_FALSE(ResolveMatrixPath("~other/x", roots).has_value());
  CHECK_FALSE(ResolveMatrixPath("./~other/x", roots).has_value());
}

}  // namespace assay::research
