// Claims: where several processes work on one run, one of them makes the call that several need. What another
// process makes holds no place here: it is looked up again until its answer is there, or the call is free.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "run/executor/calls/dispatcher_world.h"
#include "run/executor/messages.h"
#include "store/coordinator.h"

namespace assay {

// What the store is asked next.
struct Keys {
  std::vector<Digest> claimed;    // to be; they are looked up once more, since they may be answered by now
  std::vector<Digest> looked_up;  // to be
  std::vector<Digest> freed;      // they were claimed, and are not asked after all
  std::vector<Digest> named;      // whose holders people want to know

  bool empty() const { return claimed.empty() && looked_up.empty() && freed.empty() && named.empty(); }
};

// Claims first and looks up then: whatever was answered before the claim is seen. Thread of the store.
LookedUp LookUp(Store& store, CallClaims& claims, EpochRange epochs, Keys keys);

class Claims {
 public:
  explicit Claims(const DispatcherWorld& world) : world_(world) {}

  // Whether a call has to be claimed before it is sent. Recordings and documents cost nobody anything.
  bool IsNeeded(const Call& call) const;
  void Claim(const Call& call) { to_claim_.push_back(call.prepared.key); }
  // This process does not make the call after all: another one may.
  void Free(Call& call);

  // Another process makes the call.
  void OnElsewhere(const Digest& key);
  // No other process does any more, or its answer is there.
  void OnHere(const Digest& key) { elsewhere_.erase(key); }
  void OnAnswered(const Digest& key);
  // Who makes the calls whose holders were asked for; "": nobody was asked for, or all are free by now.
  void OnHolders(const std::string& holders);

  // What is due to be looked up again comes to `keys`; all of it, `at_once`.
  void LookAgain(bool at_once, std::vector<Digest>& keys);
  // What the next look-up is to claim, to free and to name.
  Keys Take();

  TimePoint NextLook() const { return look_again_.empty() ? kNever : look_again_.begin()->first; }
  // "3 that another process makes"; "" if none does.
  std::string Text() const;

 private:
  std::vector<Digest> ToBeNamed();

  const DispatcherWorld& world_;
  std::vector<Digest> to_claim_;
  std::vector<Digest> to_free_;
  std::multimap<TimePoint, Digest> look_again_;
  std::map<Digest, TimePoint> elsewhere_;  // what others make, and since when this is known
  TimePoint name_holders_at_ = kNever;
};

}  // namespace assay
