// Parses scheme, host, port and IPv4 addresses as far as accepting or refusing a URL needs.
#include "dialects/blueprint/read/url.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/text/ascii.h"
#include "base/text/percent.h"

namespace assay::blueprint {

namespace {

// Blanks around and line breaks and tabs within are dropped before anything else is looked at.
std::string Stripped(std::string_view text) {
  const auto is_outer = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_outer(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_outer(text.back())) text.remove_suffix(1);
  std::string stripped(text);
  std::erase_if(stripped, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return stripped;
}

// One part of an IPv4 address: decimal, octal with a leading 0, or hexadecimal with 0x.
std::optional<std::uint64_t> Ipv4Part(std::string_view part) {
  if (part.empty()) return std::nullopt;
  int base = 10;
  if (part.size() >= 2 && part[0] == '0' && (part[1] | 0x20) == 'x') {
    base = 16;
    part.remove_prefix(2);
  } else if (part.size() >= 2 && part[0] == '0') {
    base = 8;
    part.remove_prefix(1);
  }
  std::uint64_t number = 0;
  for (const char c : part) {
    const int digit = HexDigitValue(c);
    if (digit < 0 || digit >= base) return std::nullopt;
    number = std::min<std::uint64_t>(number * static_cast<unsigned>(base) + static_cast<unsigned>(digit),
                                     std::uint64_t{1} << 40);
  }
  return number;
}

// A host whose last label is a number must be an IPv4 address.
bool IsAcceptableIpv4(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::string_view last = host.substr(host.rfind('.') + 1);
  const bool all_digits = !last.empty() && std::all_of(last.begin(), last.end(), IsAsciiDigit<char>);
  if (!all_digits && !Ipv4Part(last)) return true;
  int parts = 0;
  std::uint64_t last_part = 0;
  for (std::size_t start = 0; start <= host.size(); ++parts) {
    const std::size_t dot = std::min(host.find('.', start), host.size());
    const std::optional<std::uint64_t> part = Ipv4Part(host.substr(start, dot - start));
    const bool is_last = dot == host.size();
    if (!part || parts == 4 || (!is_last && *part > 255)) return false;
    last_part = *part;
    start = dot + 1;
  }
  return parts >= 1 && parts <= 4 && last_part < (std::uint64_t{1} << (8 * (5 - parts)));
}

bool IsAcceptableHost(std::string_view host) {
  if (host.starts_with('[')) {
    return host.ends_with(']') && host.find(':') != std::string_view::npos &&
           std::all_of(host.begin() + 1, host.end() - 1,
                       [](char c) { return HexDigitValue(c) >= 0 || c == ':' || c == '.'; });
  }
  const std::string decoded = PercentDecoded(host);
  constexpr std::string_view kForbidden = " #/:<>?@[\\]^|%";
  const bool clean = std::all_of(decoded.begin(), decoded.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x1f && byte != 0x7f && kForbidden.find(c) == std::string_view::npos;
  });
  return !decoded.empty() && clean && IsAcceptableIpv4(decoded);
}

bool IsAcceptablePort(std::string_view port) {
  if (!std::all_of(port.begin(), port.end(), IsAsciiDigit<char>)) return false;
  while (port.size() > 1 && port.front() == '0') port.remove_prefix(1);
  return port.size() < 5 || (port.size() == 5 && port <= "65535");
}

// user:password@host:port of a scheme that has a host.
bool IsAcceptableAuthority(std::string_view authority) {
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos)
    authority.remove_prefix(at + 1);
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos) return IsAcceptableHost(authority);
  return IsAcceptableHost(authority.substr(0, colon)) && IsAcceptablePort(authority.substr(colon + 1));
}

}  // namespace

bool IsAbsoluteUrl(std::string_view text) {
  const std::string url = Stripped(text);
  const std::size_t colon = url.find(':');
  if (colon == std::string::npos || colon == 0 || !IsAsciiLetter(url[0])) return false;
  std::string scheme = url.substr(0, colon);
  for (char& c : scheme) {
    if (!IsAsciiAlphanumeric(c) && c != '+' && c != '-' && c != '.') return false;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  constexpr std::array<std::string_view, 5> kSchemesWithHost = {"http", "https", "ws", "wss", "ftp"};
  if (std::find(kSchemesWithHost.begin(), kSchemesWithHost.end(), scheme) == kSchemesWithHost.end())
    return true;
  std::string_view rest = std::string_view(url).substr(colon + 1);
  while (rest.starts_with('/') || rest.starts_with('\\')) rest.remove_prefix(1);
  return IsAcceptableAuthority(rest.substr(0, rest.find_first_of("/\\?#")));
}

}  // namespace assay::blueprint
