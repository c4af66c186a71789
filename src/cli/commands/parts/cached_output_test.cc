// What a command said, kept and read again.
#include "cli/commands/parts/cached_output.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kReadMs = 1'000'000'000'000;

CachedOutput Example() {
  return {.asked = "00ff",
          .files = {{"suite.yml",
                     {.exists = true,
                      .inode = 18'446'744'073'709'551'615U,
                      .size_bytes = 12,
                      .changed_ns = (kReadMs - 1'000) * kNsPerMs + 1,
                      .touched_ns = (kReadMs - 1'000) * kNsPerMs + 2}},
                    {"suite.replay.jsonl", {}}},
          .written = {"results/report.html"},
          .said = {{OutputText::On::kOut, "a table\n"},
                   {OutputText::On::kNote, "wrote it"},
                   {OutputText::On::kProblem, "warning"}},
          .code = ExitCode::kMissed};
}

TEST_CASE("what was said is read as it was written") {
  const CachedOutput written = Example();
  const Result<CachedOutput> read = DecodeCachedOutput(EncodeCachedOutput(written, kReadMs));
  REQUIRE(read.has_value());
  CHECK(read->asked == written.asked);
  CHECK(read->files == written.files);
  CHECK(read->written == written.written);
  CHECK(read->code == written.code);
  REQUIRE(read->said.size() == written.said.size());
  for (std::size_t i = 0; i < read->said.size(); ++i) {
    CHECK(read->said[i].on == written.said[i].on);
    CHECK(read->said[i].text == written.said[i].text);
  }
}

TEST_CASE("what would move a cursor is not said again") {
  const std::string sequences[] = {"\x1b[2J",
                                   "\x1b]0;gone\x07",
                                   "\xc2\x9b"
                                   "2J",
                                   "\r",
                                   "\x1b[",
                                   "\x1b",
                                   "\u202e",
                                   "\x1b]8;;http://x\x1b\\",
                                   std::string(1, '\0')};
  for (const std::string& sequence : sequences) {
    CAPTURE(sequence);
    CachedOutput written = Example();
    written.said[0].text = "a " + sequence + " table\n";
    CHECK_FALSE(DecodeCachedOutput(EncodeCachedOutput(written, kReadMs)).has_value());
  }
  CachedOutput colored = Example();
  colored.said[0].text = "\x1b[1;32m0.50\x1b[0m ✓\n\n";
  CHECK(DecodeCachedOutput(EncodeCachedOutput(colored, kReadMs)).has_value());
}

TEST_CASE("a file that changed right before it was read is not relied on") {
  CachedOutput again = Example();
  again.files["suite.yml"].changed_ns = (kReadMs - 1) * kNsPerMs;
  CHECK(EncodeCachedOutput(again, kReadMs).empty());
  again = Example();
  again.files["suite.yml"].touched_ns = (kReadMs - 1) * kNsPerMs;
  CHECK(EncodeCachedOutput(again, kReadMs).empty());
}

TEST_CASE("long words are not kept") {
  CachedOutput again = Example();
  again.said.push_back({OutputText::On::kOut, std::string(20'000, 'x')});
  CHECK(EncodeCachedOutput(again, kReadMs).empty());
}

TEST_CASE("what a damaged store says is not said") {
  const std::string text = EncodeCachedOutput(Example(), kReadMs);
  for (std::size_t length = 0; length < text.size(); ++length)
    CHECK(!DecodeCachedOutput(std::string_view(text).substr(0, length)).has_value());
  const std::pair<std::string_view, std::string_view> damages[] = {{"\"v\":1", "\"v\":2"},
                                                                   {"\"code\":3", "\"code\":130"},
                                                                   {"\"code\":3", "\"code\":-1"},
                                                                   {"[0,\"a table", "[3,\"a table"},
                                                                   {"[0,\"a table", "[\"0\",\"a table"},
                                                                   {"\"12\"", "\"1x\""},
                                                                   {"\"12\"", "12"}};
  for (const auto& [what, instead] : damages) {
    CAPTURE(instead);
    std::string damaged = text;
    const std::size_t at = damaged.find(what);
    REQUIRE(at != std::string::npos);
    damaged.replace(at, what.size(), instead);
    CHECK(!DecodeCachedOutput(damaged).has_value());
  }
}

}  // namespace
}  // namespace assay
