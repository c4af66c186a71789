// Tests of diagnostics: how problems are kept, and their printed form.
#include "base/errors/diagnostics.h"

#include <doctest/doctest.h>

#include "base/limits.h"

namespace assay {
namespace {

std::string Printed(std::string_view text, std::uint32_t offset, std::uint32_t length,
                    std::string hint = {}) {
  SourceFiles files;
  const FileId file = files.Add("suite.yml", std::string(text));
  return FormatDiagnostic({Severity::kError, "a.b", "it is wrong", std::move(hint), {file, offset, length}},
                          files);
}

TEST_CASE("a problem with its place") {
  CHECK(Printed("a: 1\n  shoud:\n", 7, 5, "did you mean \"should\"?") ==
        "suite.yml:2:3: error: it is wrong [a.b]\n"
        "    2 |   shoud:\n"
        "      |   ^~~~~ did you mean \"should\"?\n");
  // Passwords of addresses are not shown, whatever is wrong with the line; the caret stays in its place.
  CHECK(Printed("store: 'postgres+x://u:p:@w@h/d'", 7, 25) ==
        "suite.yml:1:8: error: it is wrong [a.b]\n    1 | store: 'postgres+x://u:****@h/d'\n"
        "      |        ^~~~~~~~~~~~~~~~~~~~~~~~~\n");
  for (const char* line : {"a: jdbc:x://h;user=u;pwd=geheim", "a: x://h/d?sslmode=a&password=geheim&b=c",
                           "a: x://u@h?token=geheim x://:geheim@h", "stoer = \"postgresql://u:geheim@h/d\""})
    CHECK_MESSAGE(Printed(line, 0, 1).find("geheim") == std::string::npos, line);
  CHECK(Printed("url: https://a.example/b?c=d", 0, 3).find("https://a.example/b?c=d") != std::string::npos);
  CHECK(Printed("", 0, 0) == "suite.yml:1:1: error: it is wrong [a.b]\n    1 | \n      | ^\n");
  // The end of a line, and a span over several lines.
  CHECK(Printed("ab\ncd", 2, 0) == "suite.yml:1:3: error: it is wrong [a.b]\n    1 | ab\n      |   ^\n");
  CHECK(Printed("ab\ncd", 1, 4) == "suite.yml:1:2: error: it is wrong [a.b]\n    1 | ab\n      |  ^\n");
}

TEST_CASE("tabs, wide bytes and control characters keep the caret under its character") {
  CHECK(Printed("\tx: \ty", 5, 1) ==
        "suite.yml:1:6: error: it is wrong [a.b]\n    1 |     x:  y\n      |         ^\n");
  CHECK(Printed("d\xc3\xa9j\xc3\xa0: x", 8, 1) ==
        "suite.yml:1:7: error: it is wrong [a.b]\n    1 | déjà: x\n      |       ^\n");
  CHECK(Printed("a\x1b[2Jb", 1, 2) ==
        "suite.yml:1:2: error: it is wrong [a.b]\n    1 | a\\x1b[2Jb\n      |  ^~~~~\n");
  CHECK(Printed("\xe2\x80\xae!", 3, 1) ==
        "suite.yml:1:2: error: it is wrong [a.b]\n    1 | \\u202e!\n      |       ^\n");
}

TEST_CASE("long lines are cut around the caret") {
  const std::string text = std::string(500, 'a') + "X" + std::string(500, 'b');
  CHECK(Printed(text, 500, 1) ==
        "suite.yml:1:501: error: it is wrong [a.b]\n"
        "    1 | …" +
            std::string(60, 'a') + "X" + std::string(39, 'b') + "…\n" + "      |  " + std::string(60, ' ') +
            "^\n");
  CHECK(Printed(text, 1001, 0) ==
        "suite.yml:1:1002: error: it is wrong [a.b]\n"
        "    1 | …" +
            std::string(60, 'b') + "\n" + "      |  " + std::string(60, ' ') + "^\n");
  CHECK(Printed(text, 0, 1001) ==
        "suite.yml:1:1: error: it is wrong [a.b]\n"
        "    1 | " +
            std::string(100, 'a') + "…\n" + "      | ^" + std::string(99, '~') + "\n");
}

TEST_CASE("three errors at one place are one, with what each says; warnings and other places stay apart") {
  SourceFiles files;
  const FileId file = files.Add("suite.yml", "a: 1\nb: 2\n");
  Diagnostics problems;
  problems.Add({Severity::kError, "a.b", "first", "", {file, 0, 1}});
  problems.Add({Severity::kError, "a.c", "elsewhere", "", {file, 5, 1}});
  problems.Add({Severity::kError, "a.b", "second", "try that", {file, 0, 1}});
  problems.Add({Severity::kWarning, "a.w", "a warning", "", {file, 0, 1}});
  problems.Add({Severity::kError, "a.d", "third", "", {file, 0, 1}});
  CHECK(FormatDiagnostics(problems, files) ==
        "suite.yml:1:1: error: first [a.b]\n    1 | a: 1\n      | ^\n"
        "      | also: second; try that\n      | also: third [a.d]\n"
        "suite.yml:2:1: error: elsewhere [a.c]\n    2 | b: 2\n      | ^\n"
        "suite.yml:1:1: warning: a warning [a.w]\n    1 | a: 1\n      | ^\n");
}

TEST_CASE("a problem without a place") {
  const SourceFiles files;
  CHECK(FormatDiagnostic({Severity::kWarning, "a.b", "odd", "look", {}}, files) ==
        "warning: odd [a.b]\n  look\n");
  CHECK(FormatError({ErrorCode::kIo, "no space", {}, {"free some"}}, files) ==
        "error: no space\n  free some\n");
}

TEST_CASE("an error with its place") {
  SourceFiles files;
  const FileId file = files.Add("a.json", "[1,]");
  CHECK(FormatError({ErrorCode::kInvalidInput, "expected a value", Span{file, 3, 1}, {}}, files) ==
        "a.json:1:4: error: expected a value\n    1 | [1,]\n      |    ^\n");
}

TEST_CASE("past the cap errors are kept in preference, and all are counted") {
  Diagnostics diagnostics;
  diagnostics.Note("n", "note", {});
  for (std::size_t i = 0; i < limits::kDiagnosticsMax; ++i) diagnostics.Warning("w", std::to_string(i), {});
  CHECK(diagnostics.All().size() == limits::kDiagnosticsMax);
  CHECK(diagnostics.Dropped() == 1);
  CHECK(diagnostics.All()[0].severity == Severity::kWarning);
  CHECK_FALSE(diagnostics.HasErrors());
  for (std::size_t i = 0; i < limits::kDiagnosticsMax + 5; ++i) diagnostics.Error("e", std::to_string(i), {});
  CHECK(diagnostics.ErrorCount() == limits::kDiagnosticsMax + 5);
  CHECK(diagnostics.WarningCount() == limits::kDiagnosticsMax);
  CHECK(diagnostics.Dropped() == 1 + limits::kDiagnosticsMax + 5);
  for (const Diagnostic& kept : diagnostics.All()) REQUIRE(kept.severity == Severity::kError);
  const std::string printed = FormatDiagnostics(diagnostics, SourceFiles());
  CHECK(printed.ends_with("note: 206 more problems are not shown; solve these first\n"));
}

TEST_CASE("the nearest name") {
  const std::string_view names[] = {"should", "should_not", "temperature", "temperatures",
                                    "id",     "system",     "no_cache"};
  struct Row {
    std::string_view word;
    std::string_view want;
  };
  const Row rows[] = {
      {"shoud", "should"},
      {"shuold", "should"},
      {"SHOULD", "should"},
      {"should-not", "should_not"},
      {"temprature", "temperature"},
      {"temperature", "temperature"},
      {"noCache", "no_cache"},
      {"xyz", ""},
      {"i", ""},
      {"di", ""},
      {"", ""},
      {"sy", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.word);
    CHECK(DidYouMean(row.word, names) == row.want);
  }
  CHECK(DidYouMean(std::string(100'000, 's'), names).empty());
  CHECK(DidYouMean("x", {}).empty());
}

TEST_CASE("foreign text in quotes") {
  CHECK(Quoted("a \"b\"\n\x01 é") == "\"a \\\"b\\\"\\n\\x01 é\"");
  const std::string cut = Quoted(std::string(limits::kQuotedTextMax + 1, 'x'));
  CHECK(cut == "\"" + std::string(limits::kQuotedTextMax, 'x') + "…\"");
  CHECK(Quoted(std::string(limits::kQuotedTextMax, 'x')) ==
        "\"" + std::string(limits::kQuotedTextMax, 'x') + "\"");
}

TEST_CASE("names of error codes") {
  CHECK(ErrorCodeName(ErrorCode::kInvalidInput) == "invalid-input");
  CHECK(ErrorCodeName(ErrorCode::kCorrupt) == "corrupt");
}

}  // namespace
}  // namespace assay
