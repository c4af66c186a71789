// The lists of credential headers and secret URL parameters, and the hashing of values.
#include "spec/exchange/keyed_headers.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/hash.h"
#include "base/text/ascii.h"

namespace assay {

namespace {

// Headers that say who asks, in lower case: a new token must not have everything asked again.
constexpr std::string_view kCredentialHeaders[] = {"authorization", "proxy-authorization", "x-api-key",
                                                   "api-key", "cookie"};

// What every request has whose suite says nothing else; it stands in no key.
constexpr std::string_view kContentType = "content-type";
constexpr std::string_view kUsualContentType = "application/json";

constexpr std::string_view kHeaders = "headers";
// Members that hold an address, in lower case, without "_" and "-".
constexpr std::string_view kAddressKeys[] = {"url",     "uri",      "baseurl",     "baseuri",   "apiurl",
                                             "apibase", "endpoint", "endpointurl", "serviceurl"};
// A parameter of a URL is secret if its name holds one of these, or is one of those.
constexpr std::string_view kSecretParts[] = {"key", "token", "secret", "passw", "signature", "credential"};
constexpr std::string_view kSecretNames[] = {"auth", "authorization", "sig", "pwd", "pass", "code"};

template <std::size_t kCount>
bool IsOneOf(const std::string_view (&names)[kCount], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string Hashed(std::string_view secret) { return "sha256:" + Hex(Sha256Of(secret)); }

constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// The names of the environment in a header's value (${NAME}, filled in when the request leaves) as they
// stand, and hashes of what is between them.
std::string KeyedHeader(std::string_view value) {
  std::string keyed;
  std::size_t literal = 0;
  for (std::size_t open = value.find("${"); open != std::string_view::npos; open = value.find("${", open)) {
    const std::size_t name = open + 2;
    const std::size_t close = std::min(value.find_first_not_of(kNameCharacters, name), value.size());
    if (close == name || close == value.size() || value[close] != '}') {
      open = name;
      continue;
    }
    if (open > literal) keyed += Hashed(value.substr(literal, open - literal));
    literal = close + 1;
    keyed += value.substr(open, literal - open);
    open = literal;
  }
  if (keyed.empty() || literal < value.size()) keyed += Hashed(value.substr(literal));
  return keyed;
}

// A name as it is read behind the percent signs that may hide it, in lower case.
std::string DecodedName(std::string_view written) {
  const auto digit = [](char c) {
    constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
    return kDigits.find(c);
  };
  std::string name;
  for (std::size_t at = 0; at < written.size(); ++at) {
    const bool may_hide = written[at] == '%' && at + 2 < written.size();
    const std::size_t high = may_hide ? digit(written[at + 1]) : std::string_view::npos;
    const std::size_t low = may_hide ? digit(written[at + 2]) : std::string_view::npos;
    const bool hides = high != std::string_view::npos && low != std::string_view::npos;
    name += hides ? static_cast<char>(high % 16 * 16 + low % 16) : written[at];
    if (hides) at += 2;
  }
  return AsciiLower(name);
}

bool IsSecretParameter(std::string_view written) {
  const std::string name = DecodedName(written);
  return IsOneOf(kSecretNames, name) ||
         std::any_of(std::begin(kSecretParts), std::end(kSecretParts),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

// "a=1&key=…" with hashes of the secret ones.
std::string KeyedParameters(std::string_view query) {
  std::string keyed;
  while (true) {
    const std::size_t end = std::min(query.find_first_of("&;"), query.size());
    const std::string_view parameter = query.substr(0, end);
    const std::size_t equals = parameter.find('=');
    if (equals != std::string_view::npos && IsSecretParameter(parameter.substr(0, equals))) {
      keyed += parameter.substr(0, equals + 1);
      keyed += Hashed(parameter.substr(equals + 1));
    } else {
      keyed += parameter;
    }
    if (end == query.size()) return keyed;
    keyed += query[end];
    query.remove_prefix(end + 1);
  }
}

bool NamesAddress(std::string_view key) {
  // Most names are told apart by their first letter.
  const std::size_t first = key.find_first_not_of("_-");
  if (first == std::string_view::npos) return false;
  const char letter = AsciiLower(key[first]);
  const bool may_be = std::any_of(std::begin(kAddressKeys), std::end(kAddressKeys),
                                  [letter](std::string_view each) { return each.front() == letter; });
  if (!may_be) return false;
  std::string name = AsciiLower(key);
  std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
  return IsOneOf(kAddressKeys, name);
}

Value KeyedMap(const Value& headers) {
  const KeyedHeaders known(headers);
  Map keyed;
  for (const auto& [name, value] : known.all()) keyed.Append(name, value);
  return Value(std::move(keyed));
}

std::optional<Value> Keyed(const Value& described);

std::optional<Value> KeyedMember(const Member& member) {
  if (member.key == kHeaders) return KeyedMap(member.value);
  if (!member.value.is_string()) return Keyed(member.value);
  if (!NamesAddress(member.key)) return std::nullopt;
  std::string url = KeyedUrl(member.value.AsString());
  return url == member.value.AsString() ? std::nullopt : std::optional(Value(std::move(url)));
}

std::optional<Value> KeyedList(const List& described) {
  std::optional<List> copy;
  for (auto item = described.begin(); item != described.end(); ++item) {
    std::optional<Value> keyed = Keyed(*item);
    if (keyed && !copy) copy.emplace(described.begin(), item);
    if (copy) copy->push_back(keyed ? *std::move(keyed) : *item);
  }
  if (!copy) return std::nullopt;
  return Value(*std::move(copy));
}

std::optional<Value> KeyedMembers(const Map& described) {
  std::optional<Map> copy;
  for (const Member* member = described.begin(); member != described.end(); ++member) {
    std::optional<Value> keyed = KeyedMember(*member);
    if (keyed && !copy) {
      copy.emplace();
      for (const Member* before = described.begin(); before != member; ++before)
        copy->Append(before->key, before->value, before->key_span);
    }
    if (copy) copy->Append(member->key, keyed ? *std::move(keyed) : member->value, member->key_span);
  }
  if (!copy) return std::nullopt;
  return Value(*std::move(copy));
}

// Nothing where nothing is to be changed, so that nothing is walked or copied twice.
std::optional<Value> Keyed(const Value& described) {
  std::optional<Value> keyed;
  if (described.is_list()) keyed = KeyedList(described.AsList());
  if (described.is_map()) keyed = KeyedMembers(described.AsMap());
  if (keyed) keyed->span = described.span;
  return keyed;
}

// Between two texts of a JSON list.
constexpr std::string_view kNextInJson = "\",\"";

// Whether a credential in it has been replaced before.
bool HoldsDigest(std::string_view text) {
  constexpr std::string_view kMark = "sha256:";
  constexpr std::size_t kDigits = 64;
  const std::size_t mark = text.find(kMark);
  if (mark == std::string_view::npos) return false;
  const std::string_view digits = text.substr(mark + kMark.size(), kDigits);
  return digits.size() == kDigits && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

KeyedHeaders::KeyedHeaders(const Value& headers) {
  if (!headers.is_map()) return;
  for (const Member& member : headers.AsMap()) {
    if (member.value.is_string()) Add(member.key, member.value.AsString());
  }
}

void KeyedHeaders::Add(std::string_view written_name, std::string_view value) {
  std::string name = AsciiLower(written_name);
  if (IsOneOf(kCredentialHeaders, name)) return;
  if (name == kContentType && value == kUsualContentType) return;
  const std::string keyed = KeyedHeader(value);
  std::string& known = headers_[std::move(name)];
  known += known.empty() ? keyed : ", " + keyed;
}

std::string KeyedUrl(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::size_t host = scheme + 3;
  const std::size_t host_end = std::min(url.find_first_of("/?#", host), url.size());
  std::string keyed(url.substr(0, host));
  const std::size_t at = url.substr(0, host_end).rfind('@');
  const bool names_user = at != std::string_view::npos && at >= host;
  if (names_user) keyed += Hashed(url.substr(host, at - host));
  const std::size_t behind_user = names_user ? at : host;
  const std::size_t query = std::min(url.find('?', host_end), url.size());
  keyed += url.substr(behind_user, query - behind_user);
  if (query == url.size()) return keyed;
  return keyed + '?' + KeyedParameters(url.substr(query + 1));
}

std::string WithoutCredentials(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = std::min({text.find(' '), text.find(kNextInJson), text.size()});
    const std::string_view piece = text.substr(0, end);
    // PROVIDER=URL: an address begins with its scheme.
    std::size_t scheme = std::min(piece.find("://"), piece.size());
    const std::size_t behind = std::max(scheme, piece.find_last_not_of("\"]") + 1);
    while (scheme > 0 && IsAsciiLetter(piece[scheme - 1])) --scheme;
    const std::string_view address = piece.substr(scheme, behind - scheme);
    out += piece.substr(0, scheme);
    out += HoldsDigest(piece) ? std::string(address) : KeyedUrl(address);
    out += piece.substr(behind);
    if (end == text.size()) return out;
    const std::size_t gap = text[end] == ' ' ? 1 : kNextInJson.size();
    out += text.substr(end, gap);
    text.remove_prefix(end + gap);
  }
}

std::optional<Value> KeyedCopyOf(const Value& described) { return Keyed(described); }

}  // namespace assay
