// Which headers and URL parts of a suite enter keys and stored suites, and in which form: values that may be
// secret are hashed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// By name in lower case, in order of the names. Headers that say who asks are left out: a new token must not
// have everything asked again. Names of the environment stand as written; of any other part of a value only
// its hash does, since a key is stored and a header may hold a secret.
class KeyedHeaders {
 public:
  KeyedHeaders() = default;
  explicit KeyedHeaders(const Value& headers);  // a map of texts; anything else has none

  void Add(std::string_view written_name, std::string_view value);
  const std::map<std::string, std::string>& all() const { return headers_; }

 private:
  std::map<std::string, std::string> headers_;
};

// The URL with hashes in place of its name and password, and of those parameters whose names say that they
// are secret (key, api_key, token, sig, ...). Any other text comes back as it is.
std::string KeyedUrl(std::string_view url);

// The text with names, passwords and keys of the addresses in it as digests; digests stay.
std::string WithoutCredentials(std::string_view text);

// A model, service or check as a suite describes it ({url, headers, ...}), or anything that holds such
// descriptions, with keyed headers and URLs in place of its own; nothing where there is nothing to replace.
std::optional<Value> KeyedCopyOf(const Value& described);

}  // namespace assay
