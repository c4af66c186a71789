// Reads texts and folder names, and warns of unknown keys.
#include "dialects/research/read/fields.h"

#include <fmt/core.h>

#include "dialects/keys/key.h"
#include "text/python/repr.h"

namespace assay::research {

namespace {

constexpr std::size_t kNameBytesMax = 200;  // file systems take 255, extensions and parts included

}  // namespace

void Fields::Expected(std::string_view key, std::string_view what, std::string_view hint) const {
  const Value* value = owner_.Find(key);
  std::string found = "nothing";
  if (value != nullptr)
    found = value->is_string() ? Quoted(owner_.TextAt(key)) : std::string(KindName(*value));
  diagnostics_.Error("research.field", fmt::format("{}: expected `{}`, {}, found {}", who_, key, what, found),
                     PlaceOf(key), std::string(hint));
}

std::optional<std::string> Fields::Text(std::string_view key) const {
  const std::string_view text = PythonTrim(owner_.TextAt(key));
  if (!text.empty()) return std::string(text);
  const Value* value = owner_.Find(key);
  const bool is_plain = value != nullptr && (value->is_number() || value->is_bool() || value->is_date());
  Expected(key, "a text that is not blank", is_plain ? "put it in quotes to make it a text" : "");
  return std::nullopt;
}

std::optional<std::string> Fields::OptionalText(std::string_view key) const {
  const Value* value = owner_.Find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is_string()) {
    Expected(key, "a text", "put it in quotes to make it a text");
    return std::nullopt;
  }
  const std::string_view text = PythonTrim(owner_.TextAt(key));
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

void Fields::WarnOfUnknown(const KeyPlace& place) const {
  for (const Member& member : owner_.AsMap()) {
    if (FindKey(place, member.key) != nullptr) continue;
    const std::string_view near = NearKey(place, member.key);
    diagnostics_.Warning("research.unknown-key", fmt::format("{}: unknown key {}", who_, Quoted(member.key)),
                         member.key_span,
                         near.empty() ? "it is ignored" : fmt::format("did you mean {}?", near));
  }
}

bool IsFolderName(std::string_view id, std::string_view what, Span where, Diagnostics& diagnostics) {
  const bool is_fine = id != "." && id != ".." && id.size() <= kNameBytesMax &&
                       id.find('/') == std::string_view::npos && id.find('\0') == std::string_view::npos;
  if (!is_fine) {
    diagnostics.Error(
        "research.id",
        fmt::format("the id of {} names a folder or file: expected one name, found {}", what, Quoted(id)),
        where, fmt::format("leave out `/`, `.` and `..` alone, and keep it below {} bytes", kNameBytesMax));
  }
  return is_fine;
}

}  // namespace assay::research
