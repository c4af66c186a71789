// Keys that come back: whoever is sent a key can repeat it, in words or in any usual encoding, and nothing of
// it is kept.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "run/wire/endpoints.h"
#include "spec/request.h"

namespace assay {

// Finds the keys of a run in texts: as they are; with any of their characters written as an escape of JSON,
// JavaScript, URLs, HTML or mail; in base64 (of both alphabets, within a longer text too) or hex. A value of
// fewer than 8 characters is no secret that could be told from words, and stays. Keep it while texts are
// redacted; it holds copies of the keys.
class Redactor {
 public:
  Redactor() = default;  // of no keys
  explicit Redactor(const Endpoints& endpoints);

  // Puts "[secret]" in place of each; whether there was one.
  bool Redact(std::string& text) const;
  // The same in every text of a reply, of what a system under test tells of its turn, and of an error.
  bool Redact(Reply& reply) const;
  bool Redact(HttpReply& reply) const;
  bool Redact(Error& error) const;

 private:
  struct Needle {
    Secret bytes;
    bool may_be_escaped = false;
  };
  // Every way in which a value may stand in a text.
  void Add(std::string_view value);
  void AddNeedle(std::string bytes, bool may_be_escaped);
  std::size_t MatchAt(std::string_view text, std::size_t at) const;  // bytes; 0: no key begins here
  bool RedactValue(Value& value) const;

  std::vector<Needle> needles_;
  std::array<std::vector<std::uint32_t>, 256> by_first_byte_;  // of `needles_`
};

}  // namespace assay
