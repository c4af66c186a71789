// Parses /proc/PID/stat and the schedstat of threads.
#include "io/sandbox_host/processes/processes.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "io/sandbox_host/files/files.h"

namespace assay {

namespace {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  char state = 0;
  std::uint64_t own_ticks = 0;
  std::uint64_t ticks = 0;  // with those of children that it waited for
  std::uint64_t threads = 0;
  std::uint64_t started = 0;
  bool has_ended() const { return state == 'Z' || state == 'X' || state == 'x'; }
  bool stands_still() const { return has_ended() || state == 'T' || state == 't'; }
};

// Fields of /proc/PID/stat behind the name, which may hold anything, by their number in proc(5).
bool ReadProcess(pid_t pid, Process& process) {
  const std::string text = ReadWhole("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return false;
  if (text.size() < name_end + 3) return false;
  process.state = text[name_end + 2];
  const char* rest = text.c_str() + name_end + 3;
  process.pid = pid;
  for (int field = 4; field <= 22; ++field) {
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(rest, &end, 10);
    if (end == rest) return false;
    rest = end;
    if (field == 4) process.parent = static_cast<pid_t>(value);
    if (field == 5) process.group = static_cast<pid_t>(value);
    if (field == 14 || field == 15) process.own_ticks += value;
    if (field >= 14 && field <= 17) process.ticks += value;
    if (field == 20) process.threads = value;
    if (field == 22) process.started = value;
  }
  return true;
}

std::vector<Process> AllProcesses(bool* is_known = nullptr) {
  std::vector<Process> all;
  DIR* proc = opendir("/proc");
  if (is_known != nullptr) *is_known = proc != nullptr;
  if (proc == nullptr) return all;
  while (const dirent* entry = readdir(proc)) {
    Process process;
    const pid_t pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (pid > 0 && pid != getpid() && ReadProcess(pid, process)) all.push_back(process);
  }
  closedir(proc);
  return all;
}

std::vector<Process> Below(pid_t top, const std::vector<Process>& all) {
  std::vector<pid_t> inside = {top};
  std::vector<Process> descendants;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    for (const Process& process : all) {
      if (process.parent != inside[i] || process.pid == top) continue;
      inside.push_back(process.pid);
      descendants.push_back(process);
    }
  }
  return descendants;
}

std::vector<Process> ProcessesOf(Tree tree, bool* is_known = nullptr) {
  std::vector<Process> all = AllProcesses(is_known);
  return tree == Tree::kNamespace ? all : Below(getpid(), all);
}

// The threads of one process, by schedstat: nanoseconds run, nanoseconds ready but not run, times run. All
// are 0 where the kernel does not count. What those that live have run.
std::uint64_t AddThreads(pid_t pid, TreeUse& use) {
  std::uint64_t ran_us = 0;
  const std::string folder = "/proc/" + std::to_string(pid) + "/task/";
  DIR* threads = opendir(folder.c_str());
  if (threads == nullptr) return 0;
  while (const dirent* entry = readdir(threads)) {
    if (entry->d_name[0] == '.') continue;
    const std::string text = ReadWhole(folder + entry->d_name + "/schedstat");
    char* rest = nullptr;
    ThreadUse thread{.thread = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10))};
    thread.ran_us = std::strtoull(text.c_str(), &rest, 10) / 1'000;
    thread.waited_us = std::strtoull(rest, &rest, 10) / 1'000;
    ran_us += thread.ran_us;
    if (std::strtoull(rest, &rest, 10) > 0) use.threads.push_back(thread);
  }
  closedir(threads);
  return ran_us;
}

// The first thread of a process may end before the others, which keep its files and its memory. 0: all have.
pid_t LivingThread(const Process& process) {
  if (!process.has_ended()) return process.pid;
  pid_t living = 0;
  DIR* threads = opendir(("/proc/" + std::to_string(process.pid) + "/task").c_str());
  if (threads == nullptr) return 0;
  while (const dirent* entry = readdir(threads)) {
    Process thread;
    const pid_t number = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (number > 0 && ReadProcess(number, thread) && !thread.has_ended()) living = number;
  }
  closedir(threads);
  return living;
}

}  // namespace

