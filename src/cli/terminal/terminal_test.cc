// Tests of terminal output: widths, tables, escapes, the status line.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/settings/options.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/ui.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/run/pastable_words.h"
#include "text/json/json.h"

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

TEST_CASE("words of a stored command come back as words, whatever quotes they have") {
  const struct {
    std::string_view stored;
    std::string_view want;
  } rows[] = {
      {"suite.yml -m echo:a", "suite.yml -m echo:a"},
      {"suite.yml; touch x", "'suite.yml;' touch x"},
      {"suite.yml $(touch x) `touch x`", "suite.yml '$(touch' 'x)' '`touch' 'x`'"},
      {"suite.yml\ntouch x", "suite.yml touch x"},
      {"'a b'\\; 'c'\\''d'", "'a b;' 'c'\\''d'"},
      {"suite.yml '; touch x", "'suite.yml '\\''; touch x'"},
      {"", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.stored);
    CHECK(PastableWords(row.stored) == row.want);
    CHECK(LeftOutOptions(row.stored).empty());
    CHECK(OwnWords(row.stored) == row.want);
  }
}

TEST_CASE("a stored command asks nobody to paste what trusts, allows or sends elsewhere") {
  const struct {
    std::string_view stored;
    std::string_view want;
  } rows[] = {
      {"s.yml --trust -m 'exec:touch x' --judge 'exec:touch x' --replay none", "s.yml"},
      {"s.yml --trust=aa --limit 3", "s.yml --limit 3"},
      {"s.yml '-mexec:touch x' --model=exec:x -m echo:a,EXEC:x", "s.yml"},
      {"s.yml --model=echo:a --filter=-x", "s.yml --model echo:a"},
      {"s.yml --allow-exec 'touch x' --allow-host h --allow-env N --allow-path / --store postgresql://h/x",
       "s.yml"},
      {"s.yml --base-url openai=http://h/v1 -m http://h/v1 --sandbox none", "s.yml"},
      {"s.yml --filter --trust", "s.yml"},
      {"s.yml -- --trust", "s.yml"},
      {"s.yml - --collections-repo-path /", "s.yml"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.stored);
    CHECK(PastableWords(row.stored) == row.want);
    CHECK(LeftOutNote(LeftOutOptions(row.stored)).starts_with("note: the store names more options"));
    CHECK(PastableWords(PastableWords(row.stored)) == row.want);
  }
  CHECK(LeftOutNote({}).empty());
  CHECK(WithoutStopping("s.yml --until 'a>b' --limit 3 --order-seed=x --within 2 --promise world") ==
        "s.yml --limit 3");
  CHECK(WithoutStopping("'my suite.yml' --until=decided --look-every 5 -j 1") == "'my suite.yml' -j 1");
  CHECK(PastableWords("--trust") == "./--trust");
  CHECK(PastableWords("-x.yml --limit 3") == "./-x.yml --limit 3");
  CHECK(PastableWords("-'") == "'./-'\\'''");
}

TEST_CASE("the file of a stored command is one word of a shell") {
  CHECK(PastableFile("s.yml --limit 3") == "s.yml");
  CHECK(PastableFile("'a --b.yml' --limit 3") == "'a --b.yml'");
  CHECK(PastableFile("s.yml; touch x") == "'s.yml;'");
  CHECK(PastableFile("$(touch\\ x)") == "'$(touch x)'");
  CHECK(PastableFile("--trust") == "./--trust");
  CHECK(PastableFile("'; touch x") == "''\\''; touch x'");
  CHECK(PastableFile("").empty());
}

TEST_CASE("of one's own command all words are shown, and none is a secret") {
  const std::string words = "s.yml --allow-exec 'python3 a.py' --base-url openai=http://me:s3cret@h/v1";
  CHECK(OwnWords(words).starts_with("s.yml --allow-exec 'python3 a.py' --base-url openai=http://sha256:"));
  CHECK(LeftOutOptions(words + " --allow-exec x") == std::vector<std::string>{"--allow-exec", "--base-url"});
}

TEST_CASE("of the options that shape a run, a stored command has those without power") {
  constexpr std::string_view kPowers[] = {
      "--replay",        "--base-url",   "--allow-env", "--allow-host",
      "--allow-exec",    "--allow-path", "--sandbox",   "--collections-repo-path",
      "--snapshot-root", "--env-file"};
  for (const OptionRow& row : OptionTable()) {
    if (!row.shapes_run || !row.TakenBy("run")) continue;
    const std::string name(row.LongName());
    CAPTURE(name);
    const bool has_power = std::find(std::begin(kPowers), std::end(kPowers), name) != std::end(kPowers);
    const std::string words = "s.yml " + name + (row.value.empty() ? "" : " 1");
    CHECK(PastableWords(words) == (has_power ? "s.yml" : words));
  }
}

