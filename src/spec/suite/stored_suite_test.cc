// Tests that suites come back as they were stored, and that the digest follows each field that decides
// something.
#include "spec/suite/stored_suite.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <limits>

#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/packed/compress.h"

namespace assay {
namespace {

Value Odd() {
  Map map;
  map.Set("10", 1);
  map.Set("9", Value(std::int64_t{2}));
  map.Set("nothing", Null{});
  map.Set("list", List{Value(), std::nan(""), -0.0, "\xed\xa0\x80", Date{86'400'000}, true});
  Map disguised;
  disguised.Set("__int", "2");
  map.Set("disguised", std::move(disguised));
  return Value(std::move(map));
}

Suite MakeSuite() {
  Suite suite;
  suite.id = "s";
  suite.title = "A title\nwith \"marks\"";
  suite.dialect = "blueprint";
  suite.compat = Compat::kWeval;
  suite.files = {{.path = "a.yml", .sha256 = "ab"}};
  suite.details = Odd();
  Variant variant;
  variant.id = "m[temp:0.5]";
  variant.provider = "openai";
  variant.params = {
      .temperature = 0.5, .max_tokens = std::numeric_limits<std::int64_t>::max(), .stop = {"x"}};
  variant.system = "";
  suite.variants = {variant, {}};
  suite.judges.resize(2);
  suite.backup_judge.emplace().model = "b";
  suite.embedder.emplace();
  suite.error_marker.emplace().open = "<e>";
  suite.services = {{.name = "f", .settings = Odd()}};
  suite.concurrency = 7;
  Case first;
  first.id = "one";
  Turn question;
  question.role = Role::kUser;
  question.text = "q";
  Turn answer;
  answer.role = Role::kAssistant;
  answer.kind = TurnKind::kGenerate;
  first.turns = {question, answer};
  Check& check = first.checks.emplace_back();
  check.id = "c";
  check.kind = "contains";
  check.args = "x";
  check.weight = 0.1;
  check.invert = true;
  first.tree.children.emplace_back().op = CheckNode::Op::kLeaf;
  first.ideal = "";
  first.null_score = 1;
  first.variants.edit() = {1};
  first.attempts = 0;
  suite.cases = {first, {}};
  return suite;
}

TEST_CASE("a suite comes back as it was stored") {
  const std::string text = EncodeSuite(MakeSuite());
  const Result<Suite> again = DecodeSuite(text);
  REQUIRE(again);
  CHECK(EncodeSuite(*again) == text);
  CHECK(DigestOf(*again) == DigestOf(MakeSuite()));
  CHECK(SameValue(again->details, Odd()));
  CHECK(WriteJson(again->details, JsonStyle::kJavaScript) == WriteJson(Odd(), JsonStyle::kJavaScript));
  CHECK(again->variants[0].system == "");
  CHECK_FALSE(again->variants[1].system);
  CHECK(again->cases[0].attempts == 0U);
  CHECK(again->cases[0].ideal == "");
  CHECK(again->cases[1].weight == 1);
}

TEST_CASE("a packed suite is found by its text") {
  const PackedSuite packed = PackSuite(MakeSuite());
  CHECK(packed.digest == Sha256Of(EncodeSuite(MakeSuite())));
  CHECK(EncodeSuite(*UnpackSuite(packed.frame, packed.digest)) == EncodeSuite(MakeSuite()));
  CHECK(UnpackSuite(packed.frame.substr(1), packed.digest).error().code == ErrorCode::kCorrupt);
  Suite other = MakeSuite();
  other.cases[0].weight = 7;
  CHECK(UnpackSuite(PackSuite(other).frame, packed.digest).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("many short cases in a few bytes are damage, and cases that repeat a lot are none") {
  Compressor compressor;
  const std::string text = EncodeSuite(MakeSuite());
  std::string many = text.substr(0, text.find('\n') + 1);
  for (int i = 0; i < 300'000; ++i) many += "{\"id\":\"a\"}\n";
  compressor.Append(many);
  CHECK(UnpackSuite(compressor.Finish(), Sha256Of(many)).error().code == ErrorCode::kCorrupt);

  Suite suite = MakeSuite();
  Case the_case = suite.cases[0];
  the_case.checks.resize(100, the_case.checks.empty() ? Check() : the_case.checks[0]);
  suite.cases.clear();
  for (int i = 0; i < 2'000; ++i) {
    the_case.id = "c" + std::to_string(i);
    suite.cases.push_back(the_case);
  }
  const PackedSuite packed = PackSuite(suite);
  const Result<Suite> back = UnpackSuite(packed.frame, packed.digest);
  REQUIRE(back.has_value());
  CHECK(back->cases.size() == suite.cases.size());
}

TEST_CASE("a stored suite with a name that none can be is damaged") {
  const std::string hostile[] = {"x\ntouch PWNED", "\x1b[2J", "\u202ex", std::string("a\0b", 3)};
  for (const std::string& name : hostile) {
    CAPTURE(name);
    Suite suites[] = {MakeSuite(), MakeSuite(), MakeSuite(), MakeSuite(), MakeSuite(), MakeSuite()};
    suites[0].variants[0].id = name;
    suites[1].variants[0].model_id = name;
    suites[2].variants[0].label = name;
    MediaPart part{.type = "image/png", .sha256 = {}, .name = name, .address = {}};
    suites[3].cases[0].turns.emplace_back().media.edit() = {part};
    part = {.type = name, .sha256 = {}, .name = {}, .address = {}};
    suites[4].cases[0].turns.emplace_back().media.edit() = {part};
    suites[5].cases[0].documents.edit().emplace_back().path = name;
    for (const Suite& suite : suites) {
      const PackedSuite packed = PackSuite(suite);
      const Result<Suite> back = UnpackSuite(packed.frame, packed.digest);
      REQUIRE_FALSE(back);
      CHECK(back.error().code == ErrorCode::kCorrupt);
      CHECK(back.error().message.find("touch PWNED\n") == std::string::npos);
    }
  }
}

TEST_CASE("details that are not those of the suite's dialect are damaged") {
  const struct {
    std::string_view dialect;
    std::string_view suite;
    std::string_view one;
    bool is_good = false;
  } rows[] = {
      {"infibench", "", R"("details":{"fields":{},"bounds":{}})", true},
      {"infibench", "", R"("id":"c")"},
      {"infibench", "", R"("details":null)"},
      {"infibench", "", R"("details":{"fields":{}})"},
      {"infibench", "", R"("details":{"bounds":{}})"},
      {"infibench", "", R"("details":{"fields":[],"bounds":{}})"},
      {"infibench", "", R"("details":{"fields":{},"bounds":3})"},
      {"infibench", "", R"("details":{"fields":{},"bounds":{},"is_full_score_whole":1})"},
      {"blueprint", "", R"("details":{"promptIndex":0})", true},
      {"blueprint", "", R"("details":{"promptIndex":"0"})"},
      {"blueprint", R"(,"details":{"config":[]})", R"("id":"c")"},
      {"blueprint", R"(,"details":[])", R"("id":"c")"},
      {"research", R"(,"details":{"output_root":1})", R"("id":"c")"},
      {"research", R"(,"variants":[{"id":"r"}])", R"("id":"c")"},
      {"research", R"(,"variants":[{"id":"r","profile":{"id":"r"}}])", R"("id":"c")", true},
      {"research", R"(,"variants":[{"id":"r","profile":{"id":"r"},"details":{"parameters":0}}])",
       R"("id":"c")"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.suite);
    CAPTURE(row.one);
    const Result<Suite> suite = DecodeSuite(fmt::format(
        "{{\"v\":1,\"suite\":{{\"dialect\":\"{}\"{}}}}}\n{{{}}}\n", row.dialect, row.suite, row.one));
    CHECK(suite.has_value() == row.is_good);
    if (!suite) CHECK(suite.error().code == ErrorCode::kCorrupt);
  }
}

TEST_CASE("fields that have their default take no room") {
  Suite suite;
  suite.cases.emplace_back().id = "one";
  CHECK(EncodeSuite(suite) == "{\"v\":1,\"suite\":{}}\n{\"id\":\"one\"}\n");
}

// Askings were queries, and the two generators of turns one: the bytes, and so the digests, stayed.
TEST_CASE("the suite of a matrix is stored in the words of before") {
  Suite suite;
  Variant& variant = suite.variants.emplace_back();
  variant.id = "r";
  variant.provider = "exec";
  variant.profile = Profile{.id = "r", .source_provider = std::string(kLocalSnapshot)};
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "c";
  the_case.generator = "turn";
  the_case.askings.edit() = {{.name = std::string(kLocalSnapshot), .text = "q", .sources = {"a.txt"}}};
  const std::string text =
      "{\"v\":1,\"suite\":{\"variants\":[{\"id\":\"r\",\"provider\":\"exec\","
      "\"profile\":{\"id\":\"r\",\"source_provider\":\"local_snapshot\"}}]}}\n"
      "{\"id\":\"c\",\"generator\":\"turn\",\"queries\":[{\"provider\":\"local_snapshot\",\"text\":\"q\","
      "\"sources\":[\"a.txt\"]}]}\n";
  CHECK(EncodeSuite(suite) == text);
  const Suite back = DecodeSuite(text).value();
  REQUIRE(AskingOf(back.cases[0], back.variants[0]) != nullptr);
  CHECK(AskedText(back.cases[0], back.variants[0]) == "q");
  CHECK(DigestOf(back) == DigestOf(suite));
}

TEST_CASE("the digest follows what decides, and nothing else") {
  const Digest digest = DigestOf(MakeSuite());
  const auto digest_after = [](const std::function<void(Suite&)>& change) {
    Suite suite = MakeSuite();
    change(suite);
    return DigestOf(suite);
  };
  const std::function<void(Suite&)> deciding[] = {
      [](Suite& s) { s.variants[0].params.max_tokens = 1; },
      [](Suite& s) { s.variants[0].params.top_p = 1; },
      [](Suite& s) { s.variants[0].params.seed = 1; },
      [](Suite& s) { s.variants[0].params.stop.clear(); },
      [](Suite& s) { s.judges[0].params.max_tokens = 1; },
      [](Suite& s) { s.cases[0].checks[0].regex_flavour = RegexFlavour::kPython; },
      [](Suite& s) { s.error_marker.reset(); },
      [](Suite& s) { std::swap(s.cases[0].full_score, s.cases[0].null_score); },
      [](Suite& s) { s.cases.pop_back(); },
  };
  for (const auto& change : deciding) CHECK(digest_after(change) != digest);
  const std::function<void(Suite&)> told[] = {
      [](Suite& s) { s.files[0].sha256 = "cd"; },
      [](Suite& s) { s.concurrency = 1; },
      [](Suite& s) { s.toolchains.emplace_back().digest = "d"; },
      [](Suite& s) { s.cases[0].span.length = 3; },
  };
  for (const auto& change : told) CHECK(digest_after(change) == digest);
}

TEST_CASE("credentials that a suite writes in place are not stored") {
  Map headers;
  headers.Set("Authorization", "Bearer one");
  headers.Set("X-Tenant", "two");
  headers.Set("X-Region", "${REGION}");
  Map described;
  described.Set("url", "https://a.example/");
  described.Set("headers", std::move(headers));
  Suite suite;
  suite.variants.emplace_back().custom = Value(described);
  Map details;
  details.Set("models", List{Value(described)});
  suite.details = Value(std::move(details));
  suite.services.push_back({.name = "s", .settings = Value(described)});
  const std::string text = EncodeSuite(suite);
  for (const std::string_view secret : {"Bearer", "one", "\"two\"", "uthorization"})
    CHECK(text.find(secret) == std::string::npos);
  CHECK(text.find("${REGION}") != std::string::npos);
  const Digest digest = DigestOf(suite);
  described.Find("headers")->AsMap().Set("Authorization", "Bearer other");
  suite.variants[0].custom = Value(described);
  CHECK(DigestOf(suite) == digest);
  described.Find("headers")->AsMap().Set("X-Tenant", "three");
  suite.variants[0].custom = Value(described);
  CHECK(DigestOf(suite) != digest);
}

TEST_CASE("the digest is that of the text without what is only told, wherever that stands") {
  Suite plain;
  plain.title = "t";
  plain.variants.resize(1);
  plain.cases.resize(2);
  plain.cases[0].id = "a";
  plain.cases[0].temperature = 1;
  plain.cases[1].temperature = 0.5;
  Suite told = plain;
  told.files.push_back({});
  told.concurrency = 7;
  told.variants[0].label = "M";
  told.cases[0].cluster = "in the middle";
  told.cases[1].cluster = "first";
  told.cases[1].is_flaky = true;
  const PackedSuite packed = PackSuite(told);
  CHECK(packed.digest == Sha256Of(EncodeSuite(told)));
  CHECK(packed.digest != Sha256Of(EncodeSuite(plain)));
  CHECK(packed.suite_digest == Sha256Of(EncodeSuite(plain)));
  CHECK(DigestOf(told) == packed.suite_digest);
}

TEST_CASE("what nobody can have written is refused") {
  const std::string text = EncodeSuite(MakeSuite());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    const Result<Suite> cut = DecodeSuite(std::string_view(text).substr(0, length));
    if (cut) CHECK(text[length] != '}');  // only at a line's end is what is left a suite
  }
  CHECK(DecodeSuite("{\"v\":2,\"suite\":{}}\n").error().code == ErrorCode::kUnsupported);
  CHECK(DecodeSuite("{\"v\":1,\"suite\":{\"of_tomorrow\":1}}\n").error().code == ErrorCode::kUnsupported);
  CHECK(DecodeSuite("{\"v\":1,\"suite\":{\"title\":1}}\n").error().code == ErrorCode::kCorrupt);
  CHECK(DecodeSuite("{\"v\":1,\"suite\":{\"compat\":-1}}\n").error().code == ErrorCode::kCorrupt);
  CHECK(DecodeSuite("[]").error().code == ErrorCode::kCorrupt);
  // What a plan relies on, from a store that somebody else made.
  for (const std::string_view suite :
       {R"({"attempts":0})", R"({"attempts":4000000000})", R"({"judge_reading":9})"})
    CHECK(DecodeSuite("{\"v\":1,\"suite\":" + std::string(suite) + "}\n").error().code ==
          ErrorCode::kCorrupt);
  for (const std::string_view one :
       {R"({"variants":[0]})", R"({"tree":{"op":2}})", R"({"tree":{"children":[{"op":2,"check":7}]}})",
        R"({"tree":{"op":77}})", R"({"attempts":4000000000})", R"({"turns":[{"role":200}]})",
        R"({"weight":1e308})"})
    CHECK(DecodeSuite("{\"v\":1,\"suite\":{}}\n" + std::string(one) + "\n").error().code ==
          ErrorCode::kCorrupt);
}

TEST_CASE("toolchains come back") {
  const std::vector<Toolchain> none;
  CHECK(EncodeToolchains(none).empty());
  CHECK(DecodeToolchains("")->empty());
  const std::string text =
      EncodeToolchains({{.language = "python", .digest = "d", .missing = "", .absent = {"numpy"}}});
  CHECK(DecodeToolchains(text)->front().digest == "d");
  CHECK(DecodeToolchains(text)->front().absent == std::vector<std::string>{"numpy"});
}

}  // namespace
}  // namespace assay
