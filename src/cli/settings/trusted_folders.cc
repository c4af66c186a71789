// Reads and writes trusted.json of the state folder: {"/a/folder": {"digest": "…", "powers": ["…", …]}, …}.
#include "cli/settings/trusted_folders.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/hash.h"
#include "engine/state/state_folder.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::string_view kFileName = "trusted.json";
constexpr std::string_view kPowers = "powers";

std::string PathOf(const std::string& folder) {
  std::error_code problem;
  std::string path = std::filesystem::canonical(folder, problem).string();
  return problem ? std::string() : path;
}

std::set<std::string, std::less<>> DigestsAt(const Value& file, const std::string& path) {
  std::set<std::string, std::less<>> digests;
  for (const Value& digest : file.MapAt(path).ListAt(kPowers)) {
    if (digest.is_string()) digests.insert(digest.AsString());
  }
  return digests;
}

// Of the sorted list: by it the whole is known.
std::string DigestOfAll(const std::set<std::string, std::less<>>& digests) {
  Sha256 all;
  for (const std::string& digest : digests) all.Update(digest + "\n");
  return Hex(all.Finish());
}

}  // namespace

std::set<std::string, std::less<>> RememberedPowers(const std::string& folder) {
  const std::string path = PathOf(folder);
  const Result<StateFolder> state = StateFolder::Open();
  if (path.empty() || !state) return {};
  const Result<std::string> text = state->Read(kFileName);
  const Result<Value> file = text ? ParseJson(*text) : Result<Value>(Value(Map{}));
  return file ? DigestsAt(*file, path) : std::set<std::string, std::less<>>();
}

Status RememberPowers(const std::string& folder, const std::vector<Power>& powers) {
  const std::string path = PathOf(folder);
  if (path.empty()) return Error{ErrorCode::kNotFound, fmt::format("there is no folder {}", Quoted(folder))};
  ASSAY_TRY(const StateFolder state, StateFolder::Open());
  return state.Update(kFileName, [&](std::string text) -> Result<std::string> {
    Result<Value> file = text.empty() ? Result<Value>(Value(Map{})) : ParseJson(text);
    if (!file || !file->is_map()) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("expected a map of folders in {}/{}, found something else; remove the file",
                               state.path(), kFileName)};
    }
    std::set<std::string, std::less<>> digests = DigestsAt(*file, path);
    for (const Power& power : powers) digests.insert(DigestOf(power));
    file->AsMap().Set(path, Object{{"digest", DigestOfAll(digests)}, {kPowers, ArrayOf(digests)}});
    return WriteJson(*file, JsonStyle::kJavaScript2) + "\n";
  });
}

}  // namespace assay