TEST_CASE("addresses in commands have no credentials, and are changed once") {
  const std::string words = "--base-url openai=http://me:s3cret@h/v1 --base-url a=HTTPS://h?api_key=s3cret";
  const std::string shown = PastableWords(words);
  CHECK(shown.find("s3cret") == std::string::npos);
  CHECK(shown.find("--base-url openai=http://sha256:") != std::string::npos);
  CHECK(PastableWords(shown) == shown);
  CHECK(WithoutCredentials("exec:curl http://me:s3cret@h/ -x http://me:s3cret@h").find("s3cret") ==
        std::string::npos);
  CHECK(WithoutCredentials("a://b") == "a://b");
  const std::string list = WithoutCredentials(R"(["http://me:s3cret@h/","http://h/v1?key=s3cret"])");
  CHECK(list.find("s3cret") == std::string::npos);
  CHECK(list.starts_with(R"(["http://sha256:)"));
  CHECK(list.ends_with(R"("])"));
  CHECK(WithoutCredentials("\"]") == "\"]");
  CHECK(WithoutCredentials("suite.yml") == "suite.yml");
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

TEST_CASE("a table that is too wide is folded: texts first, then the last columns stand below") {
  TextTable table({{"case"}, {"score", Align::kRight}, {"why it did not pass"}});
  table.Add({"loop", "✓ 1.00", ""});
  table.Add({"undo", "✗ 0.25", "the answer names the wrong command and says nothing of the branch"});
  CHECK(table.Text({.columns = 40}) ==
        "case   score  why it did not pass\n"
        "loop  ✓ 1.00\n"
        "undo  ✗ 0.25  the answer names the wrong\n"
        "              command and says nothing\n"
        "              of the branch\n");
  CHECK(table.Text({.columns = 24}) ==
        "case   score\n"
        "loop  ✓ 1.00\n"
        "undo  ✗ 0.25\n"
        "\n"
        "case  why it did not\n"
        "      pass\n"
        "loop\n"
        "undo  the answer names\n"
        "      the wrong\n"
        "      command and says\n"
        "      nothing of the\n"
        "      branch\n");
  CHECK(table.Text({.columns = 400}) == table.Text());
}

TEST_CASE("a word that is wider than its column stays whole, and what stands behind it comes below") {
  TextTable table({{"name"}, {"what it is"}});
  table.Add({"a", "short"});
  table.Add({"fireworks:accounts/models/kimi", "a model of many words"});
  CHECK(table.Text({.columns = 40}) ==
        "name                    what it is\n"
        "a                       short\n"
        "fireworks:accounts/models/kimi\n"
        "                        a model of many\n"
        "                        words\n");
  table.Add({"fireworks:accounts/models/glm", ""});
  CHECK(table.Text({.columns = 40}).ends_with("\nfireworks:accounts/models/glm\n"));
  table.Add({"漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "no blanks anywhere"});  // wider than the screen
  for (const std::string_view line :
       {"漢字漢字漢字漢字漢字漢  no blanks\n", "字漢字漢字漢字漢字漢字  anywhere\n"}) {
    CAPTURE(line);
    CHECK(table.Text({.columns = 40}).find(line) != std::string::npos);
  }
}

TEST_CASE("colours are by state, and only where there are any") {
  const Screen colored{.columns = 0, .has_color = true};
  CHECK(InColorOfState("✓ 1.00", colored) == "\x1b[32m✓ 1.00\x1b[0m");
  CHECK(InColorOfState("✗ 0.25", {}) == "✗ 0.25");
  CHECK(InColorOfState("0.25", colored) == "0.25");
  CHECK(ProblemsInColor("a.yml:1:2: error: x: warning: y\nwarning: z\nno error\n", colored) ==
        "a.yml:1:2: \x1b[31merror:\x1b[0m x: warning: y\n\x1b[33mwarning:\x1b[0m z\nno error\n");
}

TEST_CASE("text is folded at blanks, and words stay whole unless they have to be cut") {
  CHECK(FoldLines("one two three", 0, 4) == "one two three");
  CHECK(FoldLines("one two three four five six", 24, 4) == "one two three four\n    five six");
  CHECK(LinesOf("a verylongword", 6, 8) == std::vector<std::string>{"a", "verylo", "ngword"});
  CHECK(LinesOf("a verylongword", 6, 12) == LinesOf("a verylongword", 6));
  CHECK(LinesOf("a verylongword", 6) == std::vector<std::string>{"a", "verylongword"});
  CHECK(LinesOf("", 6) == std::vector<std::string>{""});
}

TEST_CASE("counts and durations") {
  CHECK(CountText(0) == "0");
  CHECK(CountText(999) == "999");
  CHECK(CountText(1000) == "1,000");
  CHECK(CountText(1234567) == "1,234,567");
  CHECK(DurationText(std::chrono::seconds(42)) == "0:42");
  CHECK(DurationText(std::chrono::seconds(3723)) == "1:02:03");
}

TEST_CASE(
    "the time left counts from what was done first, and only after two rounds of what goes on at once") {
  using std::chrono::seconds;
  Progress progress;
  progress.cells_total = 40;
  progress.in_flight_reached = 2;
  progress.work[0] = {.done = 0, .total = 40};
  PaceStart pace;
  const auto left_at = [&](seconds elapsed, std::uint64_t done) {
    progress.cells_done = done;
    progress.work[0].done = done;
    pace.See(progress, elapsed);
    const Result<Value> json = ParseJson(ProgressJson(progress, elapsed, "progress", pace));
    const Value* left = json->Find("left_ms");
    return left->is_null() ? -1.0 : left->AsNumber();
  };
  // A program takes 20 s to start and one for an answer, two at a time.
  CHECK(left_at(seconds(20), 0) == -1);
  CHECK(left_at(seconds(21), 2) == -1);
  CHECK(left_at(seconds(22), 4) == -1);
  CHECK(left_at(seconds(23), 6) == 17'000);
  CHECK(left_at(seconds(30), 20) == 10'000);
}

TEST_CASE("the status line says only what there is to say") {
  Progress progress;
  progress.cells_total = 2000;
  CHECK(ProgressLine(progress, std::chrono::seconds(0)) == "0/2,000 cells · 0:00");
  progress.cells_done = 500;
  progress.in_flight = 8;
  progress.in_flight_asked = 10;
  progress.sent = 488;
  progress.reused = 12;
  progress.errors = 1;
  CountOf(progress.errors_by_class, ErrorCode::kTimeout) = 1;
  progress.retries = 3;
  CountOf(progress.retries_by_class, ErrorCode::kRateLimited) = 2;
  CountOf(progress.retries_by_class, ErrorCode::kNetwork) = 1;
  progress.cost_nano_usd = 100'000'000;
  progress.cells_paid = 500;
  progress.work[0] = {.done = 500, .total = 2000};
  progress.work[1] = {.done = 900, .total = 4000};
  progress.usage = {.input_tokens = 12'000, .output_tokens = 345, .known = true};
  CHECK(ProgressLine(progress, std::chrono::seconds(10)) ==
        "500/2,000 cells · 0:34 left · 8/10 in flight · 48.8/s · 1 error (1 timeout) · "
        "3 retries (1 network, 2 rate-limited) · $0.10 of about $0.40 · 12k tokens · verdicts 900/4,000 · "
        "12 reused · 0:10");
  const Result<Value> json = ParseJson(ProgressJson(progress, std::chrono::seconds(10), "progress"));
  REQUIRE(json.has_value());
  CHECK(json->Find("verdicts_done")->AsNumber() == 900);
  CHECK(json->Find("retries")->Find("rate-limited")->AsNumber() == 2);
  CHECK(json->Find("waits_for")->is_null());
}

TEST_CASE("output is recorded while a recorder lives, and then where it was recorded before") {
  std::FILE* const nowhere = std::fopen("/dev/null", "w");
  REQUIRE(nowhere != nullptr);
  std::vector<OutputText> outer;
  std::vector<OutputText> inner;
  {
    Ui ui(nowhere, nowhere, {});
    ui.Note("before");
    {
      const OutputRecorder recorder(ui, &outer);
      ui.Out("first");
      {
        const OutputRecorder none(ui, nullptr);
        ui.Note("not recorded");
        const OutputRecorder nested(ui, &inner);
        ui.Problem("nested");
      }
      ui.Problem("last");
    }
    ui.Note("after");
  }
  std::fclose(nowhere);
  REQUIRE(outer.size() == 2);
  CHECK(outer[0].text == "first");
  CHECK(outer[1].text == "last");
  CHECK(outer[1].on == OutputText::On::kProblem);
  REQUIRE(inner.size() == 1);
  CHECK(inner[0].text == "nested");
}

}  // namespace
TEST_CASE("a link is written as terminals read it, whatever the path") {
  CHECK(AsLink("page", "/a b/ü\x1b", {}) == "page");
  CHECK(AsLink("page", "/a b/\x1b", {.has_links = true}) ==
        "\x1b]8;;file:///a%20b/%1B\x1b\\page\x1b]8;;\x1b\\");
}

}  // namespace assay
