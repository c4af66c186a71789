// Tests of what each kind of name may be.
#include "base/text/names.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

constexpr NameKind kKinds[] = {NameKind::kRun,       NameKind::kRunLabel, NameKind::kDialect,
                               NameKind::kVersion,   NameKind::kVariant,  NameKind::kHost,
                               NameKind::kTask,      NameKind::kModel,    NameKind::kMedia,
                               NameKind::kMediaType, NameKind::kBatch};

TEST_CASE("names that assay makes, and users give, may be") {
  struct Row {
    NameKind kind;
    std::string_view name;
  };
  const Row rows[] = {{NameKind::kRun, "20270203T101500-3fa9"},
                      {NameKind::kRun, "RUN"},
                      {NameKind::kRunLabel, ""},
                      {NameKind::kRunLabel, "feature/Müller's test_0123456789abcdef"},
                      {NameKind::kDialect, "blueprint"},
                      {NameKind::kVersion, "0.4.0-12-g1a2b+dirty"},
                      {NameKind::kVariant, "openai:gpt-4o[temp:0.5]"},
                      {NameKind::kVariant, "exec:python3 'my agent.py' --say \"$(date)\""},
                      {NameKind::kVariant, "echo:\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb"},
                      {NameKind::kHost, "node-7.cluster.example"},
                      {NameKind::kHost, "?"},
                      {NameKind::kTask, "1234_5"},
                      {NameKind::kMedia, "../pictures/über uns.png"},
                      {NameKind::kMediaType, "image/svg+xml"},
                      {NameKind::kBatch, "https://api.example/v1"}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(NameProblem(row.kind, row.name) == "");
  }
}

TEST_CASE("line ends, controls and what reorders a line are in no name") {
  const std::string hostile[] = {"x\ny",     "x\r",  "\x1b[2J", std::string("a\0b", 3),
                                 "\xc2\x9b", "\x7f", "\u202ex", "\u2066x",
                                 "\u2028x",  "\xff", "\u200bx", "\xed\xa0\x80"};
  for (const NameKind kind : kKinds) {
    for (const std::string& name : hostile) {
      CAPTURE(name);
      CHECK(NameProblem(kind, name) != "");
    }
    CHECK(NameProblem(kind, std::string(70'000, 'x')) != "");
  }
}

TEST_CASE("the id of a run is one plain word, and a label stays below its folder") {
  for (const std::string_view id :
       {"",    "../../../x", "a/b", "..",  ".", "-rf",  "--store=x", "a b", "$(x)", "`x`",  "'x",
        "\"x", "x;y",        "x|y", "%2e", "Ü", "x\\y", "~",         "*",   "x&y",  "{x,y}"}) {
    CAPTURE(id);
    CHECK(NameProblem(NameKind::kRun, id) != "");
  }
  for (const std::string_view label : {"..", "../x", "a/../b", "/x", "a//b", "a/", "a/.", "./a"}) {
    CAPTURE(label);
    CHECK(NameProblem(NameKind::kRunLabel, label) != "");
  }
  CHECK(NameProblem(NameKind::kRun, std::string(10'000, 'x')) != "");
  CHECK(NameProblem(NameKind::kRun, "x\ntouch y") == "the id of a run has a line end: \"x\\ntouch y\"");
}

TEST_CASE("names that machines make become such that may be read") {
  CHECK(NameMadeOf(NameKind::kHost, "node 7\n") == "node-7-");
  CHECK(NameMadeOf(NameKind::kTask, "12_3") == "12_3");
  CHECK(NameProblem(NameKind::kHost, NameMadeOf(NameKind::kHost, std::string(400, '\x1b'))) == "");
}

}  // namespace
}  // namespace assay
