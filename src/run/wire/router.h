// Router: decides for each request whether a recording answers it, and where it goes if none does, before its
// key is made. Pure; any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "providers/facts/model_facts.h"
#include "spec/exchange/exchange.h"
#include "spec/exchange/recording.h"
#include "spec/exchange/request.h"

namespace assay {

struct Suite;

struct PreparedRequest {
  Request request;
  RequestTag tag;
  std::string canonical;
  Digest key{};
  std::optional<Reply> recorded;  // what a recording says; its name is part of `canonical`
  std::optional<Error> refused;   // a strict recording has no answer, or says that the model was down
  std::optional<RetryRule> retry = {};
  bool takes_silence = false;  // PlannedRequest::takes_silence
  bool takes_any_end = false;  // PlannedRequest::takes_any_end
  bool was_down = false;       // `refused` is recorded: another model stood in
  // What the model has said before its service paused it, so often: it is asked to go on.
  std::optional<ModelReply> paused = {};
  std::uint32_t pauses = 0;
};

// Whether a stored exchange of the same key answers: a text that was cut where nobody wrote a limit does not
// once there is more room for it, and silence only whoever takes it.
bool MayAnswer(const Exchange& found, const PreparedRequest& prepared);

// By the id of a model that is a program: the digests (SHA-256) of the files that its command line names, in
// order. What a program answers depends on them as on its words.
using ProgramInputs = std::map<std::string, std::vector<std::string>, std::less<>>;

class Router {
 public:
  Router() = default;
  // `base_urls`: where the user said that a provider is. A reply from there is not one of the provider's own,
  // so the URL becomes part of the key.
  // `models`: says how much room thinkers get.
  explicit Router(std::vector<Recording> recordings, std::map<std::string, std::string> base_urls = {},
                  ModelBook models = {}, ProgramInputs programs = {})
      : recordings_(std::move(recordings)),
        base_urls_(std::move(base_urls)),
        models_(std::move(models)),
        programs_(std::move(programs)) {}
  PreparedRequest Prepare(const Suite& suite, PlannedRequest planned) const;

 private:
  // Looks a request up that goes to no model.
  void FindOther(const Suite& suite, PreparedRequest& prepared) const;

  void Redirect(const std::string& provider, std::string& base_url) const;
  std::vector<Recording> recordings_;
  // Whoever asks a program, as a candidate, a judge or in another's place.
  void AddProgramInputs(ModelRequest& request) const;

  std::map<std::string, std::string> base_urls_;  // by provider
  ModelBook models_;
  ProgramInputs programs_;
};

}  // namespace assay
