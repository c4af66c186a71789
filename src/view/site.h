// Site: what `assay view` answers: the pages, and below their folder what they ask for, to those who send
// their token. Scripts send the printed token, and ask outside the folder. Nothing is ever written
// (docs/formats/view.md, Safety).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
  // Is printed: opens the API to scripts, and is traded for the token of the pages.
  const std::string& token() const { return token_; }
  // Where the pages are, "/3fa9…/": new for each server, so no browser has anything of it in its cache. No
  // reply to a request outside it contains its name.
  const std::string& folder() const { return folder_; }
  // One more, which is traded for the token of the pages once; `when_taken` is called then.
  std::string AddTokenForOnce(std::function<void()> when_taken = {});
  ServedReply Answer(const ServedRequest& request);

 private:
  bool IsFromOwnPage(const ServedRequest& request) const;
  bool MayAskApi(const ServedRequest& request, std::string_view folder) const;
  std::optional<std::string_view> BelowFolder(std::string_view path) const;
  ServedReply TakeToken(const ServedRequest& request);
  ServedReply AnswerApi(const ServedRequest& request, std::string_view path);
  ServedReply AnswerPage(std::string_view path) const;

  Library& library_;
  std::string token_;
  std::string token_of_pages_;  // browsers keep it for the origin; worth nothing outside the folder
  std::string folder_;
  std::string once_;  // "": none, or taken
  std::function<void()> when_taken_;
  std::string host_;   // "127.0.0.1:8123"
  std::string named_;  // "localhost:8123"
};

}  // namespace assay
