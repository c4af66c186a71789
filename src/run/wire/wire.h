// Wire: encodes the requests of a sitting for transports and launchers, and decodes what comes back, with all
// that it says beside the answer. It knows the habits of services and models, so that its callers need not.
// Pure; loop thread only.
#pragma once

#include <chrono>
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

class Wire {
 public:
  Wire(const Endpoints& endpoints, const ModelBook& models, WireRules rules)
      : endpoints_(endpoints), models_(models), rules_(std::move(rules)), redactor_(endpoints) {}

  // kUnsupported if nobody speaks for the request.
  Result<WireRequest> Encode(const PreparedRequest& prepared) const;
  // Puts a request as its service can take it.
  static void AdaptTo(const Adaptation& adaptation, const PreparedRequest& prepared, HttpRequest& request);
  // The last that is done to a request: signs it where its service wants that.
  void Sign(const PreparedRequest& prepared, std::int64_t now_ms, HttpRequest& request) const;
  // `now_ms`: the wall clock, which dates of services are compared with.
  WireNews Decode(const PreparedRequest& prepared, WireReply reply, std::int64_t now_ms) const;
  // What the user says of the endpoint that a request goes to.
  Patience PatienceFor(const PreparedRequest& prepared) const;
  const Redactor& redactor() const { return redactor_; }
  // A key that the run got later.
  void Hide(const Secret& key) { redactor_.Add(key); }

 private:
  bool KeepsThinkTags(const PreparedRequest& prepared) const;
  void KeepFolder(HttpRequest& request) const;

  const Endpoints& endpoints_;
  const ModelBook& models_;
  WireRules rules_;
  Redactor redactor_;
};

}  // namespace assay
