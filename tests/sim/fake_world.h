// The world of a simulation: a clock that jumps, a network that delays and fails, a store that dies.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "base/wire/transport.h"
#include "store/store.h"

namespace assay::sim {

// A clock at whose times something happens.
class EventClock : public Clock {
 public:
  virtual void At(TimePoint time, std::function<void()> event) = 0;
  virtual void ForgetAll() = 0;
};

// Runs what is scheduled, in order of time, whenever the program waits.
class FakeClock final : public EventClock {
 public:
  explicit FakeClock(std::int64_t wall_ms) : wall_start_ms_(wall_ms) {}
  TimePoint Now() const override { return now_; }
  std::int64_t WallMs() const override;
  void Wait(Inbox& inbox, TimePoint deadline) override;

  void At(TimePoint time, std::function<void()> event) override { events_.emplace(time, std::move(event)); }
  void ForgetAll() override { events_.clear(); }
  // The wall clock goes back and forth by so much, whenever anybody looks at it.
  void JumpBy(std::int64_t ms) { jumps_ms_ = ms; }

 private:
  std::int64_t wall_start_ms_;
  std::int64_t jumps_ms_ = 0;
  mutable std::int64_t looks_ = 0;
  TimePoint now_{};
  std::multimap<TimePoint, std::function<void()>> events_;
};

struct Weather {
  std::uint64_t seed = 0;
  double failure_rate = 0;  // of tries: lost connections, time-outs, 429 and 500 replies
  std::chrono::milliseconds delay_max{2000};
};

// Answers with a fixed function of the request's body, after a random delay, or fails.
class FakeTransport final : public Transport {
 public:
  using Answer = std::function<std::string(const std::string& body)>;
  FakeTransport(EventClock& clock, Weather weather, Answer answer)
      : clock_(clock), weather_(weather), random_(weather.seed), answer_(std::move(answer)) {}
  void Send(Ticket ticket, HttpRequest request, CompletionSink& sink) override;
  void CancelAll() override { clock_.ForgetAll(); }
  // Bodies that were answered with success, and how often: what a run paid for.
  const std::map<std::string, int>& paid() const { return paid_; }

 private:
  HttpReply Make(const HttpRequest& request);
  EventClock& clock_;
  Weather weather_;
  std::mt19937_64 random_;
  Answer answer_;
  std::map<std::string, int> paid_;
};

// A store whose process dies right after its n-th commit of exchanges: from then on every call fails.
class DyingStore : public Store {
 public:
  DyingStore(Store& store, std::uint64_t commits_left) : store_(store), commits_left_(commits_left) {}
  bool dead() const { return dead_; }

  Result<std::unique_ptr<StoreReading>> BeginReading() override { return store_.BeginReading(); }
  Result<std::vector<std::optional<Exchange>>> Find(std::span<const Digest> keys, EpochRange epochs) override;
  Result<std::vector<Exchange>> Get(std::span<const ExchangeId> ids) override;
  Result<std::string> RequestOf(ExchangeId id) override;
  Status Complete(std::span<Exchange> exchanges) override { return store_.Complete(exchanges); }
  Result<std::shared_ptr<const Blob>> BlobOf(std::string_view sha256) override {
    return store_.BlobOf(sha256);
  }
  Result<std::vector<StoredUsage>> RecentUsage(std::size_t count) override;
  Result<std::vector<SizedExchange>> GetSome(std::span<const ExchangeId> ids,
                                             std::size_t bytes_max) override {
    return store_.GetSome(ids, bytes_max);
  }
  Status VisitUsageOf(std::span<const ExchangeId> ids, const UsageVisitor& visit) override {
    return store_.VisitUsageOf(ids, visit);
  }
  Result<std::uint32_t> NewestEpoch() override;
  Result<std::uint32_t> NewEpoch() override { return store_.NewEpoch(); }
  Result<SittingId> BeginSitting(const std::string& run_id, RunPart part, std::int64_t now_ms,
                                 const std::string& assay_version) override {
    return store_.BeginSitting(run_id, part, now_ms, assay_version);
  }
  Result<std::vector<Exchange>> Commit(SittingId sitting, std::uint64_t number, SittingWork work) override;
  Result<RunChanges> ChangesSince(const std::string& run_id, std::int64_t mark) override {
    return store_.ChangesSince(run_id, mark);
  }
  Result<std::vector<BatchRecord>> Batches() override { return store_.Batches(); }
  Status SaveBatch(BatchRecord& batch) override { return store_.SaveBatch(batch); }
  Status RemoveBatch(std::int64_t number) override { return store_.RemoveBatch(number); }
  Result<std::vector<ExchangeId>> ExchangesOf(const std::string& run_id, RunPart part) override {
    return store_.ExchangesOf(run_id, part);
  }
  Result<RequestCounts> CountRequests(const std::string& run_id, RunPart part) override {
    return store_.CountRequests(run_id, part);
  }
  Result<std::map<std::string, std::uint64_t>> CountRecorded(const std::string& run_id,
                                                             RunPart part) override {
    return store_.CountRecorded(run_id, part);
  }
  Result<StoreEnds> Ends() override { return store_.Ends(); }
  Status SetAside(std::span<const ExchangeId> ids) override;
  Status BeginRun(const RunRecord& run) override;
  Status SaveSuite(const PackedSuite& suite) override { return store_.SaveSuite(suite); }
  Result<Suite> LoadSuite(const Digest& digest) override;
  Status SaveDocuments(const std::string& run_id, std::span<const RunDocument> documents) override {
    return store_.SaveDocuments(run_id, documents);
  }
  Result<std::optional<RunDocument>> DocumentOf(const std::string& run_id, std::string_view id) override {
    return store_.DocumentOf(run_id, id);
  }
  Status UpdateRun(const RunRecord& run) override;
  Result<RunRecord> ChangeRun(const std::string& run_id, const RunChange& change) override;
  Result<std::vector<RunRecord>> Runs() override;
  Result<RunRecord> FindRun(std::string_view name) override { return store_.FindRun(name); }
  Result<std::vector<RunRecord>> Unfinished(const Digest& plan_digest, std::string_view spec) override {
    return store_.Unfinished(plan_digest, spec);
  }
  Status VisitCells(const std::string& run_id, RunPart part, CellSpan span,
                    const CellVisitor& visit) override {
    return store_.VisitCells(run_id, part, span, visit);
  }
  Status VisitAnswered(const std::string& run_id, RunPart part, CellSpan span, LinkFilter wants,
                       const AnsweredVisitor& visit) override {
    return store_.VisitAnswered(run_id, part, span, wants, visit);
  }
  Status VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) override {
    return store_.VisitOutcomes(run_id, span, visit);
  }
  Status FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                   const OutcomeVisitor& visit) override {
    return store_.FindCells(run_id, span, query, visit);
  }
  Result<PruneSummary> Prune(std::int64_t before_ms) override { return store_.Prune(before_ms); }

 private:
  Store& store_;
  std::uint64_t commits_left_;
  bool dead_ = false;
};

}  // namespace assay::sim
