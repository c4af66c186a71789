// ExecSession: one process of exec, from its start over its turns to its end. Used by the loop's thread only.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/wire/line_protocol.h"
#include "base/wire/transport.h"
#include "io/exec/transport.h"
#include "io/sandbox/file.h"

namespace assay {

struct ExecCall {
  Ticket ticket = 0;
  HttpRequest request;
  CompletionSink* sink = nullptr;
};

// "" if the request has no such header.
std::string HeaderOf(const HttpRequest& request, std::string_view name);

// Where a process keeps its files.
struct ExecFolder {
  std::string path;
  bool is_kept = false;  // else it ends with the process
};

class ExecSession {
 public:
  static constexpr std::size_t kDescriptors = 3;
  enum class State {
    kStarting,  // it has not said that it is ready
    kTurn,
    kIdle,
    kLeaving,  // it was told to end
    kBroken,   // to be killed
  };

  // What processes have in common that may stand in for each other.
  static std::string KeyOf(const HttpRequest& request);
  // Starts the program of the request; its folder is made and its own.
  static Result<ExecSession> Start(const HttpRequest& request, const ExecOptions& options, ExecFolder folder);

  ExecSession(ExecSession&&) = default;
  ExecSession& operator=(ExecSession&&) = default;

  State state() const { return state_; }
  const std::string& key() const { return key_; }
  pid_t pid() const { return pid_; }
  TimePoint deadline() const { return deadline_; }

  void Take(ExecCall call, TimePoint now, TimePoint deadline);
  // Drops the call without a word and breaks.
  void Cancel();
  void SayGoodbye(TimePoint deadline);

  // Of kDescriptors places.
  void FillPoll(pollfd* polled) const;
  void OnPoll(const pollfd* polled, TimePoint now);
  // Looks whether the process has ended and whether its time is up.
  void Sweep(TimePoint now);
  // Kills the process group, waits for its end and removes the folder.
  void End();

 private:
  ExecSession(std::string key, ExecFolder folder, const ExecOptions& options)
      : key_(std::move(key)), folder_(std::move(folder)), options_(&options) {}

  void AskTurn(TimePoint now);
  Status PutFiles();
  void Write(std::string_view line);
  void Flush();
  void ReadOutput(TimePoint now);
  void ReadErrors();
  void OnLine(std::string_view text, TimePoint now);
  void OnTurnLine(const ProgramLine& line, std::string_view text, TimePoint now);
  void Deliver(HttpReply reply, TimePoint now);
  void Fail(Error error, TimePoint now);
  void OnEnded(std::string how, TimePoint now);
  std::string Name() const;
  std::string LastWords() const;

  std::string key_;
  ExecFolder folder_;
  const ExecOptions* options_;  // the loop's
  State state_ = State::kStarting;
  pid_t pid_ = -1;
  SandboxFd input_;   // the program's
  SandboxFd output_;  // likewise, and so below
  SandboxFd errors_;
  std::string to_write_;
  std::string line_;  // begun and not ended
  std::string errors_tail_;
  std::optional<ExecCall> call_;
  std::string turn_;       // name of the call's turn
  std::string ready_;      // what it said when it was ready, with its line end
  std::string lines_;      // that, and those of the turn
  std::size_t bytes_ = 0;  // that came since the turn began
  TimePoint taken_at_{};
  TimePoint asked_at_{};  // when the turn was written to it
  TimePoint deadline_ = kNever;
  TimePoint silent_since_ = kNever;  // its output ended, and it has not yet
};

}  // namespace assay
