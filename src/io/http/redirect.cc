// The rules of redirects: methods (RFC 9110, 15.4), headers that may follow to another server, and circles.
#include "io/http/redirect.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/wire/url.h"

namespace assay {

namespace {

constexpr int kMovedPermanently = 301;
constexpr int kFound = 302;
constexpr int kSeeOther = 303;
constexpr int kTemporary = 307;
constexpr int kPermanent = 308;

bool IsListed(const std::vector<std::string>& hosts, std::string_view url) {
  return std::find(hosts.begin(), hosts.end(), HostOf(url)) != hosts.end();
}

// Headers that say what is accepted, and nothing that only the first server may know.
bool FollowsAnywhere(const HttpHeader& header) {
  std::string name = header.name;
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name == "accept" || name == "accept-language" || name == "accept-encoding" || name == "user-agent";
}

void ChangeMethod(int status, HttpRequest& request) {
  const bool keeps = status == kTemporary || status == kPermanent || request.method == "GET" ||
                     (status != kSeeOther && request.method != "POST");
  if (keeps) return;
  request.method = "GET";
  request.body.clear();
  std::erase_if(request.headers, [](const HttpHeader& header) { return !FollowsAnywhere(header); });
}

}  // namespace

bool IsRedirect(int status) {
  return status == kMovedPermanently || status == kFound || status == kSeeOther || status == kTemporary ||
         status == kPermanent;
}

Status Redirect(std::string_view url, int status, const HttpOptions& options, HttpSend& send) {
  HttpRequest& request = send.request;
  url = url.substr(0, url.find('#'));
  const std::string origin = OriginOf(request.url);
  if (!IsHttpUrl(url)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} redirects to {}, which is no http or https URL", origin, Quoted(url))};
  }
  if (send.visited.empty())
    send.is_bound = request.reach == Reach::kPublic || IsListed(options.private_hosts, request.url);
  if (url == request.url || std::find(send.visited.begin(), send.visited.end(), url) != send.visited.end()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} redirects in a circle: {} leads to itself", origin, Quoted(url))};
  }
  if (send.visited.size() >= request.redirects_max) {
    return Error{ErrorCode::kLimit,
                 fmt::format("{} redirects on after {} redirects, the most that are followed", origin,
                             request.redirects_max)};
  }
  ChangeMethod(status, request);
  if (OriginOf(url) != origin)
    std::erase_if(request.headers, [](const HttpHeader& header) { return !FollowsAnywhere(header); });
  if (send.is_bound) request.reach = IsListed(options.private_hosts, url) ? Reach::kAnywhere : Reach::kPublic;
  send.visited.push_back(std::move(request.url));
  request.url = url;
  return Ok();
}

}  // namespace assay
