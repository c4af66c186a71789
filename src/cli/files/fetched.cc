// Fetching addresses in messages.
#include "cli/files/fetched.h"

#include <fmt/core.h>

#include <map>
#include <memory>

#include "base/clock.h"
#include "cli/files/downloads.h"
#include "engine/network/network.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "io/http/transport.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/suite/suite.h"
#include "store/store.h"

namespace assay {

namespace {

// A part that waits for its bytes.
struct Waiting {
  MediaPart* part;
  Span span;
};
using WaitingByAddress = std::map<std::string, std::vector<Waiting>>;

template <class Visit>
void ForEachPart(Suite& suite, Visit visit) {
  for (Case& the_case : suite.cases) {
    for (Turn& turn : the_case.turns) {
      if (turn.media->empty()) continue;
      for (MediaPart& part : turn.media.edit()) visit(part, turn.span);
    }
  }
}

WaitingByAddress WaitingIn(Suite& suite) {
  WaitingByAddress waiting;
  ForEachPart(suite, [&](MediaPart& part, Span span) {
    if (!part.address.empty() && part.sha256.empty()) waiting[part.address].push_back({&part, span});
  });
  return waiting;
}

void Complain(const std::vector<Waiting>& waiting, const std::string& address, const Error& error,
              Diagnostics& diagnostics) {
  diagnostics.Error("suite.not-fetched",
                    fmt::format("{}: {}", Printable(KeyedUrl(address)), Printable(error.message)),
                    waiting.front().span, "save the file beside the suite and name its path");
}

// Each part by its own kind: one address may be named as several.
void Fill(const std::vector<Waiting>& waiting, const std::string& address, const std::string& bytes,
          Diagnostics& diagnostics) {
  for (const Waiting& each : waiting) {
    Result<MediaPart> part = MediaOf(each.part->kind, bytes);
    if (!part) return Complain(waiting, address, part.error(), diagnostics);
    part->name = each.part->name;
    part->address = address;
    *each.part = *std::move(part);
  }
}

// The digests that the suite's newest run has pinned, by KeyedUrl; none where it does not count.
Result<std::map<std::string, std::string>> PinnedBy(Store& store, const Suite& suite, bool may_fetch) {
  std::map<std::string, std::string> pinned;
  ASSAY_TRY(const std::vector<RunRecord> runs, store.Runs());
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (!run->suite || run->title != suite.title) continue;
    if (may_fetch && run->state == RunState::kFinished) return pinned;
    ASSAY_TRY(Suite there, store.LoadSuite(*run->suite));
    ForEachPart(there, [&](MediaPart& part, Span) {
      if (!part.address.empty()) pinned.emplace(part.address, part.sha256);
    });
    return pinned;
  }
  return pinned;
}

// From the store, as far as it has them.
void FillFromStore(const Granted& granted, bool may_fetch, Loaded& loaded, WaitingByAddress& waiting) {
  Result<std::unique_ptr<Store>> store = OpenForReading({.path = granted.store});
  if (!store) return;  // whoever opens it for the run says why
  const auto pinned = PinnedBy(**store, *loaded.suite, may_fetch);
  if (!pinned) return;
  std::erase_if(waiting, [&](const auto& each) {
    const auto digest = pinned->find(KeyedUrl(each.first));
    if (digest == pinned->end()) return false;
    const Result<std::shared_ptr<const Blob>> blob = (*store)->BlobOf(digest->second);
    if (!blob || *blob == nullptr) return false;
    Fill(each.second, each.first, (*blob)->bytes, loaded.problems.found);
    return true;
  });
}

Status Download(const Granted& granted, Diagnostics& diagnostics, const WaitingByAddress& waiting) {
  HttpOptions http = NetworkOptions(granted);
  http.begins = nullptr;
  http.reply_bytes_max = limits::kMediaBytesMax;
  ASSAY_TRY(const std::unique_ptr<HttpTransport> transport, HttpTransport::Open(http));
  DownloadRules rules{.hosts = granted.hosts};
  rules.hosts.insert(rules.hosts.end(), granted.settings.allowed_hosts.begin(),
                     granted.settings.allowed_hosts.end());
  std::vector<DownloadJob> jobs;
  std::vector<const WaitingByAddress::value_type*> of_jobs;
  for (const auto& each : waiting) {
    jobs.push_back({.url = each.first});
    of_jobs.push_back(&each);
  }
  SystemClock clock;
  const DownloadEvents events{.done =
                                  [&](std::size_t job, const Downloaded& done) {
                                    Fill(of_jobs[job]->second, of_jobs[job]->first, done.bytes, diagnostics);
                                  },
                              .failed =
                                  [&](std::size_t job, const FailedDownload& failed) {
                                    Complain(of_jobs[job]->second, of_jobs[job]->first, failed.error,
                                             diagnostics);
                                  }};
  DownloadAll(std::move(jobs), rules, *transport, clock, events);
  return Ok();
}

}  // namespace

void FetchMedia(const Granted& granted, Fetching fetching, Loaded& loaded) {
  if (!loaded.may_run()) return;
  WaitingByAddress waiting = WaitingIn(*loaded.suite);
  Diagnostics& diagnostics = loaded.problems.found;
  for (const Recording& recording : loaded.recorded.recordings) {
    std::erase_if(waiting, [&](const auto& each) {
      const auto found = recording.fetched.find(KeyedUrl(each.first));
      if (found == recording.fetched.end()) return false;
      Fill(each.second, each.first, found->second, diagnostics);
      return true;
    });
  }
  if (waiting.empty()) return;
  const bool may_fetch = fetching == Fetching::kWhereAllowed && !granted.calls.offline;
  FillFromStore(granted, may_fetch, loaded, waiting);
  if (waiting.empty() || fetching == Fetching::kNever) return;
  if (!may_fetch) {
    for (const auto& [address, parts] : waiting)
      Complain(parts, address, {ErrorCode::kCancelled, "it was not fetched (--offline)"}, diagnostics);
    return;
  }
  if (const Status done = Download(granted, diagnostics, waiting); !done)
    diagnostics.Error("suite.not-fetched", done.error().message, loaded.suite->span);
}

}  // namespace assay
