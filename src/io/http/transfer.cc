// Sets libcurl's options for a request, collects the reply in its callbacks, and words the errors.
#include "io/http/transfer.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/wire/url.h"
#include "io/address.h"
#include "io/http/redirect.h"
#include "io/limits.h"

namespace assay {

namespace {

constexpr long kUploadBufferBytes = 16
                                    << 10;  // the least that libcurl allows; its default is four times that
// Of each connection; 16 kB, libcurl's default, are a third of what a call under way costs.
constexpr long kReceiveBufferBytes = 4 << 10;
constexpr long kKeepAliveSeconds = 30;
constexpr std::size_t kReserveMax = 1u << 20;  // a reply's own word on its size is believed up to here

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view Trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::chrono::microseconds Microseconds(std::uint64_t from_ns, std::uint64_t to_ns) {
  constexpr std::uint64_t kNsPerMicrosecond = 1000;
  return std::chrono::microseconds(static_cast<std::int64_t>((to_ns - from_ns) / kNsPerMicrosecond));
}

}  // namespace

std::string OriginOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::size_t end = std::min(url.find_first_of("/?#", scheme + 3), url.size());
  std::string origin = Lower(url.substr(0, end));
  const std::size_t at = origin.rfind('@');  // a name and password are no part of it
  if (at != std::string::npos) origin.erase(scheme + 3, at + 1 - (scheme + 3));
  return origin;
}

HttpTransfer::HttpTransfer(const HttpEnvironment& environment)
    : environment_(environment), easy_(environment.curl.easy_init()), error_text_(CURL_ERROR_SIZE, '\0') {
  ASSAY_ASSERT(easy_ != nullptr);
  SetFixedOptions();
}

HttpTransfer::~HttpTransfer() {
  environment_.curl.easy_cleanup(easy_);
  environment_.curl.slist_free_all(headers_);
}

void HttpTransfer::SetFixedOptions() {
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_PRIVATE, static_cast<void*>(this));
  Set(CURLOPT_SHARE, environment_.share);
  Set(CURLOPT_ERRORBUFFER, error_text_.data());
  Set(CURLOPT_WRITEFUNCTION, &OnBody);
  Set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  Set(CURLOPT_HEADERFUNCTION, &OnHeader);
  Set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  Set(CURLOPT_OPENSOCKETFUNCTION, &OnOpenSocket);
  Set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  Set(CURLOPT_CLOSESOCKETFUNCTION, environment_.close_socket);
  Set(CURLOPT_CLOSESOCKETDATA, environment_.sockets);
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_ACCEPT_ENCODING, "");  // all that this libcurl can unpack
  Set(CURLOPT_UPLOAD_BUFFERSIZE, kUploadBufferBytes);
  Set(CURLOPT_BUFFERSIZE, kReceiveBufferBytes);
  Set(CURLOPT_TCP_KEEPALIVE, 1L);
  Set(CURLOPT_TCP_KEEPIDLE, kKeepAliveSeconds);
  Set(CURLOPT_TCP_KEEPINTVL, kKeepAliveSeconds);
  Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(environment_.options.connect.count()));
  if (!environment_.options.user_agent.empty())
    Set(CURLOPT_USERAGENT, environment_.options.user_agent.c_str());
  if (!environment_.options.ca_file.empty()) Set(CURLOPT_CAINFO, environment_.options.ca_file.c_str());
}

void HttpTransfer::SetRequestOptions(HttpVersion known) {
  const HttpRequest& request = send_.request;
  Set(CURLOPT_URL, request.url.c_str());
  if (request.method == "GET") {
    Set(CURLOPT_HTTPGET, 1L);
    Set(CURLOPT_CUSTOMREQUEST, nullptr);
  } else {
    Set(CURLOPT_POST, 1L);
    Set(CURLOPT_CUSTOMREQUEST, request.method == "POST" ? nullptr : request.method.c_str());
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    Set(CURLOPT_POSTFIELDS, request.body.data());
  }
  environment_.curl.slist_free_all(headers_);
  headers_ = nullptr;
  std::string line;
  for (const HttpHeader& header : request.headers) {
    // libcurl's way to send a header that is empty.
    line = header.value.empty() ? fmt::format("{};", header.name)
                                : fmt::format("{}: {}", header.name, header.value);
    headers_ = environment_.curl.slist_append(headers_, line.c_str());
  }
  headers_ = environment_.curl.slist_append(headers_, "Expect:");
  Set(CURLOPT_HTTPHEADER, headers_);
  // All redirects together.
  const auto timeout = request.timeout.count() > 0 ? request.timeout : environment_.options.attempt;
  const auto spent =
      std::chrono::duration_cast<std::chrono::milliseconds>(Microseconds(started_ns_, uv_hrtime()));
  Set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(1, (timeout - spent).count())));
  const std::string origin = OriginOf(request.url);
  Set(CURLOPT_PROXY, IsLoopbackUrl(origin) ? "" : nullptr);
  // Requests wait for a connection that may take many of them, unless it is known that none will.
  Set(CURLOPT_PIPEWAIT, origin.starts_with("https:") && known != HttpVersion::kOne ? 1L : 0L);
}

