// Keeps harmless ids as file names; replaces characters and adds a hash where they are not.
#include "dialects/blueprint/write/names.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "text/javascript/number.h"

namespace assay::blueprint {
namespace {

constexpr std::size_t kNameBytesMax = 150;
constexpr std::size_t kHashDigits = 12;
constexpr std::string_view kVariantReplaced = ":/\\?#%[]";

bool IsUnsafe(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '/' || c == '\\' || byte < 0x20 || byte == 0x7f;
}

std::string WithHash(std::string name, std::string_view id) {
  if (name.size() > kNameBytesMax) {
    std::size_t cut = kNameBytesMax;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xc0) == 0x80)
      --cut;  // not inside a character
    name.resize(cut);
  }
  return name + "-" + HexPrefix(Sha256Of(id), kHashDigits);
}

}  // namespace

std::string SafeTimestamp(std::int64_t ms) {
  std::string text = JsIsoDate(ms);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ':' || c == '.'; }, '-');
  return text;
}

std::string ResultFolder(std::string_view suite_id) { return "live/blueprints/" + PathPart(suite_id); }

std::string SummaryFolder(std::string_view suite_id) {
  constexpr std::string_view kPullRequest = "_pr_";
  if (!suite_id.starts_with(kPullRequest)) return ResultFolder(suite_id);
  const std::string_view rest = suite_id.substr(kPullRequest.size());
  const std::size_t end = rest.find_first_not_of("0123456789");
  const bool has_both = end != std::string_view::npos && end > 0 && rest[end] == '_' && end + 1 < rest.size();
  if (!has_both) return ResultFolder(suite_id);
  return "live/pr-evals/" + PathPart(rest.substr(0, end)) + "/" + PathPart(rest.substr(end + 1));
}

std::string PathPart(std::string_view id) {
  std::string name(id);
  std::replace_if(name.begin(), name.end(), IsUnsafe, '_');
  const bool is_dots = name.find_first_not_of('.') == std::string::npos;  // also the empty id
  const bool changed = name != id || is_dots || name.ends_with(".json") || name.size() > kNameBytesMax;
  if (is_dots) name.assign(name.size(), '_');
  return changed ? WithHash(std::move(name), id) : name;
}

std::vector<std::string> VariantFileNames(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const std::string& id : ids) {
    std::string name = id;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return kVariantReplaced.find(c) != std::string_view::npos; },
        '_');
    name = PathPart(name);
    if (!used.insert(name).second) name = WithHash(std::move(name), id);
    used.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace assay::blueprint
