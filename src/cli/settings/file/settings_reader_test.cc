// Tests of the kinds of settings: which keys of a folder's assay.toml need trust.
#include "cli/settings/file/settings_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <type_traits>

#include "text/toml.h"

namespace assay {
namespace {

// A key without a kind does not build.
using Row = SettingsReader::Row;
static_assert(!std::is_default_constructible_v<Row>);
static_assert(!std::is_constructible_v<Row, std::string_view, std::string_view, Row::Read>);
static_assert(std::is_constructible_v<Row, std::string_view, std::string_view, SettingKind, Row::Read>);

using TrustedDigests = std::set<std::string, std::less<>>;

Settings ReadText(std::string_view text, const TrustedDigests* trusted, const Settings& own = {}) {
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add("assay.toml", std::string(text));
  const Value value = ReadToml(file, sources.Text(file), diagnostics);
  Settings settings = SettingsReader(sources, diagnostics, trusted, own).Read(value);
  CHECK(diagnostics.All().empty());
  return settings;
}

// One setting of each key, and whether it needs trust.
struct KeyExample {
  std::string_view table;
  std::string_view key;
  std::string_view text;
  bool needs_trust;
};
constexpr KeyExample kExamples[] = {
    {"collections", "*", "[collections]\nA = ['openai:a']", false},
    {"collections", "*", "[collections]\nA = ['exec:a b']", true},
    {"limits", "max_in_flight", "[limits]\nmax_in_flight = 10", false},
    {"limits", "max_in_flight", "[limits]\nmax_in_flight = 11", true},
    {"limits", "requests_per_min", "[limits]\nrequests_per_min = 1000000", false},
    {"limits", "tokens_per_min", "[limits]\ntokens_per_min = 1000000", false},
    {"limits", "budget_usd", "[limits]\nbudget_usd = 1000", false},
    {"limits", "budget_tokens", "[limits]\nbudget_tokens = 1000", false},
    {"limits", "max_errors", "[limits]\nmax_errors = 0", false},
    {"limits", "max_errors", "[limits]\nmax_errors = '1%'", true},
    {"limits", "timeout", "[limits]\ntimeout = 601", true},
    {"limits", "idle_timeout", "[limits]\nidle_timeout = 121", true},
    {"limits", "max_retries", "[limits]\nmax_retries = 6", true},
    {"limits", "max_retries", "[limits]\nmax_retries = 5", false},
    {"limits", "patience", "[limits]\npatience = 601", true},
    {"limits", "patience", "[limits]\npatience = 600", false},
    {"limits", "max_time", "[limits]\nmax_time = 80000", false},
    {"limits", "batch_wait", "[limits]\nbatch_wait = 5", false},
    {"limits", "*", "[limits.openai]\nmax_in_flight = 11", true},
    {"limits.*", "max_in_flight", "[limits.openai]\nmax_in_flight = 9", false},
    {"limits.*", "requests_per_min", "[limits.openai]\nrequests_per_min = 9", false},
    {"limits.*", "tokens_per_min", "[limits.openai]\ntokens_per_min = 9", false},
    {"run", "stream", "[run]\nstream = true", false},
    {"run", "batch", "[run]\nbatch = true", false},
    {"run", "store", "[run]\nstore = 'postgresql://eve@db.example/runs'", true},
    {"providers", "*", "[providers.openai]\nkey_file = 'key'", true},
    {"providers.*", "key_file", "[providers.openai]\nkey_file = '~/key'", true},
    {"report", "pass_at", "[report]\npass_at = 0.4", false},
    {"report", "pass_attempts", "[report]\npass_attempts = 0.6", false},
    {"prices", "*", "[prices]\n'openai:a' = {input = 1, output = 2}", true},
    {"prices", "*", "[prices]\n'openai:a' = {tiers = {flex = 0.4}, tools_usd = {web_search = 0.02}}", true},
    {"models", "*", "[models.'openai:a']\nmax_output = 5", true},
    {"models.*", "model", "[models.a]\nmodel = 'openai:a'", false},
    {"models.*", "model", "[models.a]\nmodel = 'exec:a'", true},
    {"models.*", "base_url", "[models.a]\nmodel = 'openai:a'\nbase_url = 'https://a.example'", true},
    {"models.*", "key_env", "[models.a]\nmodel = 'openai:a'\nbase_url = 'https://a.example'\nkey_env = 'A'",
     true},
    {"models.*", "key_file", "[models.a]\nmodel = 'openai:a'\nbase_url = 'https://a.example'\nkey_file = 'A'",
     true},
    {"models.*", "parameters", "[models.a]\nmodel = 'openai:a'\nparameters = {seed = 1}", false},
    {"models.*", "context_tokens", "[models.a]\nmodel = 'openai:a'\ncontext_tokens = 32001", true},
    {"models.*", "max_turns", "[models.a]\nmodel = 'openai:a'\nmax_turns = 20", false},
    {"models.*", "max_turns", "[models.a]\nmodel = 'openai:a'\nmax_turns = 21", true},
    {"models.*", "shortlist", "[models.a]\nmodel = 'openai:a'\nshortlist = false", false},
    {"base_urls", "*", "[base_urls]\nopenai = 'https://a.example'", true},
    {"allow", "env", "[allow]\nenv = ['A']", true},
    {"allow", "hosts", "[allow]\nhosts = ['a']", true},
    {"allow", "paths", "[allow]\npaths = ['/']", true},
    {"allow", "exec", "[allow]\nexec = ['a']", true},
    {"judges", "models", "[judges]\nmodels = ['openai:a']", false},
    {"judges", "models", "[judges]\nmodels = ['openai:a', 'exec:a']", true},
    {"research", "search_url", "[research]\nsearch_url = 'https://a.example'", true},
    {"research", "summarizer", "[research]\nsummarizer = 'openai:a'", true},
    {"research", "embedder", "[research]\nembedder = 'none'", false},
    {"research", "embedder", "[research]\nembedder = 'openai:a'", true},
};

TEST_CASE("every key of assay.toml is harmless or a power, as its row says") {
  const TrustedDigests nothing;
  for (const KeyExample& each : kExamples) {
    CAPTURE(each.text);
    const Settings folder = ReadText(each.text, &nothing);
    CHECK(folder.withheld.empty() != each.needs_trust);
    for (const Power& power : folder.withheld) CHECK_FALSE(power.says.empty());
    // The user's own file needs no trust, and what is trusted counts.
    CHECK(ReadText(each.text, nullptr).powers.empty());
    const TrustGiven all{.everything = true, .digests = {}, .remembered = {}};
    const TrustedDigests trusted = TrustedOf(folder.powers, all);
    CHECK(ReadText(each.text, &trusted).withheld.empty());
  }
}

TEST_CASE("no key is without an example") {
  for (const Row& row : SettingsReader::Rows()) {
    CAPTURE(row.table);
    CAPTURE(row.key);
    CHECK(std::any_of(std::begin(kExamples), std::end(kExamples), [&row](const KeyExample& each) {
      return each.table == row.table && each.key == row.key;
    }));
  }
}

TEST_CASE("a limit is measured by the user's own") {
  const TrustedDigests nothing;
  const Settings own = ReadText("[limits]\nbudget_usd = 5\nmax_retries = 9\nmax_errors = '5%'", nullptr);
  CHECK(ReadText("[limits]\nbudget_usd = 5", &nothing, own).withheld.empty());
  CHECK(ReadText("[limits]\nbudget_usd = 6", &nothing, own).withheld.size() == 1);
  CHECK(ReadText("[limits]\nmax_retries = 9", &nothing, own).withheld.empty());
  CHECK(ReadText("[limits]\nmax_errors = 3", &nothing, own).withheld.size() == 1);
  // What it is measured by is no part of what is trusted.
  CHECK(DigestOf(ReadText("[limits]\nbudget_usd = 6", &nothing, own).powers) ==
        DigestOf(ReadText("[limits]\nbudget_usd = 6", &nothing).powers));
}

TEST_CASE("the digest is of all powers, in any order, and of every part of them") {
  const TrustedDigests nothing;
  const auto digest = [&nothing](const std::string& text) {
    return DigestOf(ReadText(text, &nothing).powers);
  };
  const std::string both = digest("[allow]\nenv = ['A', 'B']");
  CHECK(both == digest("[allow]\nenv = ['B', 'A']"));
  CHECK(both != digest("[allow]\nenv = ['A']"));
  CHECK(both != digest("[allow]\nhosts = ['A', 'B']"));
  CHECK(digest("[models.a]\nmodel = 'openai:a'\nbase_url = 'https://a.example'\nkey_env = 'A'") !=
        digest("[models.a]\nmodel = 'openai:a'\nbase_url = 'https://a.example'\nkey_env = 'B'"));
  CHECK(IsPowersDigest(both));
}

TEST_CASE("a digest of one power trusts that power alone") {
  const TrustedDigests nothing;
  const auto powers = ReadText("[allow]\nenv = ['A']\nhosts = ['h']\nexec = ['x']", &nothing).powers;
  REQUIRE(powers.size() == 3);
  const auto trusted = [&powers](std::vector<std::string> digests) {
    return TrustedOf(powers, {.everything = false, .digests = std::move(digests), .remembered = {}});
  };
  CHECK(trusted({DigestOf(powers)}).size() == 3);
  CHECK(trusted({DigestOf(powers[1])}) == TrustedDigests{DigestOf(powers[1])});
  CHECK(trusted({DigestOf(powers[0]), DigestOf(powers[2])}).size() == 2);
  const auto other = ReadText("[allow]\nhosts = ['i']", &nothing).powers;
  CHECK(trusted({DigestOf(other)}).empty());
}

TEST_CASE("an alias of a folder is known, and has no address, key or program until it is trusted") {
  const TrustedDigests nothing;
  const Settings folder = ReadText(
      "[models.a]\nmodel = 'openai:a'\nbase_url = 'https://a.example'\nkey_env = 'K'\n"
      "[models.b]\nmodel = 'exec:b c'",
      &nothing);
  CHECK(folder.aliases.at("a").untrusted);
  CHECK(folder.aliases.at("b").model == "exec:b c");
  CHECK(folder.endpoints.empty());
  CHECK(folder.programs.empty());
  const Settings turns = ReadText("[models.a]\nmodel = 'openai:a'\nmax_turns = 200", &nothing);
  CHECK(turns.aliases.at("a").agent.max_turns == AgentModel().max_turns);
}

TEST_CASE("an endpoint is known by its provider's name in small letters, as requests have it") {
  const Settings own = ReadText("[models.a]\nmodel = 'OpenAI:a'\nbase_url = 'https://a.example'", nullptr);
  REQUIRE(own.endpoints.size() == 1);
  CHECK(own.endpoints.front().provider == "openai");
}

TEST_CASE("a limit of one provider is measured by the user's own of it, else by his own of all") {
  const TrustedDigests nothing;
  struct Row {
    const char* own;
    const char* folder;
    bool is_withheld;
  };
  constexpr Row kRows[] = {
      {"[limits]\nmax_in_flight = 2", "[limits.openai]\nmax_in_flight = 3", true},
      {"[limits]\nmax_in_flight = 2", "[limits.openai]\nmax_in_flight = 2", false},
      {"[limits]\nmax_in_flight = 20", "[limits.openai]\nmax_in_flight = 20", false},
      {"[limits]\nrequests_per_min = 6", "[limits.openai]\nrequests_per_min = 7", true},
      {"[limits]\ntokens_per_min = 6", "[limits.openai]\ntokens_per_min = 7", true},
      {"[limits]\ntokens_per_min = 6", "[limits.openai]\nrequests_per_min = 7", false},
      {"[limits]\nmax_in_flight = 2\n[limits.openai]\nmax_in_flight = 5",
       "[limits.openai]\nmax_in_flight = 5", false},
      {"[limits]\nmax_in_flight = 2\n[limits.openai]\nrequests_per_min = 5",
       "[limits.openai]\nmax_in_flight = 5", true},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.own);
    CAPTURE(row.folder);
    const Settings own = ReadText(row.own, nullptr);
    CHECK(ReadText(row.folder, &nothing, own).withheld.size() == (row.is_withheld ? 1 : 0));
  }
}

}  // namespace
}  // namespace assay
