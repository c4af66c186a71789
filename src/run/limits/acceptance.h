// Acceptance: learns which parameters the services of models take, from the table of models and from the
// first call of each model, while its other calls wait; so a refusal costs one request and not one for each
// call under way. Loop thread only.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "providers/facts/adapt.h"
#include "run/executor/calls/calls.h"

namespace assay {

class Acceptance {
 public:
  // How long the others wait for the first: services refuse a parameter at once, an answer takes longer.
  static constexpr std::chrono::seconds kFirstCallMost{3};
  // The same where the table says what the model takes, and is rarely wrong.
  static constexpr std::chrono::seconds kFirstKnownMost{1};

  explicit Acceptance(const ModelBook& models) : models_(models) {}

  // Whether the call has to wait until the first of its model has come back; then it is kept here.
  bool Keep(Call& call, TimePoint now);
  // What the request has to be sent without. The first call of a model is remembered as such.
  Adaptation OnSend(const Call& call, TimePoint now);
  // What the table says of models that were asked since the last call, as lines for people.
  std::vector<std::string> TakeNotes() { return std::exchange(notes_, {}); }
  // What was learned of a model that did not take `call` as it was; false if that is no news for this call.
  // `is_new`: it is news for the whole run.
  bool Learn(const Call& call, const Adaptation& learned, bool& is_new);
  // The call came back, and will not be sent in another way.
  void OnReply(const Call& call);
  // Calls that need not wait any more, in the order in which they were kept.
  std::vector<Call*> Release(TimePoint now);
  TimePoint NextRelease() const;  // kNever: nobody waits

 private:
  struct Model {
    Adaptation adaptation;  // what was learned
    std::optional<ModelFacts> facts;
    bool is_known = false;  // nobody has to wait
    const Call* first = nullptr;
    TimePoint first_until = kNever;
    std::deque<Call*> kept;
  };
  // Null where there is nothing to be found out: recordings, embeddings, programs.
  Model* Find(const Call& call);

  const ModelBook& models_;
  std::map<std::string, Model> by_model_;
  std::vector<std::string> notes_;
  std::set<std::string> noted_;
};

}  // namespace assay
