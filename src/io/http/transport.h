// HttpTransport: HTTP over the network, by libcurl inside a libuv loop on a thread of its own. Certificates
// are verified, proxies of the environment (http_proxy, https_proxy, no_proxy) are used except for this
// machine itself, compressed replies are unpacked.
//
// Redirects are replies like any other, unless the request allows some: then the last reply comes, and each
// address on the way is one that the request may reach. What is meant for one server (headers but those that
// say what is accepted) does not follow to another.
//
// Every reply is bounded in size and every wait in time; what goes wrong is the reply's error: kTimeout
// (which deadline), kLimit (too large, too many redirects), kRefused (an address that `reach` forbids),
// kUnsupported (a certificate that is not trusted), kInvalidInput (no usable URL, redirects in a circle),
// kNetwork (everything else, a cut body included).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/limits.h"
#include "base/wire/transport.h"

namespace assay {

struct HttpOptions {
  std::chrono::milliseconds connect{30'000};      // name, connection, TLS
  std::chrono::milliseconds first_byte{600'000};  // from sending to the first byte; of a stream: see `begins`
  std::chrono::milliseconds idle{120'000};        // between two pieces of a reply
  std::chrono::milliseconds attempt{600'000};     // the whole attempt, where the request names no time-out
  std::size_t reply_bytes_max = limits::kReplyBytesMax;
  std::string ca_file;     // certificates to trust instead of the system's; "" for those
  std::string user_agent;  // of every request
  // Whether this event of a stream of events is the first that counts: until it comes, the reply has not
  // begun. Null: the first one is. Called on the loop's thread.
  bool (*begins)(std::string_view event_data) = nullptr;
  // Hosts that the user grants although they are not public: redirects of requests that may reach public
  // hosts, or one of these, may lead there.
  std::vector<std::string> private_hosts = {};
};

class HttpLoop;

class HttpTransport final : public Transport {
 public:
  // Opens libcurl, raises the limit of open files and starts the loop.
  static Result<std::unique_ptr<HttpTransport>> Open(HttpOptions options);
  explicit HttpTransport(std::unique_ptr<HttpLoop> loop);
  ~HttpTransport() override;

  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override;

 private:
  std::unique_ptr<HttpLoop> loop_;
};

}  // namespace assay
