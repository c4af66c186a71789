// Outages: a service that is down is waited for. Where all that it was asked for lately failed, its calls are
// kept here, and one of them looks every half a minute whether it is up again; what a run has to ask is not
// lost to a minute without a service. Loop thread only.
//
// That is so for a provider as a whole: of a model that fails while others answer, Breakers have the last
// word.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "run/executor/calls/calls.h"
#include "run/limits/pace/retry_delays.h"

namespace assay {

class Outages {
 public:
  // After so many failures in a row, of all models that are asked.
  static constexpr std::uint32_t kFailuresMax = 10;
  static constexpr std::chrono::seconds kLookEvery{30};

  // What a reply, or that none came, says of its service. kDownFor: as kDown, of a call that waits for nobody
  // since another model stands in; it counts for its model alone. kNothing: a time-out, or a busy service.
  enum class Sign { kUp, kDown, kDownFor, kNothing };

  // Waits as long as a policy is patient; not at all where a service that says "wait" is a try like any
  // other.
  explicit Outages(const RetryPolicy& policy);

  // One more of its calls is under way, or one less.
  void OnUnderWay(const Call& call, bool is_more);
  // True: the service is down, and the call may wait for it.
  bool OnReply(const Call& call, Sign sign, const std::string& message, TimePoint now);
  void Wait(Call& call);
  // Whether a call that is about to go waits for its service; then it is kept here.
  bool Keep(Call& call, TimePoint now);
  // Whether none of the service's calls is to be made ready now.
  bool IsDown(const Request& request, TimePoint now) const;
  // Calls that need not wait any more, in their order; all of them where the run asks nothing more.
  std::vector<Call*> Release(TimePoint now, bool is_over);
  TimePoint NextRelease(TimePoint now) const;  // kNever: nobody waits
  // The last word on a call was said.
  void Forget(const Call& call);

  // "openai was down for 600 s (--patience), the last time with: …"; null: it is waited for, or it is up.
  const std::string* GivenUp(const Request& request) const;
  bool has_given_up() const { return !all_given_up_.empty(); }  // some service, once
  const std::vector<std::string>& all_given_up() const { return all_given_up_; }
  // Who is down, since when, and when somebody looks again; "" if all are up.
  std::string Text(TimePoint now) const;

 private:
  struct Model {
    std::size_t under_way = 0;
    bool has_failed = false;  // since the service answered last
  };
  struct Service {
    std::string name;
    std::uint32_t failures = 0;  // in a row
    std::string last_message = {};
    std::map<std::string, Model> models = {};
    std::optional<TimePoint> down_since = {};
    TimePoint look_at{};
    const Call* looks = nullptr;  // the one that finds out
    std::deque<Call*> kept = {};
    std::string given_up = {};  // why; "": it is not

    bool IsWaitedFor() const { return down_since && given_up.empty(); }
    bool MayLook(TimePoint now) const { return looks == nullptr && now >= look_at; }
  };
  Service* Find(const Request& request);
  const Service* Find(const Request& request) const;
  void GiveUp(Service& service);
  static void Rise(Service& service);
  static Call* TakeLooker(Service& service);

  const std::chrono::microseconds patience_;
  const std::chrono::microseconds look_every_;  // nobody is given up unseen
  std::map<std::string, Service> services_;
  std::vector<std::string> all_given_up_;
};

}  // namespace assay
