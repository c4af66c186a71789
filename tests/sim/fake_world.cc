// The simulated clock, network and store failures, all from seeds.
#include "tests/sim/fake_world.h"

#include <fmt/core.h>

#include "spec/suite/suite.h"
#include "tests/support/slowness.h"

namespace assay::sim {

namespace {

const Error kDead{ErrorCode::kCancelled, "the process was killed here"};

}  // namespace

std::int64_t FakeClock::WallMs() const {
  const std::int64_t jump = jumps_ms_ * (looks_++ % 3 - 1);
  return wall_start_ms_ + jump +
         std::chrono::duration_cast<std::chrono::milliseconds>(now_.time_since_epoch()).count();
}

void FakeClock::Wait(Inbox& inbox, TimePoint deadline) {
  while (!inbox.HasMessages()) {
    if (events_.empty() && deadline == kNever) {
      // Only a worker or the store can have something to say; a program that waits for nobody would hang.
      inbox.WaitUntil(SystemClock().Now() + testing::Slowly(std::chrono::seconds(20)));
      ASSAY_ASSERT(inbox.HasMessages());
      return;
    }
    if (events_.empty() || events_.begin()->first > deadline) {
      now_ = std::max(now_, deadline);
      return;
    }
    const auto first = events_.begin();
    now_ = std::max(now_, first->first);
    const std::function<void()> event = std::move(first->second);
    events_.erase(first);
    event();
  }
}

void FakeTransport::Send(Ticket ticket, HttpRequest request, CompletionSink& sink) {
  const auto delay =
      std::chrono::milliseconds(random_() % static_cast<std::uint64_t>(weather_.delay_max.count() + 1));
  clock_.At(clock_.Now() + delay, [this, ticket, request = std::move(request), &sink] {
    sink.Deliver({.ticket = ticket, .reply = Make(request)});
  });
}

HttpReply FakeTransport::Make(const HttpRequest& request) {
  HttpReply reply;
  const bool fails = static_cast<double>(random_() % 10'000) < weather_.failure_rate * 10'000;
  if (!fails) {
    ++paid_[request.body];
    reply.status = 200;
    reply.body = answer_(request.body);
    return reply;
  }
  switch (random_() % 4) {
    case 0:
      reply.error = Error{ErrorCode::kNetwork, "connection reset"};
      break;
    case 1:
      reply.error = Error{ErrorCode::kTimeout, "no reply in time"};
      break;
    case 2:
      reply.status = 429;
      break;
    default:
      reply.status = 500;
      break;
  }
  return reply;
}

Result<std::vector<std::optional<Exchange>>> DyingStore::Find(std::span<const Digest> keys,
                                                              EpochRange epochs) {
  if (dead_) return kDead;
  return store_.Find(keys, epochs);
}

Result<std::vector<Exchange>> DyingStore::Get(std::span<const ExchangeId> ids) {
  if (dead_) return kDead;
  return store_.Get(ids);
}

Result<std::string> DyingStore::RequestOf(ExchangeId id) { return store_.RequestOf(id); }

Result<std::vector<StoredUsage>> DyingStore::RecentUsage(std::size_t count) {
  return store_.RecentUsage(count);
}

Result<std::uint32_t> DyingStore::NewestEpoch() { return store_.NewestEpoch(); }

Result<std::vector<Exchange>> DyingStore::Commit(SittingId sitting, std::uint64_t number, SittingWork work) {
  if (dead_) return kDead;
  ASSAY_TRY(std::vector<Exchange> counting, store_.Commit(sitting, number, std::move(work)));
  if (counting.empty() || --commits_left_ > 0) return counting;
  dead_ = true;
  return kDead;
}

Status DyingStore::SetAside(std::span<const ExchangeId> ids) { return store_.SetAside(ids); }
Status DyingStore::BeginRun(const RunRecord& run) { return store_.BeginRun(run); }
Result<Suite> DyingStore::LoadSuite(const Digest& digest) { return store_.LoadSuite(digest); }
Status DyingStore::UpdateRun(const RunRecord& run) { return store_.UpdateRun(run); }
Result<RunRecord> DyingStore::ChangeRun(const std::string& run_id, const RunChange& change) {
  return store_.ChangeRun(run_id, change);
}
Result<std::vector<RunRecord>> DyingStore::Runs() { return store_.Runs(); }

}  // namespace assay::sim
