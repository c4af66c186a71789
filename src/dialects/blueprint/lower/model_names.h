// Splits the id of a variant for display: which model of which maker, at which temperature and system prompt.
// Calls go by the id itself. Source: weval 51dc4d3 (spec: blueprint 9.3).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::blueprint {

struct ModelName {
  std::string base;   // "google:gemini-2.5-flash": one name for a model by whatever route it is asked
  std::string maker;  // "GOOGLE", "UNKNOWN"; "" for the ideal answer
  std::optional<double> temperature;
  std::optional<double> system_index;
  std::string system_hash;  // "[sys:1a2b]" as older runs have it, else ""
};

// "openrouter:google/gemini-2.5-flash-preview[temp:0.7]" -> google:gemini-2.5-flash, GOOGLE, 0.7
ModelName ParseModelName(std::string_view variant_id);

// "OPENAI" -> "OpenAI"
std::string MakerTitle(std::string_view maker);

// A base without provider and maker: "gpt-4o". kTitle: "GPT 4o".
enum class NameStyle { kPlain, kTitle };
std::string ShortModelName(std::string_view base, NameStyle style);

}  // namespace assay::blueprint
