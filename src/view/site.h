// Site: what `assay view` answers: the pages, and below /api/1/ what they ask for, to nobody but the browser
// that was given the token. Nothing is ever written (docs/formats/view.md, Safety).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/http/local_server.h"
#include "view/endpoint.h"
#include "view/library.h"

namespace assay {

// One thread.
class Site {
 public:
  Site(Library& library, std::uint16_t port);
  const std::string& token() const { return token_; }
  // One more, for an address that others may see: it is taken once.
  std::string AddTokenForOnce();
  ServedReply Answer(const ServedRequest& request);

 private:
  bool IsFromHere(const ServedRequest& request) const;
  bool HasCookie(const ServedRequest& request) const;
  ServedReply TakeToken(const ServedRequest& request);
  ServedReply AnswerApi(const ServedRequest& request, std::string_view path);

  Library& library_;
  std::string token_;
  std::string once_;    // "": none, or taken
  std::string cookie_;  // another secret: who reads the address of a page has none
  std::string host_;    // "127.0.0.1:8123"
  std::string named_;   // "localhost:8123"
  std::string name_;    // of the cookie: one host has those of all its ports
};

}  // namespace assay
