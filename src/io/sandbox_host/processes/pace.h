// Pace: tells whether a program works, sleeps, or waits for processors that other programs have.
#pragma once

#include <cstdint>
#include <map>

#include "io/sandbox/lost.h"
#include "io/sandbox_host/processes/processes.h"

namespace assay {

class Pace {
 public:
  explicit Pace(std::uint64_t start_us);

  // At each look. `cpu_us`: all that it has used, ended threads included.
  void Follow(const TreeUse& use, std::uint64_t cpu_us, std::uint64_t now_us);

  bool knows_waited() const { return knows_waited_; }
  // Wall time that others took from it: in which it could have run and they did. That its own threads wait
  // for each other is none.
  std::uint64_t lost_us() const { return lost_us_; }
  bool sleeps() const { return sleeps_; }
  // So many of its own threads waited at once that most of them waited for each other.
  bool crowds_itself() const { return crowds_itself_; }
  // Since the last look it was ready and did not run at all. The kernel counts such time once it runs again.
  bool waits_now() const { return waits_now_; }

 private:
  struct Times {
    std::uint64_t ran_us = 0;
    std::uint64_t waited_us = 0;
  };
  Times Since(const TreeUse& use);
  std::uint64_t UnseenWaitUs(const Times& since, std::uint64_t cpu_us, std::uint64_t passed_us) const;

  bool knows_waited_ = false;
  bool sleeps_ = false;
  bool waits_now_ = false;
  bool crowds_itself_ = false;
  SeenTime seen_ = {.passed_us = 0};  // since the start
  std::uint64_t lost_us_ = 0;
  std::uint64_t waited_us_ = 0;  // of all threads
  std::uint64_t cpu_us_ = 0;     // at the last look
  std::uint64_t looked_us_;
  std::uint64_t idle_us_;        // of the machine, at the last look
  std::uint64_t since_us_;       // the time of the last answer to whether it sleeps,
  std::uint64_t wanted_us_ = 0;  // and what it had worked and waited by then
  std::map<pid_t, Times> threads_;
};

}  // namespace assay