void HttpTransfer::Begin(HttpSend send, HttpVersion known) {
  send_ = std::move(send);
  reply_ = {};
  error_text_[0] = '\0';
  header_bytes_ = 0;
  has_bytes_ = false;
  too_large_ = false;
  address_refused_ = false;
  version_ = HttpVersion::kUnknown;
  ForgetEvents();
  next_.reset();
  started_ns_ = send_.started_ns > 0 ? send_.started_ns : uv_hrtime();
  last_bytes_ms_ = uv_now(environment_.loop);
  SetRequestOptions(known);
}

std::optional<Error> HttpTransfer::Overdue() const {
  const auto silent =
      std::chrono::milliseconds(static_cast<std::int64_t>(uv_now(environment_.loop) - last_bytes_ms_));
  const bool has_begun = has_bytes_ && !IsWatched();
  const std::chrono::milliseconds allowed =
      has_begun ? environment_.options.idle : environment_.options.first_byte;
  if (silent <= allowed) return std::nullopt;
  return Error{ErrorCode::kTimeout,
               fmt::format("{} {} for {} s", OriginOf(send_.request.url),
                           has_begun ? "stopped in the middle of its reply" : "did not begin to reply",
                           std::chrono::duration<double>(allowed).count())};
}

std::size_t HttpTransfer::OnBody(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<HttpTransfer*>(user);
  const std::string_view piece(bytes, size * count);
  transfer.last_bytes_ms_ = uv_now(transfer.environment_.loop);
  transfer.has_bytes_ = true;
  if (transfer.reply_.body.size() + piece.size() > transfer.ReplyBytesMax()) {
    transfer.too_large_ = true;
    return 0;
  }
  if (transfer.IsWatched()) transfer.WatchEvents(piece);
  transfer.reply_.body += piece;
  return piece.size();
}

// Until the stream begins: a line of a comment or an empty ping is no beginning of an answer.
void HttpTransfer::WatchEvents(std::string_view bytes) {
  std::vector<SseEvent> events;
  const bool failed = (events_ ? events_->Feed(bytes, events) : frames_->Feed(bytes, events)).has_value();
  const auto begins = environment_.options.begins;
  const bool has_begun = std::any_of(events.begin(), events.end(), [begins](const SseEvent& event) {
    return begins == nullptr || begins(event.data);
  });
  if (!has_begun && !failed) return;
  reply_.first_byte = Microseconds(started_ns_, uv_hrtime());
  ForgetEvents();
}

void HttpTransfer::ForgetEvents() {
  events_.reset();
  frames_.reset();
}

std::size_t HttpTransfer::OnHeader(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<HttpTransfer*>(user);
  const std::string_view line(bytes, size * count);
  transfer.last_bytes_ms_ = uv_now(transfer.environment_.loop);
  transfer.has_bytes_ = true;
  transfer.header_bytes_ += line.size();
  if (transfer.header_bytes_ > limits::kHeaderBytesMax) {
    transfer.too_large_ = true;
    return 0;
  }
  transfer.TakeHeader(line);
  return line.size();
}

