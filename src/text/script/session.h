// ScriptSession: a realm that stays, for scripts that are loaded once and called often.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include "text/script/script.h"

namespace assay {

// One thread. What a call changes in the realm, later calls see. The limits of memory and stack are
// ScriptEngine's; memory counts over all calls. After an outcome of kind kLimit, every call ends so: open
// another session.
class ScriptSession {
 public:
  ScriptSession();
  ~ScriptSession();
  ScriptSession(const ScriptSession&) = delete;
  ScriptSession& operator=(const ScriptSession&) = delete;

  // Runs a script for what it leaves behind in the realm.
  ScriptOutcome Load(std::string_view source, std::chrono::nanoseconds time = limits::kScriptTime);
  // Calls a function among the globals.
  ScriptOutcome Call(std::string_view function, const std::vector<Value>& arguments,
                     std::chrono::nanoseconds time = limits::kScriptTime);
  // Whether a limit has ended the session.
  bool has_ended() const;

 private:
  struct Realm;
  template <class Run>
  ScriptOutcome Within(std::chrono::nanoseconds time, const Run& run);

  std::unique_ptr<Realm> realm_;
};

}  // namespace assay
