// Settings: what assay.toml and the user's own file say, as it was read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire/secret.h"
#include "dialects/dialect.h"
#include "engine/grants/powers.h"
#include "providers/facts/model_facts.h"
#include "run/limits/run_limits.h"
#include "run/wire/endpoints.h"

namespace assay {

// A setting as it stands in the file, for people.
struct WrittenSetting {
  std::string name;  // "limits.openai.max_in_flight"
  std::string value;
  std::string origin;      // "assay.toml:3"
  bool counts = true;      // false: nobody has trusted it
  bool shapes_run = true;  // false: where something lies, of which no result is a matter
};

// A setting that has an option of its own.
struct OptionSetting {
  std::string_view option;  // "--max-in-flight"
  std::vector<std::string> values;
  std::string origin;
  bool counts = true;
};

// Where the models of some alias are asked. A key stands in the file, in the environment, or in a file.
struct NamedEndpoint {
  std::string provider;
  std::string base_url;
  Secret key = {};
  std::string key_variable = {};
  std::string key_file = {};
  Patience patience = {};
};

struct Settings {
  std::map<std::string, std::vector<std::string>> collections;
  std::map<std::string, ProviderLimits, std::less<>> limits;  // by provider
  std::map<std::string, std::string> base_urls;               // by provider
  std::map<std::string, std::string, std::less<>> key_files;  // by provider
  std::vector<OwnFacts> models;                               // [models] and [prices]
  // [models.NAME] with a `model`, and those of an asky configuration.
  std::map<std::string, ModelAlias, std::less<>> aliases;
  std::vector<NamedEndpoint> endpoints;  // of aliases
  std::string aliases_problem;           // of a file of aliases that cannot be read; "" if none
  std::string search_url;                // [research] search_url, or the asky configuration's searxng_url
  std::optional<std::int64_t> page_timeout_ms;    // the asky configuration's fetch_timeout
  std::optional<std::int64_t> search_timeout_ms;  // and search_timeout
  std::string summarizer_alias;                   // who sums up, as the asky configuration says
  std::vector<std::string> allowed_environment;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> allowed_paths;
  std::vector<std::string> allowed_programs;
  std::vector<std::string> programs;  // command lines of aliases and collections that may be started
  std::vector<OptionSetting> options;
  std::vector<WrittenSetting> written;  // everything, in the file's order
  // Of the folder's file: everything that needs trust, and what of it does not count for lack of it.
  std::vector<Power> powers;
  std::vector<Power> withheld;
  std::set<std::string, std::less<>> trusted;  // the digests of those that count because the user trusts them
};

}  // namespace assay
