// Gathers calls into batches, submits and polls them, and gives back the calls that they did not answer.
#include "run/executor/batches/batches.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "providers/facts/pace.h"
#include "providers/provider.h"
#include "providers/shapes/reply/status.h"

namespace assay {

namespace {

using std::chrono::milliseconds;

constexpr Ticket kOwnTickets = Ticket{1} << 63;
constexpr milliseconds kFirstPoll{5'000};
constexpr milliseconds kLastPoll{60'000};
constexpr int kFailuresMax = 5;       // of sending a batch
constexpr int kPollFailuresMax = 60;  // of asking how it goes, a minute apart
constexpr int kDiscardsMax = 3;
// Results are kept for about a month.
constexpr std::int64_t kForgottenAfterMs = std::int64_t{28} * 86'400'000;

std::string IdOf(const Digest& key) { return Hex(key); }

// Of an id that IdOf made.
Digest KeyOfId(std::string_view id) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kBase = 16;
  Digest key{};
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(kDigits.find(id[2 * i]) * kBase + kDigits.find(id[2 * i + 1]));
  return key;
}

std::string_view BaseUrlOf(const ModelRequest& request) {
  return request.base_url.empty() ? FindProvider(request.provider)->base_url
                                  : std::string_view(request.base_url);
}

// Names of batches become part of addresses.
bool IsPlainId(std::string_view id) {
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return IsAsciiAlphanumeric(c) || c == '_' || c == '-'; });
}

// Whether an address lies below another one, whatever either says behind its '?'.
bool IsBelow(std::string_view url, std::string_view base) {
  base = base.substr(0, base.find('?'));
  while (base.ends_with('/')) base.remove_suffix(1);
  return url.size() > base.size() && url.starts_with(base) && url[base.size()] == '/';
}

// Whether a stored batch is where its provider is for this user. A store may be somebody else's work: what it
// says of addresses is believed only where the user says the same, since keys go there.
bool IsWhereUserAsks(const BatchRecord& record, const RemoteBatch& remote, const Endpoints& endpoints) {
  const Endpoint* endpoint = endpoints.Find(record.provider);
  const std::string given = endpoint == nullptr ? std::string() : endpoint->base_url;
  if (record.endpoint != given) return false;
  const std::string_view own =
      given.empty() ? FindProvider(record.provider)->base_url : std::string_view(given);
  return remote.base_url == own && IsBelow(remote.url, own) && IsPlainId(record.id);
}

std::string_view WayName(const RemoteBatch& remote) {
  return remote.way == kBackgroundWay ? "the background" : "a batch";
}

}  // namespace

Result<BatchesOfStore> OpenBatches(Store& store, EpochRange epochs, std::int64_t now_ms,
                                   std::int64_t foreign) {
  ASSAY_TRY(std::vector<BatchRecord> records, store.Batches());
  BatchesOfStore batches;
  for (BatchRecord& record : records) {
    if (record.number <= foreign) {
      ++batches.foreign;
      continue;
    }
    ASSAY_TRY(const auto found, store.Find(record.keys, epochs));
    std::vector<Digest> unanswered;
    for (std::size_t i = 0; i < record.keys.size(); ++i) {
      if (!found[i]) unanswered.push_back(record.keys[i]);
    }
    record.keys = std::move(unanswered);
    const bool is_lost = record.id.empty() || now_ms - record.created_ms > kForgottenAfterMs;
    const Result<RemoteBatch> remote = ReadBatchDetails(record.details);
    const BatchInterface* interface = remote ? InterfaceOf(record.provider, *remote) : nullptr;
    const bool is_over = record.keys.empty() && !(interface != nullptr && interface->discards);
    if (is_over || is_lost || interface == nullptr) {
      ASSAY_CHECK_OK(store.RemoveBatch(record.number));
    } else {
      batches.open.push_back(std::move(record));
    }
  }
  return batches;
}

