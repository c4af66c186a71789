// Waits with poll() for messages, hosts and the output of programs, and gives up on those beyond every limit.
#include "io/launcher/loop.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iterator>

#include <fmt/core.h>

#include "base/limits.h"
#include "base/thread_name.h"
#include "base/wire/sandbox_words.h"
#include "io/launcher/request.h"
#include "io/launcher/zygote.h"
#include "io/limits.h"

namespace assay {

namespace {

constexpr int kLauncherSweepMs = 1'000;
constexpr int kRoomEveryMs = 250;
constexpr std::chrono::seconds kRoomPatience{60};
constexpr std::chrono::seconds kCrowdedPatience{1};  // where another has waited in vain
constexpr std::size_t kStarvedMax = 65'536;
constexpr std::chrono::seconds kPatience{20};  // with a supervisor, beyond all that its limits allow
constexpr std::size_t kDescriptorsOfRun = 1 + kCapturedStreams;

constexpr std::string_view kWarmToolchain = "python";

std::size_t IdentityOf(const ProcessRequest& request) {
  constexpr std::size_t kFactor = 1'000'003;
  std::size_t all = 0;
  const auto add = [&all](std::string_view text) {
    all = all * kFactor + std::hash<std::string_view>()(text);
  };
  add(request.toolchain);
  for (const std::string& word : request.argv) add(word);
  for (const FileSpec& file : request.files) add(file.bytes);
  return all;
}

std::string HostKey(const ProcessRequest& request) { return request.toolchain + '\0' + request.prelude; }

std::vector<std::string> EnvironmentOf(const InstalledToolchain& toolchain) {
  std::vector<std::string> all;
  for (const auto& [name, value] : toolchain.environment) all.push_back(name + "=" + value);
  return all;
}

}  // namespace

LauncherLoop::LauncherLoop(LauncherOptions options, HostKind kind, SandboxPipe wake)
    : options_(std::move(options)),
      kind_(std::move(kind)),
      wake_(std::move(wake)),
      places_(std::max<std::size_t>(1, options_.workers) * kPlacesPerWorker),
      is_taken_(places_.size()),
      inbox_(limits::kQueueDepthMax),
      thread_([this] {
        NameThread("programs");
        Loop();
      }) {}

LauncherLoop::~LauncherLoop() {
  Push(Quit{});
  thread_.join();
}

void LauncherLoop::Push(Message message) {
  inbox_.PushUnbounded(std::move(message));
  const char byte = 0;
  // A full pipe wakes as well.
  if (write(wake_.write.get(), &byte, 1) < 0) return;
}

void LauncherLoop::Post(LauncherJob job) { Push(std::move(job)); }

void LauncherLoop::CancelAll() {
  const auto done = std::make_shared<BoundedQueue<bool>>(1);
  Push(Cancel{done});
  done->Pop();
}

void LauncherLoop::Loop() {
  if (kind_.level != SandboxLevel::kNone) cgroup_parents_ = FindCgroupParents();
  while (TakeMessages()) {
    TakeWithRoom();
    StartWaiting();
    Wait();
    HearHosts();
    EndOverdue();
    DeliverEnded();
  }
  runs_.clear();
  hosts_.clear();
  places_.clear();
  if (kind_.level == SandboxLevel::kNone || kind_.level == SandboxLevel::kLandlock) {
    std::error_code ignored;
    std::filesystem::remove_all(kind_.folder, ignored);
  }
}

bool LauncherLoop::TakeMessages() {
  for (Message& message : inbox_.Drain()) {
    if (auto* job = std::get_if<LauncherJob>(&message)) {
      waiting_.push_back(std::move(*job));
    } else if (auto* cancel = std::get_if<Cancel>(&message)) {
      waiting_.clear();
      for_room_.clear();
      for (auto& [key, live] : hosts_) live.waiting.clear();
      runs_.clear();  // a supervisor ends when its socket closes
      is_taken_.assign(is_taken_.size(), false);
      cancel->done->PushUnbounded(true);
    } else {
      return false;
    }
  }
  return true;
}

// One round: waits until something is said, then reads it.
void LauncherLoop::Wait() {
  std::vector<pollfd> heard;
  heard.push_back({wake_.read.get(), POLLIN, 0});
  for (const auto& run : runs_) {
    heard.push_back({run->status.get(), POLLIN, 0});
    for (const CapturedStream& stream : run->streams) heard.push_back({stream.file.get(), POLLIN, 0});
  }
  const std::size_t of_runs = heard.size();
  for (const auto& [key, live] : hosts_) {
    if (!live.is_ready) heard.push_back({live.host.control(), POLLIN, 0});
  }
  const int most_ms = !for_room_.empty()                         ? kRoomEveryMs
                      : runs_.empty() && heard.size() == of_runs ? -1
                                                                 : kLauncherSweepMs;
  poll(heard.data(), heard.size(), most_ms);
  if (heard[0].revents != 0) {
    std::array<char, 4096> bytes;
    while (read(wake_.read.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) continue;
  }
  for (std::size_t i = 0; i < runs_.size(); ++i) Read(*runs_[i], &heard[1 + i * kDescriptorsOfRun]);
}

void LauncherLoop::Read(LauncherRun& run, const pollfd* heard) {
  if (heard[0].revents != 0) run.ReadReport();
  for (std::size_t i = 0; i < kCapturedStreams; ++i) {
    // One byte more than the nonce shows that it is not the nonce.
    const std::size_t kept_max = i == kCapturedProof ? run.nonce.size() + 1 : run.output_max;
    if (heard[1 + i].revents != 0) run.streams[i].Read(kept_max);
  }
  if (!run.was_stopped && run.status.is_open() && run.OutputBytes() > kOutputBomb) {
    run.was_stopped = true;
    send(run.status.get(), &kStopForOutput, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

void LauncherLoop::DeliverEnded() {
  for (std::unique_ptr<LauncherRun>& run : runs_) {
    if (!run->HasEnded()) continue;
    is_taken_[run->place] = false;
    const std::uint64_t kills = PlaceOf(run->place).MemoryKills();
    ProcessReply reply = run->TakeReply(kills);
    if (reply.limit == kWaitLimit && starved_.size() < kStarvedMax) starved_.insert(run->identity);
    std::string held(SandboxLevelName(kind_.level));
    if (kind_.level == SandboxLevel::kLandlock && !run->is_watched) held += kUnwatched;
    reply.sandbox.insert(0, held);
    run->sink->Deliver({.ticket = run->ticket, .reply = std::move(reply)});
    run.reset();
  }
  std::erase(runs_, nullptr);
}

void LauncherLoop::EndOverdue() {
  const TimePoint now = clock_.Now();
  for (const std::unique_ptr<LauncherRun>& run : runs_) {
    if (now < run->give_up_at) continue;
    run->Lose({ErrorCode::kTimeout, "the sandbox did not end the program"});
  }
}

std::size_t LauncherLoop::CountWorking() const {
  return static_cast<std::size_t>(
      std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return !run->sleeps; }));
}

// A program that starved gets its second try when there is room, or after a while all the same: what it waits
// for then does not count either.
void LauncherLoop::KeepForRoom() {
  if (starved_.empty()) return;
  for (auto job = waiting_.begin(); job != waiting_.end();) {
    if (job->room_until || !starved_.contains(IdentityOf(job->request))) {
      ++job;
      continue;
    }
    job->room_until = clock_.Now() + (is_crowded_ ? kCrowdedPatience : kRoomPatience);
    for_room_.push_back(std::move(*job));
    job = waiting_.erase(job);
  }
}

void LauncherLoop::TakeWithRoom() {
  KeepForRoom();
  if (for_room_.empty()) return;
  const TimePoint now = clock_.Now();
  const bool has_room = room_.HasRoom(now);
  if (has_room) is_crowded_ = false;
  while (!for_room_.empty() && (has_room || now >= *for_room_.front().room_until)) {
    is_crowded_ = !has_room;
    waiting_.push_back(std::move(for_room_.front()));
    for_room_.pop_front();
  }
}

void LauncherLoop::StartWaiting() {
  const std::size_t workers = places_.size() / kPlacesPerWorker;
  while (!waiting_.empty() && CountWorking() < workers && runs_.size() < places_.size()) {
    LauncherJob job = std::move(waiting_.front());
    waiting_.pop_front();
    Start(std::move(job));
  }
}

CgroupPlace& LauncherLoop::PlaceOf(std::size_t index) {
  if (places_[index] == nullptr)
    places_[index] = std::make_unique<CgroupPlace>(cgroup_parents_, std::to_string(index));
  return *places_[index];
}

void LauncherLoop::Refuse(const LauncherJob& job, Error error) {
  ProcessReply reply;
  reply.error = std::move(error);
  job.sink->Deliver({.ticket = job.ticket, .reply = std::move(reply)});
}

void LauncherLoop::Start(LauncherJob job) {
  Result<LiveHost*> live = HostFor(job.request);
  if (!live) return Refuse(job, live.error());
  if (!(*live)->is_ready) {
    (*live)->waiting.push_back(std::move(job));
    return;
  }
  auto run = std::make_unique<LauncherRun>();
  run->ticket = job.ticket;
  run->identity = IdentityOf(job.request);
  run->sink = job.sink;
  run->is_watched = (*live)->host.has_listener();
  run->place =
      static_cast<std::size_t>(std::find(is_taken_.begin(), is_taken_.end(), false) - is_taken_.begin());
  if (const Status started = Launch(std::move(job.request), *run, (*live)->host); !started)
    return Refuse(job, started.error());
  is_taken_[run->place] = true;
  runs_.push_back(std::move(run));
}

bool LauncherLoop::SomebodyStarts() const {
  return std::any_of(hosts_.begin(), hosts_.end(), [](const auto& each) { return !each.second.is_ready; });
}

// Hosts that have become ready, or will not.
void LauncherLoop::HearHosts() {
  if (!SomebodyStarts()) return;
  const TimePoint now = clock_.Now();
  for (auto each = hosts_.begin(); each != hosts_.end();) {
    LiveHost& live = each->second;
    pollfd heard{live.host.control(), POLLIN, 0};
    const bool has_spoken = !live.is_ready && poll(&heard, 1, 0) > 0;
    if (live.is_ready || (!has_spoken && now < live.give_up_at)) {
      ++each;
      continue;
    }
    const Status ready =
        has_spoken ? live.host.ReadHello()
                   : Status(Error{ErrorCode::kTimeout, fmt::format("the sandbox was not ready within {} s",
                                                                   options_.start_most.count() / 1'000)});
    if (ready) {
      live.is_ready = true;
      waiting_.insert(waiting_.begin(), std::make_move_iterator(live.waiting.begin()),
                      std::make_move_iterator(live.waiting.end()));
      live.waiting.clear();
      ++each;
      continue;
    }
    for (const LauncherJob& job : live.waiting) Refuse(job, ready.error());
    each = hosts_.erase(each);
  }
}

Status LauncherLoop::Launch(ProcessRequest request, LauncherRun& run, LauncherHost& host) {
  CgroupPlace& place = PlaceOf(run.place);
  const ProcessLimits limits = request.limits;
  const ProcessLimits after_limits = request.after_limits;
  if (request.epilogue) run.nonce = MakeNonce();
  run.has_after = !request.after_argv.empty();
  run.output_max = std::min<std::uint64_t>(limits.output_bytes, limits::kProgramOutputBytesMax);
  const bool is_warm = !request.prelude.empty();
  ASSAY_TRY(SandboxRun wire, MakeSandboxRun(std::move(request), run.nonce));
  wire.is_warm = is_warm ? 1 : 0;
  // The supervisor watches memory in the same way for all users. The kernel, which counts files in memory
  // too, stands behind it.
  const std::uint64_t files_bytes =
      kind_.level == SandboxLevel::kNamespaces ? limits::kProgramFolderBytesMax : 0;
  const bool is_counted =
      place.SetLimits(std::min(limits.memory_bytes, limits::kProgramMemoryBytesMax) + files_bytes,
                      std::min(limits.processes, limits::kProgramProcessesMax));
  const bool counts_processes = is_counted && place.limits_processes();
  wire.limits = MakeSandboxLimits(limits, counts_processes);
  wire.after_limits = MakeSandboxLimits(after_limits, counts_processes);
  run.memory_kills = place.MemoryKills();
  run.give_up_at =
      clock_.Now() + kPatience +
      (kSandboxWaitMultiple + 2) * std::chrono::microseconds(wire.limits.wall_us + wire.after_limits.wall_us);

  const SandboxFd file = OpenMemoryFile("request", SandboxBytes(wire));
  SandboxPipe status = OpenSocketPair();
  SandboxPipe output = OpenPipe();
  SandboxPipe errors = OpenPipe();
  SandboxPipe proof = run.nonce.empty() ? SandboxPipe{} : OpenPipe();
  std::vector<int> files = {file.get(), status.write.get(), output.write.get(), errors.write.get()};
  std::uint8_t optional = 0;
  if (!run.nonce.empty()) {
    files.push_back(proof.write.get());
    optional |= kHasProof;
  }
  if (std::find(files.begin(), files.end(), -1) != files.end())
    return Error{ErrorCode::kIo, "a program needs more open files than this process may have"};
  if (place.cpu_file() >= 0) {
    files.push_back(place.cpu_file());
    optional |= kHasCpuFile;
  }
  files.insert(files.end(), place.doors().begin(), place.doors().end());
  if (!host.Send(files, optional)) return Error{ErrorCode::kIo, "the sandbox is gone"};
  run.status = std::move(status.read);
  run.streams[kCapturedOutput].file = std::move(output.read);
  run.streams[kCapturedErrors].file = std::move(errors.read);
  run.streams[kCapturedProof].file = std::move(proof.read);
  return Ok();
}

// A host that has ended is replaced.
Result<LiveHost*> LauncherLoop::HostFor(const ProcessRequest& request) {
  const std::string key = HostKey(request);
  if (const auto found = hosts_.find(key); found != hosts_.end()) {
    pollfd gone{found->second.host.control(), 0, 0};
    if (!found->second.is_ready || poll(&gone, 1, 0) == 0) return &found->second;
    hosts_.erase(found);
  }
  const auto toolchain =
      std::find_if(options_.toolchains.begin(), options_.toolchains.end(),
                   [&](const InstalledToolchain& each) { return each.name == request.toolchain; });
  if (toolchain == options_.toolchains.end())
    return Error{ErrorCode::kNotFound, fmt::format("no toolchain {} is here", request.toolchain)};
  SandboxSetup setup;
  setup.roots = toolchain->roots;
  setup.scratch = toolchain->scratch_roots;
  setup.environment = EnvironmentOf(*toolchain);
  if (request.toolchain == kWarmToolchain && !request.prelude.empty() &&
      kind_.level == SandboxLevel::kNamespaces) {
    setup.warm_argv = {"python3", "-c", std::string(kPythonZygote)};
    setup.prelude = request.prelude;
    setup.warm_most_ms = static_cast<std::uint32_t>(options_.warm_most.count());
  }
  ASSAY_TRY(LauncherHost host, LauncherHost::Start(kind_, std::move(setup)));
  LiveHost live{.host = std::move(host), .give_up_at = clock_.Now() + options_.start_most};
  return &hosts_.emplace(key, std::move(live)).first->second;
}

}  // namespace assay
