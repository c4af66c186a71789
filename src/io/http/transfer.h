// One request on its way: an easy handle of libcurl, reused for one request after the other, with what has
// come back so far. Loop thread only.
#pragma once

#include <uv.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/wire/aws_frames.h"
#include "base/wire/sse.h"
#include "base/wire/transport.h"
#include "io/http/curl_api.h"
#include "io/http/transport.h"

namespace assay {

struct HttpSend {
  Ticket ticket = 0;
  HttpRequest request;
  CompletionSink* sink = nullptr;
  // Of a request that was redirected:
  std::vector<std::string> visited = {};  // URLs that led here, the first one first
  bool is_bound = false;                  // it may reach public hosts and granted ones only
  std::uint64_t started_ns = 0;           // when the first one was sent
};

// What the transfers of one loop share.
struct HttpEnvironment {
  CurlApi curl;
  HttpOptions options;
  CURLSH* share = nullptr;  // names and TLS sessions
  uv_loop_t* loop = nullptr;
  void* sockets = nullptr;  // user data of the two functions below
  int (*open_socket)(void* sockets, const curl_sockaddr& address) = nullptr;  // -1: none could be had
  curl_closesocket_callback close_socket = nullptr;
};

// libcurl's wording of "either version", and what it costs to be wrong: see HttpOrigin in loop.h.
enum class HttpVersion { kUnknown, kOne, kTwo };

class HttpTransfer {
 public:
  explicit HttpTransfer(const HttpEnvironment& environment);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  CURL* easy() const { return easy_; }
  // Takes the next request; the handle is then ready to be added to a multi handle.
  void Begin(HttpSend send, HttpVersion known);
  // The deadline that has passed, if one has.
  std::optional<Error> Overdue() const;
  // Hands over the reply: as libcurl ended it, or as an error that the loop has found.
  void End(CURLcode code);
  void End(Error error);
  // Where a redirect leads, after End: the reply is then still to come.
  std::optional<HttpSend> TakeNext() { return std::exchange(next_, std::nullopt); }
  HttpVersion version() const { return version_; }  // of the reply; kUnknown if none came

  std::size_t position = 0;  // in the shard's list

 private:
  static std::size_t OnBody(char* bytes, std::size_t size, std::size_t count, void* user);
  static std::size_t OnHeader(char* bytes, std::size_t size, std::size_t count, void* user);
  static curl_socket_t OnOpenSocket(void* user, curlsocktype purpose, curl_sockaddr* address);
  void SetFixedOptions();
  void SetRequestOptions(HttpVersion known);
  void TakeHeader(std::string_view line);
  void WatchEvents(std::string_view bytes);
  bool IsWatched() const { return events_ || frames_; }
  void ForgetEvents();
  void TakeStatus();
  bool IsRedirected();
  std::size_t ReplyBytesMax() const;
  void Deliver();
  Error ErrorOf(CURLcode code) const;
  Error CertificateError(const std::string& origin, const std::string& reason) const;

  template <class Argument>
  void Set(CURLoption option, Argument argument) {
    environment_.curl.easy_setopt(easy_, option, argument);
  }

  const HttpEnvironment& environment_;
  CURL* easy_ = nullptr;
  HttpSend send_;
  HttpReply reply_;
  std::optional<HttpSend> next_;
  curl_slist* headers_ = nullptr;
  std::vector<char> error_text_;  // libcurl's
  std::size_t header_bytes_ = 0;
  std::uint64_t started_ns_ = 0;
  std::uint64_t last_bytes_ms_ = 0;  // time of the loop
  bool has_bytes_ = false;
  bool too_large_ = false;
  bool address_refused_ = false;
  HttpVersion version_ = HttpVersion::kUnknown;
  std::optional<SseParser> events_;       // of a stream that has not begun
  std::optional<AwsFrameParser> frames_;  // the same, of one in AWS's form
};

// "https://api.example.com:8443", in lower case: what connections are made to. The whole URL may hold
// secrets, this part does not. "" if the text is no URL.
std::string OriginOf(std::string_view url);

}  // namespace assay
