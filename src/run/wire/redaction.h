// Redactor: replaces API keys in replies and errors before anything of them is stored or shown; a service may
// repeat a key in any usual encoding.
#pragma once

#include <string>

#include "base/errors/error.h"
#include "run/wire/endpoints.h"
#include "run/wire/key_search.h"
#include "spec/exchange/request.h"

namespace assay {

// Finds the keys of a run in texts, in the encodings of key_search.h. A value of fewer than 8 characters is
// no secret that could be told from words, and stays. Keep it while texts are redacted; it holds copies of
// the keys.
class Redactor {
 public:
  Redactor() = default;  // of no keys
  explicit Redactor(const Endpoints& endpoints);
  void Add(const Secret& key);

  // Puts "[secret]" in place of each; whether there was one.
  bool Redact(std::string& text) const;
  // The same in every text of a reply, of what a system under test tells of its turn, and of an error.
  bool Redact(Reply& reply) const;
  bool Redact(HttpReply& reply) const;
  bool Redact(Error& error) const;

 private:
  bool RedactValue(Value& value) const;

  KeySearch keys_;
};

}  // namespace assay