Batches::Batches(const Endpoints& endpoints, BatchOptions options, EpochRange epochs)
    : endpoints_(endpoints), options_(std::move(options)), epochs_(epochs) {
  for (BatchRecord& record : options_.open) {
    Result<RemoteBatch> remote = ReadBatchDetails(record.details);
    const BatchInterface* interface = remote ? InterfaceOf(record.provider, *remote) : nullptr;
    const bool is_wanted =
        interface != nullptr && (interface == &kOpenAiBackground ? options_.in_background : options_.gathers);
    if (!is_wanted || remote->epoch < epochs_.first || remote->epoch > epochs_.last) continue;
    if (!IsWhereUserAsks(record, *remote, endpoints_)) continue;
    Batch& batch = batches_.emplace_back();
    batch.remote = *std::move(remote);
    batch.remote.id = record.id;
    batch.remote.phase = BatchPhase::kRunning;  // asks again; files are named then
    batch.interface = interface;
    batch.whom.provider = record.provider;
    batch.whom.base_url = record.endpoint;
    for (const Digest& key : record.keys) batch.ids.insert(IdOf(key));
    batch.saving = Batch::Saving::kDone;
    batch.delay = kFirstPoll;
    batch.record = std::move(record);
    batch.has_ended = batch.ids.empty();
    RemoveIfSettled(batch);
  }
  options_.open.clear();
  if (options_.foreign == 0) return;
  work_.notes.push_back(fmt::format(
      "open batches that this user did not make are not used: the store contains {}; `assay cache "
      "adopt` takes them over",
      options_.foreign));
}

bool Batches::MayTake(const PreparedRequest& prepared) const {
  return options_.gathers && !prepared.recorded && BatchInterfaceOf(prepared.request) != nullptr;
}

bool Batches::TakesAlone(const PreparedRequest& prepared, const HttpRequest& wire) const {
  return options_.in_background && !prepared.recorded &&
         BackgroundInterfaceOf(prepared.request, wire) != nullptr;
}

bool Batches::Owns(Ticket ticket) { return (ticket & kOwnTickets) != 0; }

// Whether a batch has the call already: its answer is there, or will be.
bool Batches::Attach(Ticket ticket, const std::string& id) {
  for (Batch& batch : batches_) {
    if (batch.ids.count(id) == 0 || batch.handed_out.count(id) == 1) continue;
    if (batch.has_ended && batch.results.count(id) == 0) continue;
    if (batch.has_ended) {
      HandOut(batch, id, ticket);
    } else {
      batch.waiting[id] = ticket;
    }
    return true;
  }
  return false;
}

void Batches::HandOut(Batch& batch, const std::string& id, Ticket ticket) {
  Answer answer{.ticket = ticket, .reply = {}};
  if (const auto result = batch.results.find(id); result != batch.results.end())
    answer.reply = result->second;
  batch.handed_out.insert(id);
  work_.answers.push_back(std::move(answer));
}

void Batches::Add(Ticket ticket, const PreparedRequest& prepared, HttpRequest wire) {
  std::string id = IdOf(prepared.key);
  if (Attach(ticket, id)) return;
  const auto* embed = std::get_if<EmbedRequest>(&prepared.request);
  const ModelRef& model =
      embed != nullptr ? static_cast<const ModelRef&>(*embed) : std::get<ModelRequest>(prepared.request);
  const std::string name = fmt::format("{} {} {}", model.provider, wire.url, model.model);
  Gathered& gathered = gathered_[name];
  if (gathered.items.empty()) {
    gathered.interface = FindBatchInterface(model.provider);
    gathered.whom.provider = model.provider;
    gathered.whom.base_url = model.base_url;
    gathered.whom.model = model.model;
    gathered.url = wire.url;
  }
  gathered.bytes += wire.body.size();
  gathered.waiting[id] = ticket;
  gathered.items.push_back({.id = std::move(id), .body = std::move(wire.body)});
  const BatchInterface& interface = *gathered.interface;
  gathered.is_full = gathered.items.size() >= interface.requests_max || gathered.bytes >= interface.bytes_max;
  if (!gathered.is_full) return;
  auto node = gathered_.extract(name);  // what comes next begins another one
  node.key() += fmt::format(" {}", ++full_count_);
  gathered_.insert(std::move(node));
}

