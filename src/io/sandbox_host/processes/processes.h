// Lists the processes of a run and what they use, read from /proc, and ends them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay {

// Whose processes count: all that /proc shows but ourselves (a pid namespace of our own), or our descendants.
enum class Tree { kNamespace, kDescendants };

struct ThreadUse {
  pid_t thread = 0;
  std::uint64_t ran_us = 0;
  std::uint64_t waited_us = 0;  // ready to run while others ran
};

// What a process has run by itself, without children that it waited for.
struct ProcessTime {
  pid_t process = 0;
  std::uint64_t started = 0;  // tells it from an earlier one of that number
  std::uint64_t ran_us = 0;
};

struct TreeUse {
  bool is_known = false;             // false: /proc could not be read
  bool is_ready = false;             // some process runs, or could
  std::vector<pid_t> processes;      // a thread of each that still lives: its files and memory stand there
  std::vector<ProcessTime> times;    // of each, also of those that only wait to be waited for
  std::uint64_t cpu_us = 0;          // of processes that live, and of what they have waited for
  std::uint64_t resident_bytes = 0;  // what is shared counts in each process
  std::uint64_t unshared_bytes = 0;  // of that, what is no file and no shared memory
  std::uint64_t address_bytes = 0;   // of all address spaces, used or not
  std::vector<ThreadUse> threads;    // those that live; empty where the kernel does not count
};

TreeUse UseOf(Tree tree);

// Whether a process or thread is below us, at whatever depth.
bool IsBelowUs(pid_t process);

// Processes and threads of a user, all that run on this machine.
std::uint64_t TasksOfUser(uid_t user);

// A field of /proc/PROCESS/status, such as "Tgid"; -1 if there is none.
long StatusField(pid_t process, const char* name);

// The processes below us in one group.
std::vector<pid_t> GroupBelowUs(pid_t group, bool& has_others);

// All processes below us.
std::vector<pid_t> ProcessesBelowUs();

// Whether a thread has ended, and only its status is left: it holds no files and no memory then.
bool HasEnded(pid_t thread);

// Stops all processes that run, for as long as it lives; what had stopped by itself stays so.
class Standstill {
 public:
  explicit Standstill(Tree tree);
  ~Standstill();
  Standstill(const Standstill&) = delete;
  Standstill& operator=(const Standstill&) = delete;

 private:
  std::vector<pid_t> stopped_;
};

// Ends them all, our own children and those of nobody, and waits for them. Returns when none is left.
void KillAll(Tree tree);

// Ends what is below one process, that one too.
void KillBelow(pid_t process);

}  // namespace assay
