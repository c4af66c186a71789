// Walks all members of a suite's fields and checks those whose keys name an address.
#include "dialects/addresses.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/wire/url.h"

namespace assay {

namespace {

// In lower case, without "_" and "-".
constexpr std::string_view kAddressKeys[] = {"url",     "uri",      "baseurl",     "baseuri", "apiurl",
                                             "apibase", "endpoint", "endpointurl", "service", "serviceurl"};

bool NamesAddress(std::string_view key) {
  std::string name;
  for (const char c : key) {
    if (c == '_' || c == '-') continue;
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return std::find(std::begin(kAddressKeys), std::end(kAddressKeys), name) != std::end(kAddressKeys);
}

class AddressWalk {
 public:
  AddressWalk(std::string_view code, Diagnostics& diagnostics) : code_(code), diagnostics_(diagnostics) {}

  void Visit(const Member& member) {
    if (member.value.is_string()) {
      if (NamesAddress(member.key)) CheckAddress(member.key, member.value);
    } else {
      VisitInside(member.value);
    }
  }

 private:
  // As deep as readers of files let a value be nested.
  void VisitInside(const Value& value) {
    if (value.is_map()) {
      for (const Member& member : value.AsMap()) Visit(member);
    } else if (value.is_list()) {
      for (const Value& item : value.AsList()) VisitInside(item);
    }
  }

  void CheckAddress(std::string_view key, const Value& address) {
    const std::string scheme = SchemeOf(address.AsString());
    if (scheme.empty() || scheme == "http" || scheme == "https") return;
    diagnostics_.Error(
        std::string(code_),
        fmt::format("{}: expected an address that begins with http:// or https://, found {}", key,
                    Quoted(address.AsString())),
        address.span,
        "a suite reaches the network only; programs and recordings are for the command line to name");
  }

  std::string_view code_;
  Diagnostics& diagnostics_;
};

}  // namespace

void RefuseForeignAddresses(const Map& fields, std::span<const std::string_view> for_readers,
                            std::string_view code, Diagnostics& diagnostics) {
  AddressWalk walk(code, diagnostics);
  for (const Member& member : fields) {
    if (std::find(for_readers.begin(), for_readers.end(), member.key) == for_readers.end())
      walk.Visit(member);
  }
}

}  // namespace assay