void Batches::AddAlone(Ticket ticket, const PreparedRequest& prepared, HttpRequest wire) {
  std::string id = IdOf(prepared.key);
  if (Attach(ticket, id)) return;
  const auto& model = std::get<ModelRequest>(prepared.request);
  Gathered& alone = gathered_[fmt::format("{} {}", id, ++full_count_)];
  alone.interface = BackgroundInterfaceOf(prepared.request, wire);
  alone.whom.provider = model.provider;
  alone.whom.base_url = model.base_url;
  alone.whom.model = model.model;
  alone.url = std::move(wire.url);
  alone.is_full = true;
  alone.waiting[id] = ticket;
  alone.items.push_back({.id = std::move(id), .body = std::move(wire.body)});
}

void Batches::Forget(Ticket ticket) {
  const auto is_ticket = [ticket](const auto& each) { return each.second == ticket; };
  for (Batch& batch : batches_) std::erase_if(batch.waiting, is_ticket);
  for (auto& [name, gathered] : gathered_) {
    const auto found = std::find_if(gathered.waiting.begin(), gathered.waiting.end(), is_ticket);
    if (found == gathered.waiting.end()) continue;
    std::erase_if(gathered.items, [&](const BatchItem& item) { return item.id == found->first; });
    gathered.waiting.erase(found);
  }
}

void Batches::Begin(Gathered gathered, std::int64_t wall_ms) {
  Batch& batch = batches_.emplace_back();
  batch.interface = gathered.interface;
  if (batch.interface == &kOpenAiBackground) batch.remote.way = kBackgroundWay;
  batch.whom = std::move(gathered.whom);
  batch.remote.base_url = BaseUrlOf(batch.whom);
  batch.remote.url = std::move(gathered.url);
  batch.remote.phase = batch.interface->first;
  batch.remote.epoch = epochs_.last;
  batch.items = std::move(gathered.items);
  batch.waiting = std::move(gathered.waiting);
  batch.record.provider = batch.whom.provider;
  batch.record.endpoint = batch.whom.base_url;
  batch.record.created_ms = wall_ms;
  batch.delay = kFirstPoll;
  for (const BatchItem& item : batch.items) {
    batch.ids.insert(item.id);
    batch.record.keys.push_back(KeyOfId(item.id));
  }
}

Batches::Work Batches::Tick(TimePoint now, std::int64_t wall_ms, bool idle) {
  for (auto place = gathered_.begin(); place != gathered_.end();) {
    Gathered& gathered = place->second;
    if (gathered.items.empty() || !(idle || gathered.is_full)) {
      ++place;
      continue;
    }
    Begin(std::move(gathered), wall_ms);
    place = gathered_.erase(place);
  }
  for (std::size_t i = 0; i < batches_.size(); ++i) Step(i, now, wall_ms);
  return std::exchange(work_, {});
}

void Batches::Step(std::size_t place, TimePoint now, std::int64_t wall_ms) {
  Batch& batch = batches_[place];
  if (batch.discard == Batch::Discard::kDue && batch.under_way == 0 && batch.next_at <= now) {
    batch.remote.phase = BatchPhase::kDiscard;
    SendFor(place, batch.interface->request(batch.remote, {}));
    return;
  }
  if (batch.has_ended || batch.saving == Batch::Saving::kUnderWay) return;
  if (batch.saving == Batch::Saving::kNo) {
    batch.saving = Batch::Saving::kUnderWay;
    batch.record.details = BatchDetails(batch.remote);
    work_.saves.push_back({.place = place, .record = batch.record});
    return;
  }
  // Somebody else's, which this run does not ask for.
  if (batch.waiting.empty() && batch.items.empty()) return;
  if (batch.under_way != 0 || batch.next_at > now) return;
  const bool is_late = wall_ms - batch.record.created_ms > options_.wait_max.count();
  batch.sends_cancel =
      is_late && batch.remote.phase == BatchPhase::kRunning && batch.record.state != BatchState::kCancelling;
  SendFor(place, batch.sends_cancel ? batch.interface->cancel(batch.remote)
                                    : batch.interface->request(batch.remote, batch.items));
}

