// Finds scheme and host of a URL by scanning for its delimiters.
#include "base/wire/url.h"

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"

namespace assay {

namespace {

// Host and port, without name and password.
std::string_view PlaceOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view place = url.substr(scheme + 3);
  place = place.substr(0, place.find_first_of("/?#"));
  if (const std::size_t at = place.rfind('@'); at != std::string_view::npos) place.remove_prefix(at + 1);
  return place;
}

}  // namespace

std::string_view HostOf(std::string_view url) {
  const std::string_view host = PlaceOf(url);
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool IsLoopbackUrl(std::string_view url) {
  const std::string host = AsciiLower(HostOf(url));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

std::string SchemeOf(std::string_view url) {
  std::string scheme;
  for (const char c : url) {
    if (static_cast<unsigned char>(c) <= 0x20) continue;
    if (c == ':') return scheme;
    const bool is_letter = IsAsciiLetter(c);
    const bool may_follow = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!is_letter && (scheme.empty() || !may_follow)) return {};
    scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return {};
}

bool IsHttpUrl(std::string_view url) {
  const std::string scheme = SchemeOf(url);
  if (scheme != "http" && scheme != "https") return false;
  const bool is_plain = std::none_of(url.begin(), url.end(), [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) == 0x7f;
  });
  return is_plain && url.substr(scheme.size()).starts_with("://") && url.size() > scheme.size() + 3;
}

bool IsServiceUrl(std::string_view url) {
  if (!IsHttpUrl(url) || HostOf(url).empty()) return false;
  const std::string_view behind_host = PlaceOf(url).substr(HostOf(url).size());
  const std::size_t colon = behind_host.find(':');
  if (colon == std::string_view::npos) return true;
  const std::string_view port = behind_host.substr(colon + 1);
  return std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string ShownUrl(std::string_view url) {
  if (url.find('@') == std::string_view::npos) return Quoted(url);
  return "one that is not shown, since it may hold a password (write \"/\" in it as %2F, \"@\" as %40)";
}

}  // namespace assay
