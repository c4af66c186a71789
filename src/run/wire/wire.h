// Wire: encodes the requests of a sitting for transports and launchers, and decodes what comes back, with all
// that it says beside the answer. It knows the habits of services and models, so that its callers need not.
// Pure; loop thread only, but for WireReader.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "providers/facts/adapt.h"
#include "providers/facts/model_facts.h"
#include "providers/facts/pace.h"
#include "run/wire/wire_codec.h"

namespace assay {

struct WireRules {
  bool keeps_think_tags = false;  // <think>…</think> at the start of an answer belongs to it, of every model
  // Programs that belong to a run of several keep their files in <this>/<run>/runtime, which stays; "": in
  // folders that end with them.
  std::string runtime_root = {};
};

// A reply, and what it says of its service.
struct WireNews {
  WireVerdict verdict;
  Pace pace;
  Adaptation learned;        // parameters that the service says it does not take
  int status = 0;            // of HTTP
  bool is_stream = false;    // it came piece by piece, as was wished
  bool is_hopeless = false;  // nobody who asks this model will be answered for long: its quota is spent
  std::chrono::microseconds first_byte{0};
  std::chrono::microseconds duration{0};  // 0: of documents
};

// Decodes replies with the keys that are known when it is made; any thread. Its models outlive it.
class WireReader {
 public:
  // `now_ms`: the wall clock, which dates of services are compared with.
  WireNews Decode(const PreparedRequest& prepared, WireReply reply, std::int64_t now_ms) const;

 private:
  friend class Wire;
  bool KeepsThinkTags(const PreparedRequest& prepared) const;
  // What the service's own tools cost, where the user has prices of them.
  void PriceTools(const PreparedRequest& prepared, WireVerdict& verdict) const;

  const ModelBook* models_ = nullptr;
  bool streams_ = false;
  bool keeps_think_tags_ = false;
  std::shared_ptr<const Redactor> redactor_;
};

class Wire {
 public:
  Wire(const Endpoints& endpoints, const ModelBook& models, WireRules rules)
      : endpoints_(endpoints),
        models_(models),
        rules_(std::move(rules)),
        redactor_(std::make_shared<const Redactor>(endpoints)) {}

  // kUnsupported if nobody speaks for the request.
  Result<WireRequest> Encode(const PreparedRequest& prepared) const;
  // Puts a request as its service can take it.
  static void AdaptTo(const Adaptation& adaptation, const PreparedRequest& prepared, HttpRequest& request);
  // The last that is done to a request: signs it where its service wants that.
  void Sign(const PreparedRequest& prepared, std::int64_t now_ms, HttpRequest& request) const;
  WireReader reader() const;
  // What a service said of a request that it has no such place for, with the address that was asked: a slip
  // in it shows there. Other errors stay as they are.
  Error WithAddress(const PreparedRequest& prepared, int status, Error error) const;
  // Whether a model's service is asked: no recording, and nobody on this machine.
  static bool IsAsked(const PreparedRequest& prepared);
  // What the user says of the endpoint that a request goes to.
  Patience PatienceFor(const PreparedRequest& prepared) const;
  const Redactor& redactor() const { return *redactor_; }
  // A key that the run got later.
  void Hide(const Secret& key);

 private:
  void KeepFolder(HttpRequest& request) const;

  const Endpoints& endpoints_;
  const ModelBook& models_;
  WireRules rules_;
  std::shared_ptr<const Redactor> redactor_;  // its readers keep the one that they began with
};

}  // namespace assay