void Batches::SendFor(std::size_t place, HttpRequest request) {
  Batch& batch = batches_[place];
  if (const Status allowed = Authorise(endpoints_, batch.whom, request); !allowed) {
    if (!batch.has_ended) End(batch, allowed.error().message);
    batch.discard = Batch::Discard::kNo;
    return;
  }
  batch.under_way = kOwnTickets | ++next_ticket_;
  own_tickets_[batch.under_way] = place;
  work_.sends.emplace_back(batch.under_way, std::move(request));
}

void Batches::OnSaved(std::size_t place, std::int64_t number) {
  Batch& batch = batches_[place];
  batch.saving = Batch::Saving::kDone;
  batch.record.number = number;
  RemoveIfSettled(batch);  // it may have ended meanwhile
}

void Batches::OnReply(Ticket ticket, const HttpReply& reply, TimePoint now) {
  const auto found = own_tickets_.find(ticket);
  if (found == own_tickets_.end()) return;
  Batch& batch = batches_[found->second];
  own_tickets_.erase(found);
  batch.under_way = 0;
  if (batch.discard == Batch::Discard::kDue) return TakeDiscarded(batch, reply, now);
  if (batch.has_ended) return;
  if (batch.sends_cancel) {
    batch.sends_cancel = false;
    // A word that was lost is said again; one that was refused is not: such a batch ends by itself.
    const bool is_lost = reply.error || ClassifyByStatus(reply) == ReplyClass::kRetry;
    if (is_lost && ++batch.failures <= kPollFailuresMax) {
      batch.next_at = now + PaceOf(reply, 0).wait.value_or(kFirstPoll);
      return;
    }
    batch.failures = 0;
    batch.record.state = BatchState::kCancelling;
    batch.delay = kFirstPoll;
    batch.next_at = now + PaceOf(reply, 0).wait.value_or(kFirstPoll);
    work_.notes.push_back(
        fmt::format("{} of {} took too long and is canceled (--batch-wait)",
                    batch.remote.way == kBackgroundWay ? "an answer in the background" : "a batch",
                    batch.record.provider));
    SaveAgain(batch);
    return;
  }
  TakeReply(batch, reply, now);
}

// One that is not discarded stays in the store: the next run tries again.
void Batches::TakeDiscarded(Batch& batch, const HttpReply& reply, TimePoint now) {
  constexpr int kNotFound = 404;
  const bool is_gone =
      !reply.error && (ClassifyByStatus(reply) == ReplyClass::kOk || reply.status == kNotFound);
  if (is_gone) {
    batch.discard = Batch::Discard::kDone;
    RemoveIfSettled(batch);
  } else if (++batch.failures >= kDiscardsMax || ClassifyByStatus(reply) == ReplyClass::kFail) {
    batch.discard = Batch::Discard::kNo;
  } else {
    batch.next_at = now + PaceOf(reply, 0).wait.value_or(kFirstPoll);
  }
}

void Batches::TakeReply(Batch& batch, const HttpReply& reply, TimePoint now) {
  const BatchPhase before = batch.remote.phase;
  Result<std::vector<BatchResult>> results = batch.interface->advance(batch.remote, reply);
  if (!results) return TakeFailure(batch, reply, results.error(), now);
  batch.failures = 0;
  for (BatchResult& result : *results) {
    if (result.id.empty() && batch.ids.size() == 1) result.id = *batch.ids.begin();  // a batch of one
    if (result.reply && batch.ids.count(result.id) == 1) batch.results[result.id] = *std::move(result.reply);
  }
  if (batch.remote.phase == BatchPhase::kDone) return End(batch, "");
  batch.next_at = now;
  if (before != BatchPhase::kRunning && batch.remote.phase == BatchPhase::kRunning) {
    batch.items.clear();
    batch.record.id = batch.remote.id;
    batch.record.state = BatchState::kOpen;
    SaveAgain(batch);
  }
  if (batch.remote.phase != BatchPhase::kRunning) return;
  batch.next_at = now + PaceOf(reply, 0).wait.value_or(batch.delay);
  batch.delay = std::min(batch.delay * 3 / 2, kLastPoll);
}

