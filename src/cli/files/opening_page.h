// OpeningPage: a page in the user's state folder that leads a browser on to an address. Its own path may be
// in a command line, which every user of the machine can read; the address, with its token, may not
// (docs/trust.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/errors/result.h"

namespace assay {

class OpeningPage {
 public:
  // `address` is percent-encoded; `port` names the page. Removes the pages of programs that were killed. As
  // StateFolder::Open, and kIo: it cannot be written.
  static Result<std::unique_ptr<OpeningPage>> Write(const std::string& address, std::uint16_t port);
  // For Write. Owns `file`, which is open and locked for as long as the program lives.
  OpeningPage(std::string path, int file) : path_(std::move(path)), file_(file) {}
  ~OpeningPage();  // removes it
  OpeningPage(const OpeningPage&) = delete;
  OpeningPage& operator=(const OpeningPage&) = delete;

  std::string Url() const;  // "file:///…"

 private:
  std::string path_;
  int file_;
};

}  // namespace assay
