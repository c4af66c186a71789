// Breakers: stop asking a model that fails again and again for the same reason, so that a wrong key or a
// model that is gone costs a few calls and not one for every cell. A service that is down as a whole is
// waited for before (outages.h). Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "spec/exchange/request.h"

namespace assay {

class Breakers {
 public:
  // After so many calls in a row that failed for good with the same status or class of error. Wrong keys and
  // unknown models do not mend themselves.
  static constexpr std::uint32_t kFailuresMax = 10;
  static constexpr std::uint32_t kHopelessMax = 3;

  struct Breaker {
    std::string model;  // "openai:gpt-4o"
    int failure = 0;    // HTTP status, or the class of the error below zero; 0: the last call was answered
    std::uint32_t failures = 0;
    std::string last_message;
    std::uint64_t cut = 0;  // calls that were not sent since
    bool is_open = false;
    bool is_told = false;  // by another process
    std::string given_up;  // its service was down; why nobody waits for it any more
  };

  // The last word on a call that was sent. `status`: of the last reply; 0 if none came. `is_hopeless`: all
  // others of its model will fail as well.
  void CountAnswer(const Request& request);
  void CountFailure(const Request& request, int status, const Error& error, bool is_hopeless = false);
  // The same of a request that quotes a stranger's text, as a judge's does: a service that refuses the
  // request may refuse the text, whatever its words.
  void CountFailureOnText(const Request& request, int status, const Error& error, bool is_hopeless);
  // What to say beside the reason once the request's model gets no more requests, or from now on.
  void NoteOnceOpen(const Request& request, std::string_view note);
  // Null while the request's model is asked. Else the call is counted as one that was cut.
  const Error* Cut(const Request& request);
  // Another process of the run has seen it fail again and again, the last time with `message`.
  void Break(const std::string& key, const std::string& model, const std::string& message);
  // The request's service was down for too long.
  void GiveUp(const Request& request, const std::string& why);
  // Those that are open.
  std::map<std::string, Breaker> Open() const;

 private:
  struct Entry {
    Breaker breaker;
    std::string note;
    Error error;
    // Opens it, with the reason that its calls get.
    void Open(std::string reason);
    void AddNote();
  };
  Entry* Find(const Request& request);
  std::map<std::string, Entry> entries_;
};

}  // namespace assay