void Batches::TakeFailure(Batch& batch, const HttpReply& reply, const Error& error, TimePoint now) {
  const bool is_sent = batch.items.empty();
  const bool may_pass = reply.error ? MayPass(error) : ClassifyByStatus(reply) != ReplyClass::kFail;
  if (!may_pass || ++batch.failures > (is_sent ? kPollFailuresMax : kFailuresMax))
    return End(batch, error.message);
  batch.next_at = now + PaceOf(reply, 0).wait.value_or(is_sent ? kLastPoll : kFirstPoll);
}

// Everybody who waits gets what there is; who gets nothing is asked alone.
void Batches::End(Batch& batch, std::string_view why) {
  batch.has_ended = true;
  batch.items.clear();
  std::size_t unanswered = 0;
  for (const auto& [id, ticket] : batch.waiting) {
    if (batch.results.count(id) == 0) ++unanswered;
    HandOut(batch, id, ticket);
  }
  batch.waiting.clear();
  std::erase_if(batch.ids, [&](const std::string& id) { return batch.results.count(id) == 0; });
  if (unanswered > 0) {
    work_.notes.push_back(
        fmt::format("{} of the calls in {} of {} were not answered there, and are "
                    "asked one by one{}{}",
                    unanswered, WayName(batch.remote), batch.record.provider, why.empty() ? "" : ": ", why));
  }
  RemoveIfSettled(batch);
}

void Batches::OnCommitted(const Digest& key) {
  if (batches_.empty()) return;
  const std::string id = IdOf(key);
  for (Batch& batch : batches_) {
    if (batch.ids.erase(id) == 0) continue;
    batch.results.erase(id);
    RemoveIfSettled(batch);
  }
}

void Batches::RemoveIfSettled(Batch& batch) {
  if (!batch.has_ended || !batch.ids.empty() || batch.record.number == 0) return;
  if (batch.interface->discards && !batch.remote.id.empty() && batch.discard != Batch::Discard::kDone) {
    if (batch.discard == Batch::Discard::kDue) return;
    batch.discard = Batch::Discard::kDue;
    batch.failures = 0;
    batch.next_at = {};
    return;
  }
  work_.removals.push_back(std::exchange(batch.record.number, 0));
}

TimePoint Batches::NextAt() const {
  TimePoint next = kNever;
  for (const Batch& batch : batches_) {
    const bool is_asked = !batch.has_ended && batch.saving == Batch::Saving::kDone &&
                          !(batch.waiting.empty() && batch.items.empty());
    const bool waits = batch.under_way == 0 && (is_asked || batch.discard == Batch::Discard::kDue);
    if (waits) next = std::min(next, batch.next_at);
  }
  return next;
}

bool Batches::HasToDiscard() const {
  return std::any_of(batches_.begin(), batches_.end(),
                     [](const Batch& batch) { return batch.discard == Batch::Discard::kDue; });
}

std::string Batches::Text(std::int64_t wall_ms) const {
  std::size_t calls = 0;
  std::size_t open = 0;
  std::int64_t oldest_ms = wall_ms;
  for (const Batch& batch : batches_) {
    if (batch.has_ended || batch.waiting.empty()) continue;
    ++open;
    calls += batch.waiting.size();
    oldest_ms = std::min(oldest_ms, batch.record.created_ms);
  }
  if (open == 0) return {};
  constexpr std::int64_t kMsPerSecond = 1000;
  return fmt::format("{} calls in {} batches{}, the oldest for {} s", calls, open,
                     options_.in_background ? " of one" : "", (wall_ms - oldest_ms) / kMsPerSecond);
}

}  // namespace assay
