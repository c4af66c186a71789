// Writes and reads the names of ways to ask.
#include "dialects/blueprint/rows/askings.h"

#include <fmt/core.h>

#include <charconv>

namespace assay::blueprint {

namespace {

constexpr std::string_view kSystemPart = "sp_idx:";
constexpr std::string_view kSeedPart = "shots:";

}  // namespace

std::string AskingName::Text() const {
  std::string text;
  if (system) text = fmt::format("{}{}", kSystemPart, *system);
  if (seed) text += fmt::format("{}{}{}", text.empty() ? "" : " ", kSeedPart, *seed);
  return text;
}

AskingName AskingNameOf(std::string_view text) {
  AskingName name;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (part.starts_with(kSystemPart)) {
      std::size_t index = 0;
      std::from_chars(part.data() + kSystemPart.size(), part.data() + part.size(), index);
      name.system = index;
    } else if (part.starts_with(kSeedPart)) {
      name.seed = std::string(part.substr(kSeedPart.size()));
    }
  }
  return name;
}

std::string AskingOfSeed(std::string_view seed) { return AskingName{.seed = std::string(seed)}.Text(); }

std::string AskingOfSystem(std::size_t index, std::string_view rest) {
  AskingName name = AskingNameOf(rest);
  name.system = index;
  return name.Text();
}

}  // namespace assay::blueprint
