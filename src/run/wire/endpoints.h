// Endpoints: what the user, never a suite, said about the outside: where providers are, their keys, and what
// of the environment and of the private network a suite may use. The rules of trust are applied here, in one
// place, right before a request leaves.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/errors/result.h"
#include "base/wire/secret.h"
#include "base/wire/wire.h"
#include "run/wire/signed/aws_signature.h"
#include "spec/exchange/request.h"

namespace assay {

// How long and how often one endpoint is asked; what is absent, the run says.
struct Patience {
  std::optional<std::chrono::milliseconds> timeout = {};  // of one try
  std::optional<int> max_retries = {};
  std::optional<std::chrono::milliseconds> backoff = {};  // before the first further try; it doubles
  std::optional<std::chrono::milliseconds> backoff_max = {};
};

struct Endpoint {
  std::string base_url;  // "" for the provider's own
  Secret key;            // empty if there is none
  Patience patience = {};
  std::optional<AwsKeys> aws = {};  // signs requests that have no key
  std::string key_variable = {};    // that was to hold the key and does not; "": none is needed
  std::string key_holder = {};      // the variable that holds the key; "": none does
  std::string key_problem = {};     // why the file that was to hold the key does not do; "": it does
  // Of a key in a file, which somebody may renew; null: it stays.
  std::function<Result<Secret>()> read_key = {};
  std::optional<TimePoint> renewed_at = {};

  // After a refusal of the key that a request carried which left at `sent_at`: whether there is another one
  // by now, for which the file may be read again.
  bool HasOtherKey(TimePoint sent_at, TimePoint now);
};

struct Endpoints {
  std::map<std::string, Endpoint, std::less<>> providers;  // where nobody names a URL
  // Further ones of a provider, by its name and their URL: of models that the user gives a name.
  std::map<std::pair<std::string, std::string>, Endpoint> named;
  Endpoint factcheck;                                      // where `$factcheck` asks; its key is sent along
  std::map<std::string, Secret, std::less<>> environment;  // what --allow-env grants, as far as it is set
  std::vector<std::string> hosts;                          // what --allow-host grants
  std::string search_url = {};  // where the research agent searches the web, without a slash at its end
  // Providers and URLs of names that only a cloned folder gives: nothing is sent there.
  std::set<std::pair<std::string, std::string>> untrusted = {};
  // Words of the command lines that the user named, or allowed a suite to name.
  std::vector<std::vector<std::string>> programs;
  std::chrono::milliseconds timeout{0};  // of one try; 0: the transport's default
  bool streams = false;                  // answers of models come piece by piece, from providers that can
  bool leaves_stream_out = false;        // requests of chats do not say that they are answered whole

  // Null if nothing is known. `base_url`: the request's; empty for wherever the provider is.
  const Endpoint* Find(std::string_view provider, std::string_view base_url = {}) const;
  Endpoint* Find(std::string_view provider, std::string_view base_url = {});
  // Whether a model of this provider may be asked: a program that only a suite names may not.
  Status MayAsk(std::string_view provider, std::string_view model) const;
};

// Completes an encoded request: the key of its provider, if the request goes to the provider's own URL or to
// the user's, or the key that the user gave for its URL; headers of a custom model or of a service, with
// ${NAME} of the environment; where it may lead. kRefused names what the user would have to allow.
Status Authorise(const Endpoints& endpoints, const Request& request, HttpRequest& wire);

}  // namespace assay
