// Reads everything about the network from options, environment and assay.toml: API keys, base URLs,
// deadlines, grants of hosts and environment variables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "engine/grants/granted.h"
#include "io/http/transport.h"
#include "run/wire/endpoints.h"

namespace assay {

// Base URLs (--base-url first, then the provider's own name in the environment, OPENAI_BASE_URL, then
// assay.toml), keys, and what --allow-env, --allow-host and assay.toml grant.
// The file that a provider's key stands in, where the environment has none; "" if there is none. `base_url`:
// of a model that the user gives a name; "" for wherever the provider is.
std::string KeyFileOf(std::string_view provider, std::string_view base_url, const Settings& settings);

// The address that --base-url gives the provider.
std::optional<std::string> GivenBaseUrl(const RunSpec& spec, std::string_view provider);
Endpoints ReadEndpoints(const RunSpec& spec, const Granted& granted, Diagnostics& diagnostics);
std::map<std::string, std::string> BaseUrlsOf(const Endpoints& endpoints);
// Deadlines, trusted certificates (SSL_CERT_FILE) and the name of this program.
HttpOptions NetworkOptions(const Granted& granted);

// What programs of exec: see of the environment: all of it but keys of providers, variables of AWS and of
// PostgreSQL (AWS_*, PG*) and a store's address with a password, unless --allow-env names them.
std::vector<std::string> EnvironmentOfPrograms(const Granted& granted);

}  // namespace assay
