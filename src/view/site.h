// Site: what `assay view` answers: the pages, and below /api/1/ what they ask for, to those alone who send
// the token. Nothing is ever written (docs/formats/view.md, Safety).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/http/local_server.h"
#include "view/endpoint.h"
#include "view/library.h"

namespace assay {

// What every reply carries, those included that the server gives before it has a request: the policy of the
// pages, and that nothing is kept or guessed.
std::vector<HttpHeader> PolicyHeaders();

// One thread.
class Site {
 public:
  Site(Library& library, std::uint16_t port);
  const std::string& token() const { return token_; }
  // Below which the pages are opened, "/3fa9…/": new for each server, so that no browser has anything of it
  // in its cache.
  const std::string& folder() const { return folder_; }
  // One more, which is traded for the token once; `when_taken` is called then.
  std::string AddTokenForOnce(std::function<void()> when_taken = {});
  ServedReply Answer(const ServedRequest& request);

 private:
  bool IsFromOwnPage(const ServedRequest& request) const;
  bool HasToken(const ServedRequest& request) const;
  ServedReply TakeToken(const ServedRequest& request);
  ServedReply AnswerApi(const ServedRequest& request, std::string_view path);

  ServedReply AnswerPage(std::string_view path) const;

  Library& library_;
  std::string token_;
  std::string folder_;
  std::string once_;  // "": none, or taken
  std::function<void()> when_taken_;
  std::string host_;   // "127.0.0.1:8123"
  std::string named_;  // "localhost:8123"
};

}  // namespace assay
