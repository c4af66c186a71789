// Reading assay.toml.
#include "cli/settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "text/toml.h"

namespace assay {

namespace {

constexpr std::string_view kKeys[] = {"collections"};

void ReadCollection(const Member& member, Settings& settings, Diagnostics& diagnostics) {
  const bool is_name = !member.key.empty() && std::none_of(member.key.begin(), member.key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == ':' || c == '/';
  });
  if (!is_name) {
    diagnostics.Error("settings.collection", fmt::format("{} cannot name a collection", Quoted(member.key)),
                      member.key_span, "use capitals, digits, - and _: anything else is read as a model");
  }
  const bool is_list =
      member.value.is_list() && std::all_of(member.value.AsList().begin(), member.value.AsList().end(),
                                            [](const Value& model) { return model.is_string(); });
  if (!is_list) {
    diagnostics.Error("settings.collection",
                      fmt::format("collection {}: expected a list of models, found {}", Quoted(member.key),
                                  KindName(member.value)),
                      member.value.span, "write [\"provider:model\", ...]");
    return;
  }
  std::vector<std::string>& models = settings.collections[member.key];
  for (const Value& model : member.value.AsList()) models.push_back(model.AsString());
}

}  // namespace

Settings ReadSettings(FileReader& files, SourceFiles& sources, Diagnostics& diagnostics) {
  Settings settings;
  if (!files.Exists(kSettingsPath)) return settings;
  const Result<std::string> text = files.Read(kSettingsPath);
  if (!text) {
    diagnostics.Error("settings.unreadable", text.error().message, {});
    return settings;
  }
  const FileId file = sources.Add(kSettingsPath, *text);
  const Value value = ReadToml(file, *text, diagnostics);
  if (!value.is_map()) return settings;
  for (const Member& member : value.AsMap()) {
    if (member.key == "collections" && member.value.is_map()) {
      for (const Member& collection : member.value.AsMap()) ReadCollection(collection, settings, diagnostics);
    } else if (member.key == "collections") {
      diagnostics.Error("settings.collection",
                        fmt::format("collections: expected a table, found {}", KindName(member.value)),
                        member.value.span, "write [collections], then NAME = [\"provider:model\", ...]");
    } else {
      const std::string_view near = DidYouMean(member.key, kKeys);
      diagnostics.Warning("settings.unknown-key",
                          fmt::format("unknown key {} in assay.toml", Quoted(member.key)), member.key_span,
                          near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
    }
  }
  return settings;
}

}  // namespace assay