TreeUse UseOf(Tree tree) {
  const auto ticks_per_second = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_CLK_TCK)));
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  TreeUse use;
  for (const Process& process : ProcessesOf(tree, &use.is_known)) {
    use.cpu_us += process.ticks * 1'000'000 / ticks_per_second;
    use.is_ready = use.is_ready || process.state == 'R';
    const std::uint64_t ran_us = AddThreads(process.pid, use);
    use.times.push_back(
        {process.pid, process.started, std::max(ran_us, process.own_ticks * 1'000'000 / ticks_per_second)});
    const pid_t living = LivingThread(process);
    if (living == 0) continue;
    use.processes.push_back(living);
    const std::string text = ReadWhole("/proc/" + std::to_string(living) + "/statm");
    char* rest = nullptr;
    use.address_bytes += std::strtoull(text.c_str(), &rest, 10) * page_bytes;
    const std::uint64_t resident = std::strtoull(rest, &rest, 10);
    const std::uint64_t shared = std::strtoull(rest, &rest, 10);
    use.resident_bytes += resident * page_bytes;
    use.unshared_bytes += (resident - std::min(shared, resident)) * page_bytes;
  }
  return use;
}

std::uint64_t TasksOfUser(uid_t user) {
  std::uint64_t tasks = 0;
  for (const Process& process : AllProcesses()) {
    struct stat found {};
    if (stat(("/proc/" + std::to_string(process.pid)).c_str(), &found) == 0 && found.st_uid == user)
      tasks += process.threads;
  }
  return tasks;
}

long StatusField(pid_t process, const char* name) {
  const std::string text = ReadWhole("/proc/" + std::to_string(process) + "/status");
  const std::size_t found = text.find(std::string("\n") + name + ":");
  return found == std::string::npos ? -1 : std::strtol(text.c_str() + text.find(':', found) + 1, nullptr, 10);
}

bool IsBelowUs(pid_t process) {
  const pid_t own = getpid();
  if (StatusField(process, "Tgid") == own) return false;
  while (process > 1) {
    process = static_cast<pid_t>(StatusField(process, "PPid"));
    if (process == own) return true;
  }
  return false;
}

std::vector<pid_t> GroupBelowUs(pid_t group, bool& has_others) {
  std::vector<pid_t> members;
  has_others = false;
  for (const Process& process : AllProcesses()) {
    if (process.group != group) continue;
    if (IsBelowUs(process.pid)) {
      members.push_back(process.pid);
    } else {
      has_others = true;
    }
  }
  return members;
}

std::vector<pid_t> ProcessesBelowUs() {
  std::vector<pid_t> all;
  for (const Process& process : ProcessesOf(Tree::kDescendants)) all.push_back(process.pid);
  return all;
}

bool HasEnded(pid_t thread) {
  Process process;
  return !ReadProcess(thread, process) || process.has_ended();
}

Standstill::Standstill(Tree tree) {
  constexpr int kRounds = 100;  // new ones may start meanwhile, and a process stops in its own time
  for (int round = 0; round < kRounds; ++round) {
    bool all_stand = true;
    for (const Process& process : ProcessesOf(tree)) {
      if (process.stands_still()) continue;
      all_stand = false;
      if (std::find(stopped_.begin(), stopped_.end(), process.pid) == stopped_.end())
        stopped_.push_back(process.pid);
      kill(process.pid, SIGSTOP);
    }
    if (all_stand) return;
    poll(nullptr, 0, 1);
  }
}

Standstill::~Standstill() {
  for (const pid_t process : stopped_) kill(process, SIGCONT);
}

void KillBelow(pid_t process) {
  for (const Process& each : Below(process, AllProcesses())) kill(each.pid, SIGKILL);
  kill(process, SIGKILL);
}

void KillAll(Tree tree) {
  if (tree == Tree::kNamespace) kill(-1, SIGKILL);  // also those that are nobody's children here
  for (;;) {
    for (pid_t ended = 1; ended > 0;) {
      ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0) return;
    }
    if (tree == Tree::kNamespace) {
      kill(-1, SIGKILL);
    } else {
      for (const Process& process : ProcessesOf(tree)) kill(process.pid, SIGKILL);
    }
    poll(nullptr, 0, 1);  // a process dies in its own time
  }
}

}  // namespace assay
