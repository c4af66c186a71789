// LauncherLoop: the launcher's thread. It gives waiting programs to sandbox hosts, one host for each
// toolchain, and collects their output and results.
#pragma once

#include <poll.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <variant>
#include <vector>

#include "base/bounded_queue.h"
#include "io/launcher/host.h"
#include "io/launcher/launcher.h"
#include "io/launcher/room.h"
#include "io/launcher/run.h"
#include "io/sandbox/cgroup.h"

namespace assay {

struct LauncherJob {
  Ticket ticket = 0;
  ProcessRequest request;
  CompletionSink* sink = nullptr;
  std::optional<TimePoint> room_until = {};  // how long it waits for room; absent: it does not
};

// A host, and until it is ready the programs that wait for it.
struct LiveHost {
  LauncherHost host;
  bool is_ready = false;
  TimePoint give_up_at = kNever;
  std::deque<LauncherJob> waiting = {};
};

class LauncherLoop {
 public:
  LauncherLoop(LauncherOptions options, HostKind kind, SandboxPipe wake);
  ~LauncherLoop();
  LauncherLoop(const LauncherLoop&) = delete;
  LauncherLoop& operator=(const LauncherLoop&) = delete;

  // Any thread but the loop's own.
  void Post(LauncherJob job);
  // Ends all programs; nothing is delivered after this returns, except for what is posted later.
  void CancelAll();

 private:
  struct Cancel {
    std::shared_ptr<BoundedQueue<bool>> done;
  };
  struct Quit {};
  using Message = std::variant<LauncherJob, Cancel, Quit>;

  void Loop();
  void Wait();
  void Push(Message message);
  bool TakeMessages();  // false: quit
  void StartWaiting();
  void KeepForRoom();
  void TakeWithRoom();
  std::size_t CountWorking() const;
  void Start(LauncherJob job);
  void Refuse(const LauncherJob& job, Error error);
  Status Launch(ProcessRequest request, LauncherRun& run, LauncherHost& host);
  Result<LiveHost*> HostFor(const ProcessRequest& request);
  void HearHosts();
  bool SomebodyStarts() const;
  void Read(LauncherRun& run, const pollfd* heard);
  void DeliverEnded();
  void EndOverdue();
  CgroupPlace& PlaceOf(std::size_t index);

  LauncherOptions options_;
  HostKind kind_;
  SandboxPipe wake_;
  SystemClock clock_;
  std::map<std::string, LiveHost> hosts_;  // by toolchain and prelude
  std::deque<LauncherJob> waiting_;
  std::deque<LauncherJob> for_room_;  // programs that starved before, until processors stand idle
  std::set<std::size_t> starved_;     // identities
  RoomWatch room_;
  bool is_crowded_ = false;  // one waited for room in vain, and there has been none since
  std::vector<std::unique_ptr<LauncherRun>> runs_;
  std::vector<CgroupParent> cgroup_parents_;
  std::vector<std::unique_ptr<CgroupPlace>> places_;  // made at first use
  std::vector<bool> is_taken_;                        // by place
  BoundedQueue<Message> inbox_;
  std::jthread thread_;  // last: it ends before anything that it uses
};

}  // namespace assay
