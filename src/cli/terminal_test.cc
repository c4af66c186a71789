// What reaches the terminal: widths, tables, escapes, the status line.
#include <doctest/doctest.h>

#include "cli/progress.h"
#include "cli/text_table.h"
#include "cli/ui.h"

namespace assay {
namespace {

TEST_CASE("widths follow the terminal, not bytes") {
  const struct {
    std::string_view text;
    std::size_t width;
  } rows[] = {{"", 0}, {"abc", 3}, {"–", 1}, {"é", 1}, {"e\u0301", 1}, {"漢字", 4}, {"🙂", 2}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(DisplayWidth(row.text) == row.width);
  }
}

TEST_CASE("cutting keeps whole characters and says that it cut") {
  CHECK(CutToWidth("abcdef", 6) == "abcdef");
  CHECK(CutToWidth("abcdefg", 6) == "abcde…");
  CHECK(CutToWidth("漢字漢字", 6) == "漢字…");
  CHECK(CutToWidth("abc", 1) == "…");
}

TEST_CASE("foreign text cannot steer the terminal") {
  const std::string hostile = "\x1b[2J\a\b\r\n\u202eabc\u200b";
  for (const std::string& shown : {Printable(hostile), PrintableLines(hostile)}) {
    for (const char* control : {"\x1b", "\a", "\b", "\r", "\u202e", "\u200b"}) {
      CHECK(shown.find(control) == std::string::npos);
    }
  }
  CHECK(Printable("a\nb").find('\n') == std::string::npos);
  CHECK(PrintableLines("a\nb") == "a\nb");
}

TEST_CASE("columns are aligned and lines have no trailing blanks") {
  TextTable table({{"name"}, {"n", Align::kRight}, {"note"}});
  table.Add({"漢字", "1", ""});
  table.Add({"a", "1,000", "x"});
  CHECK(table.Text() ==
        "name      n  note\n"
        "漢字      1\n"
        "a     1,000  x\n");
}

TEST_CASE("counts and durations") {
  CHECK(CountText(0) == "0");
  CHECK(CountText(999) == "999");
  CHECK(CountText(1000) == "1,000");
  CHECK(CountText(1234567) == "1,234,567");
  CHECK(DurationText(std::chrono::seconds(42)) == "0:42");
  CHECK(DurationText(std::chrono::seconds(3723)) == "1:02:03");
}

TEST_CASE("the status line says only what there is to say") {
  Progress progress;
  progress.cells_total = 2000;
  CHECK(ProgressLine(progress, std::chrono::seconds(0)) == "0/2,000 cells · 0:00");
  progress.cells_done = 500;
  progress.in_flight = 8;
  progress.reused = 12;
  progress.errors = 1;
  progress.retries = 3;
  progress.usage = {.input_tokens = 12'000, .output_tokens = 345, .known = true};
  CHECK(ProgressLine(progress, std::chrono::seconds(10)) ==
        "500/2,000 cells · 8 in flight · 12 reused · 1 errors · 3 retries · 12k tokens · 0:10 · 0:30 left");
}

}  // namespace
}  // namespace assay
