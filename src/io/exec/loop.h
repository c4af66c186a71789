// ExecLoop: the thread that runs the programs of exec: it gives turns to processes and reads their replies.
#pragma once

#include <deque>
#include <memory>
#include <thread>
#include <variant>
#include <vector>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "io/exec/guard.h"
#include "io/exec/session.h"

namespace assay {

class ExecLoop {
 public:
  // `options.folder` is the loop's own and ends with it.
  ExecLoop(ExecOptions options, SandboxPipe wake);
  ~ExecLoop();
  ExecLoop(const ExecLoop&) = delete;
  ExecLoop& operator=(const ExecLoop&) = delete;

  // Any thread but the loop's own.
  void Post(ExecCall call);
  // Nothing is delivered after this returns, except for what is posted later.
  void CancelAll();

 private:
  struct Cancel {
    std::shared_ptr<BoundedQueue<bool>> done;
  };
  struct Quit {};
  using Message = std::variant<ExecCall, Cancel, Quit>;

  void Loop();
  void Push(Message message);
  bool TakeMessages();  // false: quit
  void DropCalls();
  void AssignWaiting();
  ExecSession* IdleFor(const std::string& key);
  bool MakePlace();
  Result<ExecFolder> MakeFolder(const HttpRequest& request) const;
  void Start(ExecCall call);
  void Hand(ExecSession& session, ExecCall call);
  void Wait();
  void EndBroken();
  void LeaveAll();

  ExecOptions options_;
  SandboxPipe wake_;
  SystemClock clock_;
  ExecGuard guard_;
  bool is_guarded_ = false;
  std::size_t started_ = 0;
  std::deque<ExecCall> waiting_;
  std::vector<ExecSession> sessions_;
  BoundedQueue<Message> inbox_;
  std::jthread thread_;  // last: it ends before anything that it uses
};

}  // namespace assay
