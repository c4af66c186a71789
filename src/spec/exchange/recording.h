// Recording: replies that stand in for live calls: fixtures written by hand, or the exchanges of an earlier
// run.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/errors/error.h"
#include "base/errors/result.h"
#include "spec/exchange/request.h"
#include "spec/run/step.h"

namespace assay {

struct Recording {
  // Goes into ModelRequest::source and so into the key: "fixtures:<12 hex digits>", "replay:<12 hex digits>".
  std::string source;
  std::string path;          // as the user named it, for messages
  PromptClock prompts = {};  // the time that its requests' prompts tell; 0: it does not say
  bool strict = false;       // a request that is not recorded is an error instead of a live call
  std::optional<RequestRole> only = {};  // the only requests to models that it is asked about; absent: all
  // The recorded reply of a request, or nothing. `source` of the request is empty. Pure; any thread.
  std::function<std::optional<ModelReply>(const Suite&, const ModelRequest&, const RequestTag&)> find;
  // Why a recorded request was not answered, where another model then stood in for its own; null: no such
  // request is recorded.
  std::function<std::optional<Error>(const ModelRequest&)> find_failure = nullptr;
  // The recorded reply of a request to anything but a model; null: none is recorded. What may not be asked
  // live (a page of a simulated web) gets a reply that says so.
  std::function<std::optional<Reply>(const Suite&, const Request&, const RequestTag&)> find_other = nullptr;
  // The bytes that addresses in messages led to, by KeyedUrl of each: they are not fetched again.
  std::map<std::string, std::string> fetched = {};
};

}  // namespace assay
