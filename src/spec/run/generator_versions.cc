// Reads and writes the versions of generators as JSON.
#include "spec/run/generator_versions.h"

#include "text/json/json.h"

namespace assay {

std::string EncodeGeneratorVersions(const GeneratorVersions& versions) {
  if (versions.empty()) return {};
  Map map;
  for (const auto& [name, version] : versions) map.Append(name, static_cast<double>(version));
  return WriteJson(Value(std::move(map)), JsonStyle::kJavaScript);
}

Result<GeneratorVersions> DecodeGeneratorVersions(std::string_view text) {
  constexpr double kVersionsMax = 1e9;
  GeneratorVersions versions;
  if (text.empty()) return versions;
  const Error corrupt{ErrorCode::kCorrupt, "the store is damaged: versions of generators cannot be read"};
  const Result<Value> map = ParseJson(text);
  if (!map || !map->is_map()) return corrupt;
  for (const Member& member : map->AsMap()) {
    const double version = member.value.is_number() ? member.value.AsNumber() : -1;
    if (!(version >= 0 && version <= kVersionsMax)) return corrupt;
    versions.emplace(member.key, static_cast<std::uint32_t>(version));
  }
  return versions;
}

}  // namespace assay
