// Compares the threads' schedstat and the machine's idle time (/proc/uptime) between two looks.
#include "io/sandbox_host/processes/pace.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "io/sandbox_host/files/files.h"

namespace assay {

namespace {

constexpr std::uint64_t kPaceEveryUs = 500'000;
constexpr std::uint64_t kUnseenWaitMost = 8;  // times what it ran
constexpr std::size_t kCrowd = 32;            // threads that wait
constexpr std::uint64_t kSleepsBelow = 20;    // it worked for less than a twentieth of that

// The processors that programs may run on.
std::uint64_t OwnProcessors() {
  cpu_set_t own;
  CPU_ZERO(&own);
  return sched_getaffinity(0, sizeof own, &own) == 0 ? static_cast<std::uint64_t>(CPU_COUNT(&own)) : 1;
}

std::uint64_t Processors() { return static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

// The second number of /proc/uptime: seconds, of all processors together.
std::uint64_t IdleUs() {
  const std::string text = ReadWhole("/proc/uptime");
  const std::size_t blank = text.find(' ');
  return blank == std::string::npos
             ? 0
             : static_cast<std::uint64_t>(std::strtod(text.c_str() + blank, nullptr) * 1e6);
}

std::uint64_t Difference(std::uint64_t a, std::uint64_t b) { return a - std::min(a, b); }

}  // namespace

Pace::Pace(std::uint64_t start_us) : looked_us_(start_us), idle_us_(IdleUs()), since_us_(start_us) {}

Pace::Times Pace::Since(const TreeUse& use) {
  Times since;
  std::map<pid_t, Times> now;
  std::size_t waiting = 0;
  for (const ThreadUse& thread : use.threads) {
    const Times before = std::exchange(threads_[thread.thread], {});
    since.ran_us += Difference(thread.ran_us, before.ran_us);
    const std::uint64_t waited_us = Difference(thread.waited_us, before.waited_us);
    waiting += waited_us > 0 ? 1 : 0;
    since.waited_us += waited_us;
    now[thread.thread] = {thread.ran_us, thread.waited_us};
  }
  threads_ = std::move(now);
  crowds_itself_ = crowds_itself_ || waiting >= kCrowd;
  return since;
}

// Processes that begin and end between two looks are seen by what they ran alone: while it went from one to
// the next, the program was ready all the time. Others must have run meanwhile for that to be a loss.
std::uint64_t Pace::UnseenWaitUs(const Times& since, std::uint64_t cpu_us, std::uint64_t passed_us) const {
  const std::uint64_t ran_us = Difference(cpu_us, cpu_us_);
  const std::uint64_t unseen_us = Difference(ran_us, since.ran_us);
  return std::min(Difference(passed_us, ran_us + since.waited_us), unseen_us * kUnseenWaitMost);
}

void Pace::Follow(const TreeUse& use, std::uint64_t cpu_us, std::uint64_t now_us) {
  knows_waited_ = knows_waited_ || !use.threads.empty();
  if (!knows_waited_) return;
  Times since = Since(use);
  const std::uint64_t passed_us = std::max<std::uint64_t>(1, Difference(now_us, looked_us_));
  since.waited_us += UnseenWaitUs(since, cpu_us, passed_us);
  since.ran_us = std::max(since.ran_us, Difference(cpu_us, cpu_us_));
  cpu_us_ = std::max(cpu_us_, cpu_us);
  const std::uint64_t idle_us = IdleUs();
  const std::uint64_t idle_since_us = Difference(idle_us, idle_us_);
  const std::uint64_t others_us = Difference(Processors() * passed_us, idle_since_us + since.ran_us);
  waits_now_ = use.is_ready && since.ran_us == 0 && since.waited_us == 0 && others_us > 0;
  // The kernel counts time in which a thread was ready when it runs again: only the whole tells.
  seen_.passed_us += passed_us;
  seen_.ran_us += since.ran_us;
  seen_.waited_us += since.waited_us;
  seen_.others_us += others_us;
  seen_.processors = OwnProcessors();
  lost_us_ = std::max(lost_us_, LostUs(seen_));
  waited_us_ += since.waited_us;
  looked_us_ = now_us;
  idle_us_ = idle_us;
  if (now_us - since_us_ < kPaceEveryUs) return;
  const std::uint64_t wanted_us = cpu_us + waited_us_;
  sleeps_ = Difference(wanted_us, wanted_us_) * kSleepsBelow < now_us - since_us_;
  since_us_ = now_us;
  wanted_us_ = wanted_us;
}

}  // namespace assay
