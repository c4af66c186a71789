// Counts failures in a row by model and status, and stops calls to a model beyond the limit.
#include "run/limits/pace/breakers.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "providers/shapes/reply/status.h"
#include "run/model_name.h"

namespace assay {

namespace {

constexpr int kUnauthorised = 401;
constexpr int kPaymentRequired = 402;
constexpr int kNotFound = 404;
constexpr int kTimeOut = 408;
constexpr int kTooMany = 429;
constexpr int kInvalidToken = 498;  // of some services, which mean "too busy"

// "" for requests that go to no model.
std::string BreakerKey(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request))
    return fmt::format("{} {}", ModelNameOf(request), model->base_url);
  if (const auto* embed = std::get_if<EmbedRequest>(&request))
    return fmt::format("{} {}", ModelNameOf(request), embed->base_url);
  return {};
}

// What the service says of one question (an answer that was held back, a limit of tokens that was too low) is
// no failure of the model.
bool SaysNothingOfTheModel(int status, const Error& error) {
  const bool is_of_question = error.code == ErrorCode::kRefused || error.code == ErrorCode::kUnsupported;
  const bool is_ending = IsEnding(error.code) && !MayPass(error);  // whatever the status
  return is_ending || (status >= 200 && status < 300 && is_of_question) ||
         error.code == ErrorCode::kCancelled;
}

// Filters, firewalls and limits of length answer with many statuses from 400 to 499, or report an error in
// place of a reply. These speak of the key, the model or the rate.
bool MaySpeakOfTheText(int status) {
  constexpr int kOthers[] = {kUnauthorised, kPaymentRequired, kNotFound, kTimeOut, kTooMany, kInvalidToken};
  return status >= 200 && status < 500 &&
         std::find(std::begin(kOthers), std::end(kOthers), status) == std::end(kOthers);
}

int FailureOf(int status, const Error& error) {
  return status >= 400 ? status : -1 - static_cast<int>(error.code);
}

std::uint32_t FailuresMaxOf(int failure) {
  const bool is_hopeless = failure == kUnauthorised || failure == kPaymentRequired || failure == kNotFound;
  return is_hopeless ? Breakers::kHopelessMax : Breakers::kFailuresMax;
}

}  // namespace

void Breakers::Entry::Open(std::string reason) {
  breaker.is_open = true;
  error = Error{ErrorCode::kCancelled, "not asked: " + reason};
  if (!note.empty()) AddNote();
}

// Other processes of the run hear the last message alone.
void Breakers::Entry::AddNote() {
  for (std::string* text : {&breaker.last_message, &error.message}) {
    if (text->find(note) == std::string::npos) *text += "; " + note;
  }
}

void Breakers::NoteOnceOpen(const Request& request, std::string_view note) {
  std::string key = BreakerKey(request);
  if (key.empty()) return;
  Entry& entry = entries_[std::move(key)];
  if (entry.note == note) return;
  entry.note = note;
  if (entry.breaker.is_open) entry.AddNote();
}

Breakers::Entry* Breakers::Find(const Request& request) {
  const auto found = entries_.find(BreakerKey(request));
  return found == entries_.end() ? nullptr : &found->second;
}

void Breakers::CountAnswer(const Request& request) {
  if (entries_.empty()) return;
  Entry* entry = Find(request);
  if (entry == nullptr || entry->breaker.is_open) return;
  entry->breaker.failure = 0;
  entry->breaker.failures = 0;
}

void Breakers::CountFailure(const Request& request, int status, const Error& error, bool is_hopeless) {
  std::string key = BreakerKey(request);
  if (key.empty() || SaysNothingOfTheModel(status, error)) return;
  Entry& entry = entries_[std::move(key)];
  Breaker& breaker = entry.breaker;
  if (breaker.is_open) return;
  breaker.model = ModelNameOf(request);
  const int failure = FailureOf(status, error);
  breaker.failures = breaker.failure == failure ? breaker.failures + 1 : 1;
  breaker.failure = failure;
  breaker.last_message = error.message;
  if (breaker.failures < FailuresMaxOf(failure) && !is_hopeless) return;
  entry.Open(fmt::format("{} calls of {} in a row failed for good, the last with: {}", breaker.failures,
                         breaker.model, error.message));
}

void Breakers::CountFailureOnText(const Request& request, int status, const Error& error, bool is_hopeless) {
  if (is_hopeless || !MaySpeakOfTheText(status)) CountFailure(request, status, error, is_hopeless);
}

void Breakers::Break(const std::string& key, const std::string& model, const std::string& message) {
  Entry& entry = entries_[key];
  if (entry.breaker.is_open) return;
  entry.breaker.model = model;
  entry.breaker.last_message = message;
  entry.breaker.is_told = true;
  entry.Open(fmt::format(
      "calls of {} failed again and again in another process of the run, the last with: {}", model, message));
}

void Breakers::GiveUp(const Request& request, const std::string& why) {
  Entry& entry = entries_[BreakerKey(request)];
  if (entry.breaker.is_open) return;
  entry.breaker.model = ModelNameOf(request);
  entry.breaker.given_up = entry.breaker.last_message = why;
  entry.Open(why);
}

const Error* Breakers::Cut(const Request& request) {
  if (entries_.empty()) return nullptr;
  Entry* entry = Find(request);
  if (entry == nullptr || !entry->breaker.is_open) return nullptr;
  ++entry->breaker.cut;
  return &entry->error;
}

std::map<std::string, Breakers::Breaker> Breakers::Open() const {
  std::map<std::string, Breaker> open;
  for (const auto& [key, entry] : entries_) {
    if (entry.breaker.is_open) open.emplace(key, entry.breaker);
  }
  return open;
}

}  // namespace assay
