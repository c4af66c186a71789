// InputHash: a digest over named words that cannot run into each other.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace assay {

class InputHash {
 public:
  void Add(std::string_view name, std::string_view text) {
    hash_.Update(fmt::format("{} {}:", name, text.size()));
    hash_.Update(text);
  }
  void Add(std::string_view name, const std::vector<std::string>& texts) {
    hash_.Update(fmt::format("{} of {} ", texts.size(), name));
    for (const std::string& text : texts) Add(name, text);
  }
  Digest Finish() { return hash_.Finish(); }

 private:
  Sha256 hash_;
};

}  // namespace assay
