// Downloads documents over HTTP, several at once: follows redirects, retries passing faults, and continues
// replies that were cut off.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/errors/result.h"
#include "base/wire/transport.h"

namespace assay {

// The beginning of a document, and what the server calls the version that it is of.
struct PartialDocument {
  std::string bytes;
  std::string validator;  // an ETag or a date; "" where the server gave neither
};

struct DownloadJob {
  std::string url;
  PartialDocument begun = {};
};

struct Downloaded {
  std::string bytes;
  std::chrono::microseconds duration{0};  // of all requests, waits between them left out
  std::size_t resumed_at = 0;             // where the last request began
};

struct FailedDownload {
  Error error;
  PartialDocument begun;  // what can be gone on from; without a validator nothing can
};

struct DownloadRules {
  std::size_t in_flight = 8;
  int retries = 2;
  int redirects = 10;
  std::chrono::milliseconds time_max = std::chrono::minutes(30);  // of one document, over all its requests
  std::vector<std::string> hosts = {};  // that may be private or local
};

// Called on the caller's thread, in the order in which jobs end.
struct DownloadEvents {
  std::function<void(std::size_t job, Downloaded done)> done;
  std::function<void(std::size_t job, FailedDownload failed)> failed;
};

// Returns when every job has ended.
void DownloadAll(std::vector<DownloadJob> jobs, const DownloadRules& rules, Transport& transport,
                 Clock& clock, const DownloadEvents& events);

}  // namespace assay
