// Waits with poll() for messages and for the output of all processes, and enforces deadlines.
#include "io/exec/loop.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files/out_folder.h"
#include "base/limits.h"
#include "base/thread_name.h"

namespace assay {

namespace {

constexpr int kSweepEveryMs = 50;  // while somebody waits for an answer
constexpr int kIdleSweepEveryMs = 1'000;
constexpr std::size_t kDescriptors = ExecSession::kDescriptors;

bool IsIdle(const ExecSession& session) { return session.state() == ExecSession::State::kIdle; }

// A program that has ended is told by what it was to read, not by a signal.
void BlockBrokenPipes() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

ExecLoop::ExecLoop(ExecOptions options, SandboxPipe wake)
    : options_(std::move(options)),
      wake_(std::move(wake)),
      inbox_(limits::kQueueDepthMax),
      thread_([this] {
        NameThread("programs");
        Loop();
      }) {}

ExecLoop::~ExecLoop() {
  Push(Quit{});
  thread_.join();
}

void ExecLoop::Push(Message message) {
  inbox_.PushUnbounded(std::move(message));
  const char byte = 0;
  // A full pipe wakes as well.
  if (write(wake_.write.get(), &byte, 1) < 0) return;
}

void ExecLoop::Post(ExecCall call) { Push(std::move(call)); }

void ExecLoop::CancelAll() {
  const auto done = std::make_shared<BoundedQueue<bool>>(1);
  Push(Cancel{done});
  done->Pop();
}

void ExecLoop::Loop() {
  BlockBrokenPipes();
  while (TakeMessages()) {
    AssignWaiting();
    Wait();
    EndBroken();
  }
  DropCalls();
  LeaveAll();
  std::error_code ignored;
  std::filesystem::remove_all(options_.folder, ignored);
}

bool ExecLoop::TakeMessages() {
  for (Message& message : inbox_.Drain()) {
    if (auto* call = std::get_if<ExecCall>(&message)) {
      waiting_.push_back(std::move(*call));
    } else if (auto* cancel = std::get_if<Cancel>(&message)) {
      DropCalls();
      cancel->done->PushUnbounded(true);
    } else {
      return false;
    }
  }
  return true;
}

void ExecLoop::DropCalls() {
  waiting_.clear();
  for (ExecSession& session : sessions_) {
    if (!IsIdle(session)) session.Cancel();
  }
  EndBroken();
}

void ExecLoop::AssignWaiting() {
  while (!waiting_.empty()) {
    ExecSession* idle = IdleFor(ExecSession::KeyOf(waiting_.front().request));
    if (idle == nullptr && !MakePlace()) return;
    ExecCall call = std::move(waiting_.front());
    waiting_.pop_front();
    if (idle != nullptr) {
      Hand(*idle, std::move(call));
    } else {
      Start(std::move(call));
    }
  }
}

// A process that ended while it had nothing to do is no answer's fault.
ExecSession* ExecLoop::IdleFor(const std::string& key) {
  for (ExecSession& session : sessions_) {
    if (!IsIdle(session) || session.key() != key) continue;
    session.Sweep(clock_.Now());
    if (IsIdle(session)) return &session;
  }
  return nullptr;
}

// False: every place is taken by a process that is at a turn.
bool ExecLoop::MakePlace() {
  EndBroken();
  if (sessions_.size() < options_.processes_max) return true;
  const auto idle = std::find_if(sessions_.begin(), sessions_.end(), IsIdle);
  if (idle == sessions_.end()) return false;
  idle->Cancel();
  EndBroken();
  return true;
}

Result<ExecFolder> ExecLoop::MakeFolder(const HttpRequest& request) const {
  const std::string kept = HeaderOf(request, kFolderHeader);
  ExecFolder folder{.path = fmt::format("{}/{}", kept.empty() ? options_.folder : kept, started_),
                    .is_kept = !kept.empty()};
  std::error_code failed;
  // Folders of a run that goes on may be links by now: nothing is written through one.
  if (folder.is_kept) ASSAY_CHECK_OK(NoLinkBelowHere(folder.path));
  const std::filesystem::path place(kept);
  for (const std::filesystem::path& part : {place, place.parent_path(), place.parent_path().parent_path()}) {
    if (folder.is_kept && std::filesystem::is_symlink(part, failed))
      return Error{ErrorCode::kIo, fmt::format("{} is a link; nothing is written through it", part.string())};
  }
  if (folder.is_kept) std::filesystem::create_directories(kept, failed);
  if (mkdir(folder.path.c_str(), 0700) == 0 || (folder.is_kept && errno == EEXIST)) return folder;
  return Error{ErrorCode::kIo, fmt::format("the folder {} of a program cannot be made: {}", folder.path,
                                           std::strerror(errno))};
}

void ExecLoop::Start(ExecCall call) {
  if (!std::exchange(is_guarded_, true)) guard_.Start(options_.folder);
  ++started_;
  Result<ExecFolder> folder = MakeFolder(call.request);
  Result<ExecSession> session = folder ? ExecSession::Start(call.request, options_, std::move(*folder))
                                       : Result<ExecSession>(folder.error());
  if (!session) {
    HttpReply reply;
    reply.error = std::move(session).error();
    call.sink->Deliver({.ticket = call.ticket, .reply = std::move(reply)});
    return;
  }
  guard_.Add(session->pid());
  sessions_.push_back(std::move(*session));
  Hand(sessions_.back(), std::move(call));
}

void ExecLoop::Hand(ExecSession& session, ExecCall call) {
  const TimePoint now = clock_.Now();
  const std::chrono::milliseconds time =
      call.request.timeout.count() > 0 ? call.request.timeout : options_.attempt;
  session.Take(std::move(call), now, now + time);
}

// One round: waits until something is said or somebody's time may be up.
void ExecLoop::Wait() {
  std::vector<pollfd> heard(1 + kDescriptors * sessions_.size());
  heard[0] = {wake_.read.get(), POLLIN, 0};
  for (std::size_t i = 0; i < sessions_.size(); ++i) sessions_[i].FillPoll(&heard[1 + kDescriptors * i]);
  const bool somebody_waits = !std::all_of(sessions_.begin(), sessions_.end(), IsIdle);
  const int patience = somebody_waits ? kSweepEveryMs : sessions_.empty() ? -1 : kIdleSweepEveryMs;
  poll(heard.data(), heard.size(), patience);
  if (heard[0].revents != 0) {
    std::array<char, 4096> bytes;
    while (read(wake_.read.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) continue;
  }
  const TimePoint now = clock_.Now();
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    sessions_[i].OnPoll(&heard[1 + kDescriptors * i], now);
    sessions_[i].Sweep(now);
  }
}

void ExecLoop::EndBroken() {
  std::erase_if(sessions_, [this](ExecSession& session) {
    if (session.state() != ExecSession::State::kBroken) return false;
    session.End();
    guard_.Remove(session.pid());
    return true;
  });
}

void ExecLoop::LeaveAll() {
  const TimePoint deadline = clock_.Now() + options_.goodbye;
  for (ExecSession& session : sessions_) session.SayGoodbye(deadline);
  while (!sessions_.empty()) {
    Wait();
    EndBroken();
  }
}

}  // namespace assay
