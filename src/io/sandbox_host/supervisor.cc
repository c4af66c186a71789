// Runs one program from its folder to its report: starts it, measures it against its limits, and ends all of
// its processes.
#include "io/sandbox_host/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "io/sandbox_host/actor.h"
#include "io/sandbox_host/fence/confine.h"
#include "io/sandbox_host/fence/door.h"
#include "io/sandbox_host/fence/listener.h"
#include "io/sandbox_host/files/commands.h"
#include "io/sandbox_host/files/files.h"
#include "io/sandbox_host/files/folder_use.h"
#include "io/sandbox_host/files/view.h"
#include "io/sandbox_host/processes/memory.h"
#include "io/sandbox_host/processes/pace.h"
#include "io/sandbox_host/processes/processes.h"
#include "io/sandbox_host/processes/run_time.h"
#include "io/sandbox_host/warm.h"

namespace assay {

namespace {

constexpr std::uint32_t kUserInside = 1000;
constexpr std::uint64_t kFirstLookUs = 20'000;  // at memory and time used; then every
constexpr std::uint64_t kLookEveryUs = 50'000;
constexpr std::uint64_t kMeasureEveryUs = 500'000;  // the folder, where the kernel does not limit it
constexpr std::uint64_t kMeasureShare = 10;         // and this many times longer than it took
constexpr int kUnmeasuredMost = 3;
constexpr std::uint64_t kFolderNamesMax = 65'536;
constexpr int kStartMostMs = 20'000;  // from the fork to the program

std::uint64_t NowUs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000;
}

std::uint64_t UsedByChildrenUs() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto us = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_usec);
  };
  return us(use.ru_utime) + us(use.ru_stime);
}

// How one program ended.
struct Ending {
  int status = 0;  // of wait()
  SandboxLimit limit = SandboxLimit::kNone;
  bool was_held_up = false;
  SandboxUnmeasured unmeasured = SandboxUnmeasured::kNothing;
  bool is_ended() const { return limit != SandboxLimit::kNone || unmeasured != SandboxUnmeasured::kNothing; }
};

class Supervisor {
 public:
  Supervisor(const SandboxSetup& setup, const RunFiles& files, std::string folder, int warm)
      : setup_(setup),
        files_(files),
        folder_(std::move(folder)),
        warm_(warm),
        tree_(setup.level == SandboxWireLevel::kNamespaces ? Tree::kNamespace : Tree::kDescendants) {}

  SandboxReport Run();
  void CleanUp();

 private:
  StepError Prepare();
  StepError PrepareNamespaces();
  StepError PrepareFolder();
  StepError WriteFiles();
  void Report(const StepError& error, SandboxReport& report) const;
  StepError Start(const std::vector<std::string>& argv, const SandboxLimits& limits, bool has_output);
  void Become(const std::vector<std::string>& argv, const SandboxLimits& limits, bool has_output,
              int problem);
  StepError HearStart(int door, const SandboxLimits& limits);
  StepError StartMain();
  Measured LookAtFolder(const TreeUse& use, const SandboxLimits& limits, std::uint64_t now);
  std::optional<FolderUse> MeasureFolder(const SandboxLimits& limits);
  Measured Persistent(Measured found, int& unknown) const;
  std::uint64_t UsedUs(const TreeUse& use);
  void NameSignal(const SandboxLimits& limits, Ending& ending);
  void NameHidden(Ending& ending) const;
  Ending Watch(const SandboxLimits& limits);
  void Stop();
  [[noreturn]] void Fail();
  std::uint32_t ActorUid() const;
  void Look(const SandboxLimits& limits, std::uint64_t now, Ending& ending);
  std::uint64_t DeadlineOf(const SandboxLimits& limits) const;
  void EndIfLate(const SandboxLimits& limits, Ending& ending);
  void TellPace();
  void Say(char word) const;
  std::optional<int> Reap();
  bool HearLauncher();
  std::vector<std::string> Environment() const;

  const SandboxSetup& setup_;
  const RunFiles& files_;
  std::string folder_;  // of the run, without namespaces
  int warm_;
  std::vector<int> warm_places_;
  Tree tree_;
  SandboxRun run_;
  std::string root_;      // of all that the program may write
  pid_t pid_ = 0;         // of the program; 0: it is not our child,
  int warm_status_ = -1;  // but its status can be read from here
  int children_ = -1;     // readable when a child has ended
  std::uint64_t start_us_ = 0;
  std::uint64_t measured_us_ = 0;
  std::uint64_t used_before_us_ = 0;    // CPU time of the program before this one,
  std::uint64_t cgroup_before_us_ = 0;  // and of those before in its cgroup
  std::optional<RunTime> run_time_;
  std::optional<Pace> pace_;
  bool says_sleeps_ = false;
  bool could_see_ = false;  // the processes of the run, at the last look
  MemoryWatch memory_;
  int unknown_memory_ = 0;  // times that it could not be measured, one after the other
  int unknown_disk_ = 0;
  Listener listener_;
};

