// Which headers enter keys, and how.
#include "spec/keyed_headers.h"

#include <algorithm>
#include <iterator>

#include "base/hash.h"

namespace assay {

namespace {

// Headers that say who asks, in lower case: a new token must not have everything asked again.
constexpr std::string_view kCredentialHeaders[] = {"authorization", "proxy-authorization", "x-api-key",
                                                   "api-key", "cookie"};

// What every request has whose suite says nothing else; it stands in no key.
constexpr std::string_view kContentType = "content-type";
constexpr std::string_view kUsualContentType = "application/json";

// ${NAME}, which is filled in when the request leaves.
bool NamesEnvironment(std::string_view text) {
  const std::size_t open = text.find("${");
  return open != std::string_view::npos && text.find('}', open) != std::string_view::npos;
}

constexpr std::string_view kHeaders = "headers";

}  // namespace

bool HoldsHeaders(const Value& value) {
  if (value.is_list()) return std::any_of(value.AsList().begin(), value.AsList().end(), HoldsHeaders);
  if (!value.is_map()) return false;
  return std::any_of(value.AsMap().begin(), value.AsMap().end(), [](const Member& member) {
    return member.key == kHeaders || HoldsHeaders(member.value);
  });
}

KeyedHeaders::KeyedHeaders(const Value& headers) {
  if (!headers.is_map()) return;
  for (const Member& member : headers.AsMap()) {
    if (member.value.is_string()) Add(member.key, member.value.AsString());
  }
}

void KeyedHeaders::Add(std::string_view written_name, std::string_view value) {
  std::string name;
  for (const char c : written_name) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::find(std::begin(kCredentialHeaders), std::end(kCredentialHeaders), name) !=
      std::end(kCredentialHeaders)) {
    return;
  }
  if (name == kContentType && value == kUsualContentType) return;
  std::string keyed = NamesEnvironment(value) ? std::string(value) : "sha256:" + Hex(Sha256Of(value));
  std::string& known = headers_[std::move(name)];
  known += known.empty() ? keyed : ", " + keyed;
}

Value WithKeyedHeaders(const Value& described) {
  if (!HoldsHeaders(described)) return described;
  if (described.is_list()) {
    List list;
    for (const Value& item : described.AsList()) list.push_back(WithKeyedHeaders(item));
    return Value(std::move(list));
  }
  Map map;
  for (const Member& member : described.AsMap()) {
    if (member.key != kHeaders) {
      map.Append(member.key, WithKeyedHeaders(member.value));
      continue;
    }
    const KeyedHeaders headers(member.value);
    Map keyed;
    for (const auto& [name, value] : headers.all()) keyed.Append(name, value);
    map.Append(member.key, std::move(keyed));
  }
  return Value(std::move(map));
}

}  // namespace assay
