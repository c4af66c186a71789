// A thread that waits with sigwait for SIGINT, SIGTERM, SIGHUP, or the signal by which it is ended.
#include "engine/signals.h"

#include <csignal>

namespace assay {

namespace {

// nohup has the program ignore it. Where signals are blocked, sigwait would get it nevertheless.
bool IsHangUpIgnored() {
  struct sigaction action {};
  return sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t StopSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (!IsHangUpIgnored()) sigaddset(&set, SIGHUP);
  return set;
}

// The watcher is told to end by a signal of its own, since nothing else wakes sigwait.
constexpr int kEndSignal = SIGUSR1;

sigset_t EndSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, kEndSignal);
  return set;
}

void WaitAndStop(const std::stop_token& ended, const std::function<void()>& stop) {
  const sigset_t set = StopSet();
  sigset_t any = set;
  sigaddset(&any, kEndSignal);
  int signal = 0;
  if (sigwait(&any, &signal) != 0 || ended.stop_requested()) return;
  stop();
  // The next one is for the kernel: it ends the program at once. But a terminal that is closed sends SIGHUP
  // twice, by its shell and by itself.
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  const sigset_t end = EndSet();
  while (!ended.stop_requested()) sigwait(&end, &signal);
}

}  // namespace

StopSignals::StopSignals() {
  const sigset_t set = StopSet();
  const sigset_t end = EndSet();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  pthread_sigmask(SIG_BLOCK, &end, nullptr);
}

StopSignals::~StopSignals() {
  EndWatch();
  const sigset_t set = StopSet();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

UsualSignals::UsualSignals() {
  const sigset_t set = StopSet();
  pthread_sigmask(SIG_UNBLOCK, &set, &before_);
}

UsualSignals::~UsualSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void StopSignals::Watch(std::function<void()> stop) {
  watcher_ = std::jthread([this, stop = std::move(stop)](const std::stop_token& ended) {
    WaitAndStop(ended, [&] {
      came_ = true;
      stop();
    });
  });
}

void StopSignals::EndWatch() {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  pthread_kill(watcher_.native_handle(), kEndSignal);
  watcher_.join();
}

}  // namespace assay
