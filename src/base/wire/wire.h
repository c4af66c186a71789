// The plain types that cross the border of the program: HTTP requests and replies, and the programs to run
// with their results. No meaning is attached to them here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"

namespace assay {

struct HttpHeader {
  std::string name;
  std::string value;
};

// Who named a URL decides where it may lead. kPublic: addresses that are loopback, private or link-local are
// refused when the connection is made, whatever name they hide behind.
enum class Reach : std::uint8_t { kAnywhere, kPublic };

// How a request travels. Whoever makes the request knows it (a provider's row, a check); it is never read
// from a text, since a suite may have written that. kHttp: over the network. kProgram: to a program of the
// user's own (base/wire/line_protocol.h). kLocal: nowhere, the body comes back as the reply's.
enum class Route : std::uint8_t { kHttp, kProgram, kLocal };

// Bytes that requests name by their digest alone: documents, and parts of messages.
struct Blob {
  std::string sha256;  // of `bytes`, lower-case hex
  std::string bytes;
};

struct FileSpec {
  std::string path;  // relative to the work folder
  std::string bytes;
  std::shared_ptr<const Blob> blob = {};  // in place of `bytes`; null: `bytes` count
};

struct HttpRequest {
  std::string method = "POST";
  std::string url;  // kHttp: begins with http:// or https://. kProgram: the command line. kLocal: nothing
  std::vector<HttpHeader> headers;
  std::string body;
  std::chrono::milliseconds timeout{0};  // whole attempt; 0: the transport's default
  Reach reach = Reach::kAnywhere;
  Route route = Route::kHttp;  // not part of the key
  // How many redirects are followed, each within `reach`; 0: none, they are replies like any other.
  std::uint32_t redirects_max = 0;
  std::size_t reply_bytes_max = 0;   // a larger reply is an error (kLimit); 0: the transport's own limit
  std::vector<FileSpec> files = {};  // kProgram: what is put into the process's folder before the turn
  std::uint32_t attempt = 0;         // part of the key: an equal request of another attempt is sent as well
};

inline constexpr int kTooManyRequests = 429;  // HttpReply::status where a limit of rate was reached

struct HttpReply {
  int status = 0;  // 0 when no reply came; of one that broke off, `error` says why
  std::vector<HttpHeader> headers;
  std::string body;
  std::optional<Error> error = {};
  std::chrono::microseconds first_byte{0};  // from sending; of an event stream: to the first event
  std::chrono::microseconds duration{0};    // from sending
  std::string final_url = {};               // where redirects led; "" if none was followed
  std::string content_type = {};            // of the body, as the service says it; "" if it does not
};

struct ProcessLimits {
  std::chrono::milliseconds wall{10'000};
  std::chrono::milliseconds cpu{10'000};
  std::uint64_t memory_bytes = 1u << 30;
  std::uint64_t output_bytes = 1u << 20;
  std::uint32_t processes = 64;
};

// What proves that a program ran to its end: a text that the launcher adds to one of the files, in which it
// puts a secret of this one run for `@NONCE@`. Whoever writes the secret to descriptor 3 has come that far.
struct Epilogue {
  std::string path;  // of one of `files`
  std::string text;  // added behind its bytes
};

// One program in a work folder of its own, which ends with it.
struct ProcessRequest {
  std::vector<std::string> argv;  // argv[0] is looked up in the toolchain
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<FileSpec> files;
  std::string toolchain;  // what the program may see and use: a name that the launcher knows ("python")
  std::string toolchain_digest;  // which version of it answers; part of the key
  std::string prelude;           // warm start: what to load before the fork; empty for a cold start
  ProcessLimits limits;
  std::optional<Epilogue> epilogue = {};  // not part of the key
  // Runs in the same folder when the program has ended, however it ended; recorded, never judged. Empty:
  // nothing.
  std::vector<std::string> after_argv = {};
  ProcessLimits after_limits = {};
  std::string scope = {};  // whose replies may stand in for this one's: equal requests of the same scope
};

struct ProcessReply {
  int exit_code = -1;
  int signal = 0;
  bool timed_out = false;
  bool held_up = false;  // it timed out, and neighbours may be why
  std::string stdout_text;
  std::string stderr_text;
  std::optional<Error> error = {};  // of the launcher: the program was never started
  std::chrono::microseconds duration{0};
  std::optional<bool> reached_end = {};     // whether the secret of the epilogue came; absent without one
  std::optional<int> after_exit_code = {};  // of `after_argv`; absent without one
  std::string sandbox = {};                 // which level held it: "ns", "landlock", "none"
  std::string limit = {};  // which limit ended the program: "wall time", "memory", ...; "" if none did
};

}  // namespace assay