void HttpTransfer::TakeHeader(std::string_view line) {
  if (line.starts_with("HTTP/")) {  // again after an interim reply
    version_ = line.starts_with("HTTP/1") ? HttpVersion::kOne : HttpVersion::kTwo;
    reply_.headers.clear();
    ForgetEvents();
    reply_.first_byte = Microseconds(started_ns_, uv_hrtime());
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  HttpHeader header{.name = Lower(line.substr(0, colon)),
                    .value = std::string(Trimmed(line.substr(colon + 1)))};
  if (header.name == "content-type" && Lower(header.value).starts_with("text/event-stream"))
    events_.emplace();
  if (header.name == "content-type" && IsAwsStream(header.value)) frames_.emplace();
  if (header.name == "content-length") {
    std::size_t length = 0;
    for (const char c : header.value) {
      if (c < '0' || c > '9' || length > kReserveMax) break;
      length = length * 10 + static_cast<std::size_t>(c - '0');
    }
    reply_.body.reserve(std::min(length, kReserveMax));
  }
  reply_.headers.push_back(std::move(header));
}

curl_socket_t HttpTransfer::OnOpenSocket(void* user, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<HttpTransfer*>(user);
  if (transfer.send_.request.reach == Reach::kPublic && !IsPublicAddress(address->addr)) {
    transfer.address_refused_ = true;
    return CURL_SOCKET_BAD;
  }
  return transfer.environment_.open_socket(transfer.environment_.sockets, *address);
}

// Signed by nobody that is trusted, or in order but made for others.
Error HttpTransfer::CertificateError(const std::string& origin, const std::string& reason) const {
  constexpr long kNothingFound = 1;  // OpenSSL's X509_V_ERR_UNSPECIFIED, with which libcurl begins
  long mistrust = 0;
  environment_.curl.easy_getinfo(easy_, CURLINFO_SSL_VERIFYRESULT, &mistrust);
  const std::string message =
      mistrust <= kNothingFound
          ? fmt::format("{} proved to be another host ({}); ask it by a name that its certificate has",
                        origin, reason)
          : fmt::format(
                "the certificate of {} is not trusted ({}); name the authority's file in "
                "SSL_CERT_FILE if it is yours",
                origin, reason);
  return {ErrorCode::kUnsupported, message};
}

// What OpenSSL itself refuses is of another protocol, and stays so; what breaks the connection may pass.
Error HandshakeError(const std::string& origin, const std::string& reason) {
  const bool is_of_protocol =
      reason.find("SSL routines") != std::string::npos && reason.find("eof") == std::string::npos;
  if (!is_of_protocol) return {ErrorCode::kNetwork, fmt::format("{}: {}", origin, reason)};
  return {
      ErrorCode::kUnsupported,
      fmt::format("{} does not speak TLS as it was asked to ({}); compare http:// and https://, and the port",
                  origin, reason)};
}

Error HttpTransfer::ErrorOf(CURLcode code) const {
  const std::string origin = OriginOf(send_.request.url);
  if (too_large_) {
    return {ErrorCode::kLimit,
            fmt::format("the reply of {} is larger than {} bytes", origin, ReplyBytesMax())};
  }
  if (address_refused_) {
    return {ErrorCode::kRefused,
            fmt::format("{} leads to an address of this machine or of its network", origin)};
  }
  const std::string reason =
      error_text_[0] == '\0' ? environment_.curl.easy_strerror(code) : error_text_.data();
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorCode::kTimeout, fmt::format("{}: {}", origin, reason)};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
      return CertificateError(origin, reason);
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::kUnsupported,
              fmt::format("the authorities that {} is checked with cannot be read ({}); SSL_CERT_FILE has to "
                          "name a file of certificates (PEM), if it is set",
                          origin, reason)};
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return {ErrorCode::kInvalidInput, fmt::format("expected a http or https URL, found {} ({})",
                                                    origin.empty() ? "none" : origin, reason)};
    case CURLE_SSL_CONNECT_ERROR:
      return HandshakeError(origin, reason);
    case CURLE_PARTIAL_FILE:
      return {ErrorCode::kNetwork, fmt::format("the reply of {} was cut off ({})", origin, reason)};
    default:
      return {ErrorCode::kNetwork, fmt::format("{}: {}", origin, reason)};
  }
}

std::size_t HttpTransfer::ReplyBytesMax() const {
  const std::size_t most = environment_.options.reply_bytes_max;
  const std::size_t own = send_.request.reply_bytes_max;
  return own == 0 ? most : std::min(own, most);
}

// Whether the reply sends the request on: it is in `next_` then. Where it may not go there, the reply becomes
// that error.
bool HttpTransfer::IsRedirected() {
  if (send_.request.redirects_max == 0 || !IsRedirect(reply_.status)) return false;
  const char* place = nullptr;
  environment_.curl.easy_getinfo(easy_, CURLINFO_REDIRECT_URL, &place);
  if (place == nullptr) return false;
  HttpSend next = send_;
  next.started_ns = started_ns_;
  if (const Status redirected = Redirect(place, reply_.status, environment_.options, next); !redirected) {
    reply_.body.clear();
    reply_.error = redirected.error();
    return false;
  }
  next_ = std::move(next);
  send_ = {};
  return true;
}

void HttpTransfer::TakeStatus() {
  if (!has_bytes_) return;
  long status = 0;
  environment_.curl.easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  reply_.status = static_cast<int>(status);
}

void HttpTransfer::End(CURLcode code) {
  TakeStatus();
  if (code != CURLE_OK) reply_.error = ErrorOf(code);
  if (code != CURLE_OK || !IsRedirected()) Deliver();
}

void HttpTransfer::End(Error error) {
  TakeStatus();
  reply_.error = std::move(error);
  Deliver();
}

void HttpTransfer::Deliver() {
  reply_.duration = Microseconds(started_ns_, uv_hrtime());
  if (!send_.visited.empty()) reply_.final_url = send_.request.url;
  for (const HttpHeader& header : reply_.headers) {
    if (header.name == "content-type") reply_.content_type = header.value;
  }
  send_.sink->Deliver({.ticket = send_.ticket, .reply = std::move(reply_)});
  send_ = {};
}

}  // namespace assay