StepError Supervisor::Prepare() {
  if (!SandboxRead(ReadWhole(files_.fixed[kRequestFile]), run_)) return {EINVAL, "read the request"};
  if (tree_ == Tree::kNamespace) {
    TRY_STEPS(PrepareNamespaces());
  } else {
    TRY_STEPS(PrepareFolder());
  }
  for (const char* folder : {"/folder", "/tmp", "/shm"}) {
    TRY_STEP("create a work folder", MakeFolders(root_ + folder, true));
    const bool has_owner = tree_ == Tree::kDescendants && setup_.uid != 0;
    TRY_STEP("give away a work folder",
             has_owner ? chown((root_ + folder).c_str(), setup_.uid, setup_.uid) : 0);
  }
  TRY_STEP("go to the work folder", chdir((root_ + std::string(kSandboxFolder)).c_str()));
  return WriteFiles();
}

StepError Supervisor::PrepareNamespaces() {
  TRY_STEPS(MapUser(kUserInside, 0));
  TRY_STEPS(MountPrivate(setup_, run_.limits.folder_bytes));
  TRY_STEP("name the machine", sethostname("sandbox", 7));
  TRY_STEPS(StartLoopback());
  if (run_.is_warm != 0 && warm_ >= 0) warm_places_ = OpenPlaces();
  // Nothing of ours in /proc is the program's.
  TRY_STEP("hide from the program", prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
  root_ = kSandboxRoot;
  return {};
}

StepError Supervisor::PrepareFolder() {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  root_ = folder_;
  TRY_STEP("create a work folder", MakeFolders(root_, true));
  return {};
}

StepError Supervisor::WriteFiles() {
  const bool has_owner = tree_ == Tree::kDescendants && setup_.uid != 0;
  for (const SandboxFile& file : run_.files) {
    TRY_STEPS(CreateFile(file.path, file.bytes));
    if (!has_owner) continue;
    for (std::size_t end = file.path.find('/'); end != std::string::npos; end = file.path.find('/', end + 1))
      TRY_STEP("give away a folder", lchown(file.path.substr(0, end).c_str(), setup_.uid, setup_.uid));
    TRY_STEP("give away a file", lchown(file.path.c_str(), setup_.uid, setup_.uid));
  }
  return {};
}

std::vector<std::string> Supervisor::Environment() const {
  std::vector<std::string> all = setup_.environment;
  all.push_back("HOME=" + root_ + std::string(kSandboxFolder));
  all.push_back("TMPDIR=" + root_ + std::string(kSandboxTemporary));
  for (const std::string& each : run_.environment) {
    const std::string name = each.substr(0, each.find('=') + 1);
    std::erase_if(all, [&name](const std::string& other) { return other.starts_with(name); });
    all.push_back(each);
  }
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The child's way to the program; on failure it says through `problem` why, and ends.
void Supervisor::Become(const std::vector<std::string>& argv, const SandboxLimits& limits, bool has_output,
                        int problem) {
  std::vector<std::string> words = argv;
  std::vector<std::string> variables = Environment();
  StepError error = Confine({.setup = setup_,
                             .limits = limits,
                             .files = files_,
                             .root = root_,
                             .has_output = has_output,
                             .door = problem});
  if (!error.failed()) {
    std::vector<char*> pointers = Pointers(variables);
    environ = pointers.data();  // in which the program is looked for
    error = Step("start " + argv[0], execvpe(argv[0].c_str(), Pointers(words).data(), environ));
  }
  SandboxReport report;
  Report(error, report);
  if (write(problem, &report, sizeof report) < 0) _exit(126);
  _exit(127);
}

StepError Supervisor::Start(const std::vector<std::string>& argv, const SandboxLimits& limits,
                            bool has_output) {
  int ends[2];
  TRY_STEP("open a socket", socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
  start_us_ = measured_us_ = NowUs();
  Say(kStarts);
  pid_ = fork();
  if (pid_ == 0) {
    // Above what the program gets, where closing the rest leaves it open until exec.
    Become(argv, limits, has_output, fcntl(ends[1], F_DUPFD_CLOEXEC, 64));
  }
  const StepError forked = Step("start a process", pid_);
  close(ends[1]);
  const StepError started = forked.failed() ? forked : HearStart(ends[0], limits);
  close(ends[0]);
  return started;
}

// What comes from the child until it is the program: its listener, if it has one, or why it cannot start.
StepError Supervisor::HearStart(int door, const SandboxLimits& limits) {
  for (;;) {
    pollfd heard[2] = {{door, POLLIN, 0}, {files_.fixed[kStatusSocket], POLLIN, 0}};
    if (poll(heard, 2, kStartMostMs) == 0) {
      Stop();
      return {ETIMEDOUT, "start the program"};
    }
    if (heard[1].revents != 0 && HearLauncher()) Stop();
    if (heard[0].revents == 0) continue;
    SandboxReport report;
    int listener = -1;
    const long count = ReceiveWithDescriptor(door, &report, sizeof report, listener);
    if (listener >= 0) listener_.Open(listener, {root_, limits.file_bytes}, ActorUid());
    if (count == sizeof report) return {report.error, report.step};
    if (count <= 0) return {};
  }
}

// The program itself; warm if it may be and can be.
StepError Supervisor::StartMain() {
  if (run_.is_warm == 0 || warm_ < 0) return Start(run_.argv, run_.limits, true);
  start_us_ = measured_us_ = NowUs();
  Say(kStarts);
  warm_status_ = RunWarm(warm_, warm_places_, run_, Environment(), files_);
  return warm_status_ < 0 ? Start(run_.argv, run_.limits, true) : StepError{};
}

// The program's user, where that is another than ours.
std::uint32_t Supervisor::ActorUid() const { return tree_ == Tree::kDescendants ? setup_.uid : 0; }

// Nothing that we would report could be relied upon.
void Supervisor::Fail() {
  KillAll(tree_);
  CleanUp();
  _exit(1);
}

void Supervisor::Stop() { kill(pid_ > 0 ? pid_ : -1, SIGKILL); }

// True: the launcher wants an end because of the output. Ends everything if it has gone.
bool Supervisor::HearLauncher() {
  char word = 0;
  const ssize_t count = recv(files_.fixed[kStatusSocket], &word, 1, MSG_DONTWAIT);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
    KillAll(tree_);
    CleanUp();
    _exit(0);
  }
  return count > 0 && word == kStopForOutput;
}

// The status of the program, once it has ended.
std::optional<int> Supervisor::Reap() {
  if (pid_ == 0) {
    int status = SIGKILL;  // what it stays if the interpreter is gone
    const ssize_t count = read(warm_status_, &status, sizeof status);
    return count < 0 ? std::nullopt : std::optional(status);
  }
  signalfd_siginfo info{};
  while (read(children_, &info, sizeof info) > 0) continue;
  std::optional<int> own;
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (ended == pid_) own = status;
  }
  return own;
}

void Supervisor::Say(char word) const {
  send(files_.fixed[kStatusSocket], &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// A program that sleeps tells the launcher, which starts another in the meantime.
void Supervisor::TellPace() {
  if (pace_->sleeps() != std::exchange(says_sleeps_, pace_->sleeps())) Say(says_sleeps_ ? kSleeps : kWorks);
}

// Where no cgroup adds it up: what the kernel knows, or what was seen of each process, if that is more.
std::uint64_t Supervisor::UsedUs(const TreeUse& use) {
  const std::uint64_t seen_us = run_time_->Follow(use);
  if (const std::uint64_t all_us = CgroupTimeUs(files_.fixed[kCpuFile]); all_us > 0)
    return all_us - std::min(all_us, cgroup_before_us_);
  return std::max(seen_us, use.cpu_us + UsedByChildrenUs() - used_before_us_);
}

// What cannot be measured for so long is no accident.
Measured Supervisor::Persistent(Measured found, int& unknown) const {
  unknown = found == Measured::kUnknown ? unknown + 1 : 0;
  return found == Measured::kUnknown && unknown <= kUnmeasuredMost ? Measured::kWithin : found;
}

void Supervisor::Look(const SandboxLimits& limits, std::uint64_t now, Ending& ending) {
  TreeUse use = UseOf(tree_);
  // Who could see before and cannot now has been blinded.
  if (!use.is_known && std::exchange(could_see_, false)) Fail();
  could_see_ = use.is_known;
  std::uint64_t cpu_us = UsedUs(use);
  // A child that ended between its turn and its parent's is counted twice.
  if (cpu_us >= limits.cpu_us) cpu_us = std::min(cpu_us, UsedUs(use = UseOf(tree_)));
  pace_->Follow(use, cpu_us, now);
  TellPace();
  if (cpu_us >= limits.cpu_us) return void(ending.limit = SandboxLimit::kCpu);
  const Actor actor(ActorUid());
  const Measured memory = Persistent(memory_.Look(use, limits.memory_bytes, now), unknown_memory_);
  if (memory == Measured::kBeyond) ending.limit = SandboxLimit::kMemory;
  if (memory == Measured::kUnknown) ending.unmeasured = SandboxUnmeasured::kMemory;
  if (ending.is_ended() || tree_ != Tree::kDescendants || now < measured_us_ + kMeasureEveryUs) return;
  const Measured disk = Persistent(LookAtFolder(use, limits, now), unknown_disk_);
  if (disk == Measured::kBeyond) ending.limit = SandboxLimit::kFolder;
  if (disk == Measured::kUnknown) ending.unmeasured = SandboxUnmeasured::kDisk;
}

// A folder that is never still is measured while nothing moves; that time is not the program's.
std::optional<FolderUse> Supervisor::MeasureFolder(const SandboxLimits& limits) {
  const FolderUse most{limits.folder_bytes, kFolderNamesMax};
  if (const std::optional<FolderUse> use = UseOfFolder(root_, most)) return use;
  const std::uint64_t stopped_us = NowUs();
  const Standstill standstill(tree_);
  const std::optional<FolderUse> use = UseOfFolder(root_, most);
  start_us_ += NowUs() - stopped_us;
  return use;
}

// What takes long is done more seldom.
Measured Supervisor::LookAtFolder(const TreeUse& use, const SandboxLimits& limits, std::uint64_t now) {
  const std::optional<FolderUse> folder = MeasureFolder(limits);
  std::optional<std::uint64_t> nameless = NamelessBytes(root_, use.processes);
  // Without a sandbox a program may start what is somebody else's.
  if (setup_.level == SandboxWireLevel::kNone) nameless = nameless.value_or(0);
  measured_us_ = NowUs() + (NowUs() - now) * kMeasureShare;
  const std::uint64_t bytes = (folder ? folder->bytes : 0) + nameless.value_or(0);
  if (bytes > limits.folder_bytes || (folder && folder->names > kFolderNamesMax)) return Measured::kBeyond;
  return folder && nameless ? Measured::kWithin : Measured::kUnknown;
}

// A program may send itself the kernel's signals for limits: a limit is named where it was reached.
void Supervisor::NameSignal(const SandboxLimits& limits, Ending& ending) {
  if (!WIFSIGNALED(ending.status) || ending.is_ended()) return;
  if (WTERMSIG(ending.status) == SIGXCPU && UsedUs(UseOf(tree_)) >= limits.cpu_us)
    ending.limit = SandboxLimit::kCpu;
  if (WTERMSIG(ending.status) != SIGXFSZ) return;
  const Actor actor(ActorUid());
  const std::optional<FolderUse> folder = UseOfFolder(root_, {~0ull, kFolderNamesMax});
  if (folder && folder->largest_bytes >= limits.file_bytes) ending.limit = SandboxLimit::kFileSize;
}

// What nobody can measure is the program's own doing, a limit that it exceeded, unless its runtime is such a
// one.
void Supervisor::NameHidden(Ending& ending) const {
  if (ending.unmeasured == SandboxUnmeasured::kNothing) return;
  std::string path;
  for (const std::string& variable : Environment()) {
    if (variable.starts_with("PATH=")) path = variable.substr(variable.find('=') + 1);
  }
  const Actor actor(ActorUid());
  if (NamesUnreadableCommand(run_.argv, path)) return;
  ending.limit = std::exchange(ending.unmeasured, SandboxUnmeasured::kNothing) == SandboxUnmeasured::kDisk
                     ? SandboxLimit::kHiddenDisk
                     : SandboxLimit::kHiddenMemory;
}

// What others took of the program's time does not count, up to a generous multiple of its limit.
std::uint64_t Supervisor::DeadlineOf(const SandboxLimits& limits) const {
  return start_us_ + limits.wall_us + std::min(pace_->lost_us(), limits.wall_us * kSandboxWaitMultiple);
}

// Behind the deadline as it was last known: what was lost since the last look counts, too.
void Supervisor::EndIfLate(const SandboxLimits& limits, Ending& ending) {
  Look(limits, NowUs(), ending);
  if (ending.is_ended() || NowUs() < DeadlineOf(limits)) return;
  const std::uint64_t last_us = start_us_ + limits.wall_us * (kSandboxWaitMultiple + 1);
  if (pace_->waits_now() && NowUs() < last_us) return;
  // A crowd of its own is no reason to try once more, or to be an error of the machine.
  const bool has_starved = !pace_->crowds_itself() &&
                           (pace_->waits_now() || pace_->lost_us() > limits.wall_us * kSandboxWaitMultiple);
  ending.limit = has_starved ? SandboxLimit::kStarved : SandboxLimit::kWall;
  ending.was_held_up = has_starved || !pace_->knows_waited();
}

Ending Supervisor::Watch(const SandboxLimits& limits) {
  Ending ending;
  pace_.emplace(start_us_);
  run_time_.emplace();
  says_sleeps_ = false;
  std::uint64_t look = start_us_ + kFirstLookUs;
  for (;;) {
    const std::uint64_t next = std::min(DeadlineOf(limits), look);
    const std::uint64_t now = NowUs();
    pollfd heard[3] = {{pid_ > 0 ? children_ : warm_status_, POLLIN, 0},
                       {files_.fixed[kStatusSocket], POLLIN, 0},
                       {listener_.file(), POLLIN, 0}};
    poll(heard, 3, next <= now ? 0 : static_cast<int>((next - now) / 1'000 + 1));
    if (heard[2].revents != 0) listener_.Serve((heard[2].revents & POLLIN) == 0);
    if (heard[0].revents != 0) {
      if (const std::optional<int> status = Reap()) {
        ending.status = *status;
        break;
      }
    }
    if (ending.is_ended()) continue;
    if (heard[1].revents != 0 && HearLauncher()) ending.limit = SandboxLimit::kOutput;
    const std::uint64_t later = NowUs();
    if (later >= look) {
      look = later + kLookEveryUs;
      if (!ending.is_ended()) Look(limits, later, ending);
    }
    if (!ending.is_ended() && later >= DeadlineOf(limits)) EndIfLate(limits, ending);
    if (ending.is_ended()) Stop();
  }
  NameSignal(limits, ending);
  NameHidden(ending);
  return ending;
}

void Supervisor::Report(const StepError& error, SandboxReport& report) const {
  report.error = error.error;
  CopyStep(error, report.step);
}

SandboxReport Supervisor::Run() {
  SandboxReport report;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  children_ = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
  StepError error = Prepare();
  cgroup_before_us_ = CgroupTimeUs(files_.fixed[kCpuFile]);
  if (!error.failed()) error = StartMain();
  if (error.failed()) {
    Report(error, report);
    return report;
  }
  const Ending ending = Watch(run_.limits);
  report.duration_us = NowUs() - start_us_;
  KillAll(tree_);
  report.status = ending.status;
  report.limit = ending.limit;
  report.was_held_up = ending.was_held_up ? 1 : 0;
  report.lost_us = pace_->lost_us();
  report.unmeasured = ending.unmeasured;
  report.lack = listener_.lack();
  report.cpu_us = UsedByChildrenUs();
  if (run_.after_argv.empty()) return report;
  used_before_us_ = UsedByChildrenUs();
  cgroup_before_us_ = CgroupTimeUs(files_.fixed[kCpuFile]);
  report.has_after = 1;
  report.after_status = 127 << 8;
  if (!Start(run_.after_argv, run_.after_limits, false).failed())
    report.after_status = Watch(run_.after_limits).status;
  KillAll(tree_);
  return report;
}

void Supervisor::CleanUp() {
  if (tree_ != Tree::kDescendants || root_.empty()) return;
  if (chdir("/") == 0) RemoveTree(root_);
}

}  // namespace

void Supervise(const SandboxSetup& setup, const RunFiles& files, const std::string& folder, int warm) {
  // Without a namespace our death would leave the program's children alive; there the closed socket is heard.
  if (setup.level == SandboxWireLevel::kNamespaces) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  Supervisor supervisor(setup, files, folder, warm);
  const SandboxReport report = supervisor.Run();
  supervisor.CleanUp();
  const bool was_said = write(files.fixed[kStatusSocket], &report, sizeof report) == sizeof report;
  _exit(was_said ? 0 : 1);
}

}  // namespace assay
