// The names of the ways to ask one prompt, between which variants choose: by the seed of its examples, and by
// the system prompt of the header where rows fill it in. "sp_idx:0 shots:2".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::blueprint {

struct AskingName {
  std::optional<std::size_t> system = {};  // index into the header's
  std::optional<std::string> seed = {};

  // Whether a variant of the other name is asked so: what this one leaves open is the same for all.
  bool Takes(const AskingName& other) const {
    return (!system || system == other.system) && (!seed || seed == other.seed);
  }
  std::string Text() const;
};

AskingName AskingNameOf(std::string_view text);
std::string AskingOfSeed(std::string_view seed);
std::string AskingOfSystem(std::size_t index, std::string_view rest);

}  // namespace assay::blueprint
