// The headers that a suite gives a request of its own, as far as keys and stored suites know them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// By name in lower case, in order of the names. Headers that say who asks are left out: a new token must not
// have everything asked again. A value that names the environment stands as written; of any other only its
// hash does, since a key is stored and a header may hold a secret.
class KeyedHeaders {
 public:
  KeyedHeaders() = default;
  explicit KeyedHeaders(const Value& headers);  // a map of texts; anything else has none

  void Add(std::string_view written_name, std::string_view value);
  const std::map<std::string, std::string>& all() const { return headers_; }

 private:
  std::map<std::string, std::string> headers_;
};

// Whether it, or anything in it, has a member `headers`.
bool HoldsHeaders(const Value& value);
// A model or service as a suite describes it ({url, headers, ...}), or anything that holds such descriptions,
// with keyed headers in place of its own.
Value WithKeyedHeaders(const Value& described);

}  // namespace assay
