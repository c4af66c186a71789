// Batches: calls that may wait are gathered, handed to their providers' batch interfaces, and answered when
// these are done. Stands between the loop of a run and the network, and waits for nothing itself: the loop
// tells it what came and asks it what to do next. Touched by the loop's thread only.
//
// A batch is in the store before it is sent, so a killed run finds it again: a call whose key it holds is
// attached to it in place of being asked. What it does not answer (refused as a whole, expired, cancelled
// because it took too long) is given back, to be asked one by one. An answer that a service makes in the
// background is a batch of one, which it is told to forget once the answer is in the store.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/wire/transport.h"
#include "providers/batch/batch.h"
#include "run/wire/endpoints.h"
#include "run/wire/router.h"
#include "store/store.h"

namespace assay {

struct BatchOptions {
  std::chrono::milliseconds wait_max{86'400'000};  // a batch that takes longer is cancelled
  bool gathers = true;                             // calls that may wait are handed over many at once
  bool in_background = false;                      // calls are answered in the background where a service can
  std::vector<BatchRecord> open = {};              // of the store (OpenBatches)
  std::size_t foreign = 0;                         // of the store, too, which nobody reads
};

// The batches of a store that may still answer something. Forgets those whose requests have all been answered
// since, that never arrived, or that no provider keeps so long. `keys` are those that nobody answered; none
// are left of one that is only to be discarded. Those up to number `foreign` are somebody else's: their
// answers would be this user's, and his key would delete what they name. They stay in the store and are only
// counted.
struct BatchesOfStore {
  std::vector<BatchRecord> open;
  std::size_t foreign = 0;
};
Result<BatchesOfStore> OpenBatches(Store& store, EpochRange epochs, std::int64_t now_ms,
                                   std::int64_t foreign);

class Batches {
 public:
  Batches(const Endpoints& endpoints, BatchOptions options, EpochRange epochs);

  // Whether a call could be part of a batch.
  bool MayTake(const PreparedRequest& prepared) const;
  // Whether a call, as it is worded, is answered in the background.
  bool TakesAlone(const PreparedRequest& prepared, const HttpRequest& wire) const;

  // --- what came ---
  void Add(Ticket ticket, const PreparedRequest& prepared, HttpRequest wire);
  void AddAlone(Ticket ticket, const PreparedRequest& prepared, HttpRequest wire);
  void OnReply(Ticket ticket, const HttpReply& reply, TimePoint now);
  void OnSaved(std::size_t place, std::int64_t number);
  // An exchange of this key is in the store.
  void OnCommitted(const Digest& key);
  // Nobody waits for it any more.
  void Forget(Ticket ticket);

  // --- what to do ---
  struct Save {
    std::size_t place = 0;  // for OnSaved
    BatchRecord record;
  };
  struct Answer {
    Ticket ticket = 0;
    std::optional<HttpReply> reply;  // nothing: ask it alone
  };
  struct Work {
    std::vector<std::pair<Ticket, HttpRequest>> sends;  // tickets of its own: Owns
    std::vector<Save> saves;
    std::vector<std::int64_t> removals;  // numbers of records
    std::vector<Answer> answers;
    std::vector<std::string> notes;  // for people
  };
  // `idle`: nobody will add anything before something is answered, so what was gathered is sent.
  Work Tick(TimePoint now, std::int64_t wall_ms, bool idle);
  TimePoint NextAt() const;
  // Whether something is still to be discarded.
  bool HasToDiscard() const;
  static bool Owns(Ticket ticket);
  // "120 calls in 2 batches, the oldest for 340 s"; "" if there are none.
  std::string Text(std::int64_t wall_ms) const;

 private:
  struct Batch {
    BatchRecord record;
    RemoteBatch remote;
    const BatchInterface* interface = nullptr;
    ModelRequest whom;                      // for its key
    std::vector<BatchItem> items;           // until it is created
    std::map<std::string, Ticket> waiting;  // by id of item: calls of this run
    std::set<std::string> ids;              // of all its requests that are not committed
    std::map<std::string, HttpReply> results;
    std::set<std::string> handed_out;  // results that a call got: it is not given the same one twice
    enum class Saving { kNo, kUnderWay, kDone } saving = Saving::kNo;
    Ticket under_way = 0;
    bool sends_cancel = false;  // `under_way` is the cancelling
    bool has_ended = false;
    enum class Discard { kNo, kDue, kDone } discard = Discard::kNo;
    int failures = 0;
    TimePoint next_at{};
    std::chrono::milliseconds delay{};
  };
  struct Gathered {
    const BatchInterface* interface = nullptr;
    ModelRequest whom;
    std::string url;
    std::size_t bytes = 0;
    bool is_full = false;
    std::vector<BatchItem> items;
    std::map<std::string, Ticket> waiting;
  };

  bool Attach(Ticket ticket, const std::string& id);
  void HandOut(Batch& batch, const std::string& id, Ticket ticket);
  void Begin(Gathered gathered, std::int64_t wall_ms);
  void Step(std::size_t place, TimePoint now, std::int64_t wall_ms);
  void SendFor(std::size_t place, HttpRequest request);
  void TakeReply(Batch& batch, const HttpReply& reply, TimePoint now);
  void TakeDiscarded(Batch& batch, const HttpReply& reply, TimePoint now);
  void TakeFailure(Batch& batch, const HttpReply& reply, const Error& error, TimePoint now);
  void End(Batch& batch, std::string_view why);
  void RemoveIfSettled(Batch& batch);
  void SaveAgain(Batch& batch) { batch.saving = Batch::Saving::kNo; }

  const Endpoints& endpoints_;
  BatchOptions options_;
  EpochRange epochs_;
  std::deque<Batch> batches_;                              // places stay
  std::map<std::string, Gathered, std::less<>> gathered_;  // by whom and what is asked
  std::map<Ticket, std::size_t> own_tickets_;              // under way -> place
  Ticket next_ticket_ = 0;
  std::uint64_t full_count_ = 0;
  Work work_;
};

}  // namespace assay
