// Replies of HTTP services that tests of the simulation script.
#pragma once

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/town.h"

namespace assay::sim {

inline HttpReply HttpOf(int status, std::string body, std::vector<HttpHeader> headers = {}) {
  HttpReply reply;
  reply.status = status;
  reply.headers = std::move(headers);
  reply.body = std::move(body);
  return reply;
}

inline bool Says(const std::set<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&part](const std::string& text) { return text.find(part) != std::string::npos; });
}

// A service that answers ten requests in each six seconds and refuses the others.
struct Window {
  static constexpr int kWidth = 10;
  FakeClock& clock;
  HttpReply answer;
  HttpReply refusal;
  TimePoint began = TimePoint(std::chrono::seconds(-10));
  int taken = kWidth;

  HttpReply operator()(const HttpRequest&) {
    if (clock.Now() - began >= std::chrono::seconds(6)) {
      began = clock.Now();
      taken = 0;
    }
    return ++taken > kWidth ? refusal : answer;
  }
};

}  // namespace assay::sim
