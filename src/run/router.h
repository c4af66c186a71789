// Router: decides for each request whether a recording answers it, before its key is made. Pure; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spec/recording.h"
#include "spec/request.h"
#include "spec/suite.h"

namespace assay {

struct PreparedRequest {
  Request request;
  RequestTag tag;
  std::string canonical;
  Digest key{};
  std::optional<Reply> recorded;  // what a recording says; its name is part of `canonical`
  std::optional<Error> refused;   // a strict recording has no answer
};

class Router {
 public:
  Router() = default;
  explicit Router(std::vector<Recording> recordings) : recordings_(std::move(recordings)) {}
  PreparedRequest Prepare(const Suite& suite, PlannedRequest planned) const;

 private:
  // Looks a request up that goes to no model.
  void FindOther(PreparedRequest& prepared) const;

  std::vector<Recording> recordings_;
};

}  // namespace assay
