// Builds the canonical request, the text that is signed, and the key for it.
#include "run/wire/signed/aws_signature.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "base/hash.h"
#include "base/hmac.h"
#include "base/text/ascii.h"

namespace assay {

namespace {

// The digest as bytes.
std::string Hmac(std::string_view key, std::string_view text) {
  const Digest digest = HmacSha256(key, text);
  return std::string(digest.begin(), digest.end());
}

std::string LowerHex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

// What stands between the scheme and the path, the path, and what stands behind its '?'.
struct UrlParts {
  std::string_view host, path, query;
};
UrlParts PartsOfUrl(std::string_view url) {
  const std::string_view usual = url.starts_with("https:") ? ":443" : ":80";
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos)
    url.remove_prefix(scheme + 3);
  const std::size_t mark = std::min(url.find('?'), url.size());
  const std::size_t slash = std::min(url.find('/'), mark);
  UrlParts parts{.host = url.substr(0, slash), .path = url.substr(slash, mark - slash), .query = {}};
  if (parts.path.empty()) parts.path = "/";
  if (mark < url.size()) parts.query = url.substr(mark + 1);
  // What stands there by itself is not sent.
  if (parts.host.ends_with(usual)) parts.host.remove_suffix(usual.size());
  return parts;
}

// "us-east-1" of "bedrock-runtime.us-east-1.amazonaws.com", and of the same behind the name of an endpoint in
// a network of one's own; "" where the host says nothing of it.
std::string_view RegionOf(std::string_view host) {
  if (host.starts_with("vpce-")) host.remove_prefix(std::min(host.find('.') + 1, host.size()));
  const std::size_t first = host.find('.');
  if (first == std::string_view::npos || host.find(".amazonaws.com") == std::string_view::npos) return {};
  const std::string_view rest = host.substr(first + 1);
  const std::string_view region = rest.substr(0, rest.find('.'));
  return region == "amazonaws" ? std::string_view() : region;
}

// The path as it is sent, its own escapes escaped once more.
std::string CanonicalPath(std::string_view path) {
  std::string canonical;
  for (const char c : path) {
    const bool stays = IsAsciiAlphanumeric(c) || std::string_view("-_.~/").find(c) != std::string_view::npos;
    canonical += stays ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return canonical;
}

std::string HeaderText(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

// "20150830T123600Z"
std::string AwsMoment(std::int64_t wall_ms) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(wall_ms)};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{floor<std::chrono::seconds>(time) - day};
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace

void SignForAws(const AwsKeys& keys, std::int64_t wall_ms, HttpRequest& request) {
  constexpr std::string_view kMethod = "AWS4-HMAC-SHA256";
  constexpr std::size_t kDateDigits = 8;
  const std::string moment = AwsMoment(wall_ms);
  const std::string date = moment.substr(0, kDateDigits);
  const UrlParts url = PartsOfUrl(request.url);
  request.headers.push_back({"x-amz-date", moment});
  if (!keys.session.empty())
    request.headers.push_back({"x-amz-security-token", std::string(keys.session.Reveal())});

  std::map<std::string, std::string> headers{{"host", std::string(url.host)}};
  for (const HttpHeader& header : request.headers)
    headers[AsciiLower(header.name)] = HeaderText(header.value);
  std::string lines;
  std::string names;
  for (const auto& [name, value] : headers) {
    lines += fmt::format("{}:{}\n", name, value);
    names += (names.empty() ? "" : ";") + name;
  }
  const std::string canonical = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, CanonicalPath(url.path),
                                            url.query, lines, names, Hex(Sha256Of(request.body)));
  const std::string_view in_host = RegionOf(url.host);
  const std::string_view region = in_host.empty() ? std::string_view(keys.region) : in_host;
  const std::string scope = fmt::format("{}/{}/{}/aws4_request", date, region, keys.service);
  const std::string to_sign = fmt::format("{}\n{}\n{}\n{}", kMethod, moment, scope, Hex(Sha256Of(canonical)));
  std::string key = fmt::format("AWS4{}", keys.secret.Reveal());
  for (const std::string_view part :
       {std::string_view(date), region, std::string_view(keys.service), std::string_view("aws4_request")})
    key = Hmac(key, part);
  request.headers.push_back(
      {"authorization", fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kMethod,
                                    keys.key_id, scope, names, LowerHex(Hmac(key, to_sign)))});
}

}  // namespace assay
