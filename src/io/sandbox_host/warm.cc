// Starts the warm interpreter and sends it packets: fields with NULs between them, and descriptors.
#include "io/sandbox_host/warm.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace assay {

namespace {

constexpr int kPackets = 3;  // as the interpreter sees them
constexpr int kFilter = 4;
constexpr std::uint64_t kMicroseconds = 1'000'000;

std::vector<char*> ArgumentPointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void BecomeInterpreter(const SandboxSetup& setup, int packets) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int filter = memfd_create("filter", 0);
  const bool is_written =
      write(filter, setup.filter.data(), setup.filter.size()) == static_cast<ssize_t>(setup.filter.size()) &&
      lseek(filter, 0, SEEK_SET) == 0;
  const int high_filter = fcntl(filter, F_DUPFD, 64);
  const int high_packets = fcntl(packets, F_DUPFD, 64);
  if (is_written && dup2(high_packets, kPackets) >= 0 && dup2(high_filter, kFilter) >= 0) {
    syscall(SYS_close_range, kFilter + 1, ~0u, 0);
    std::vector<std::string> words = setup.warm_argv;
    words.push_back(setup.prelude);
    std::vector<std::string> variables = setup.environment;
    std::vector<char*> pointers = ArgumentPointers(variables);
    environ = pointers.data();
    execvpe(words[0].c_str(), ArgumentPointers(words).data(), environ);
  }
  _exit(127);
}

std::string PacketOf(const SandboxRun& run, const std::vector<std::string>& environment, bool has_proof) {
  std::vector<std::string> fields = {has_proof ? "1" : "0",
                                     std::to_string(run.limits.cpu_us / kMicroseconds + 2),
                                     std::to_string(run.limits.file_bytes),
                                     std::to_string(run.limits.processes), std::to_string(run.argv.size())};
  fields.insert(fields.end(), run.argv.begin(), run.argv.end());
  fields.insert(fields.end(), environment.begin(), environment.end());
  std::string packet;
  for (const std::string& field : fields) packet += field + '\0';
  packet.pop_back();
  return packet;
}

bool Send(int warm, std::string packet, const std::vector<int>& descriptors) {
  iovec bytes{packet.data(), packet.size()};
  alignas(cmsghdr) char space[CMSG_SPACE(kSandboxFilesMax * sizeof(int))] = {};
  const std::size_t size = descriptors.size() * sizeof(int);
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = CMSG_SPACE(size);
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(size);
  std::memcpy(CMSG_DATA(part), descriptors.data(), size);
  return sendmsg(warm, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(packet.size());
}

}  // namespace

int StartWarm(const SandboxSetup& setup) {
  if (setup.warm_argv.empty()) return -1;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const pid_t pid = fork();
  if (pid == 0) BecomeInterpreter(setup, ends[1]);
  close(ends[1]);
  std::array<char, 16> ready;
  pollfd heard{ends[0], POLLIN, 0};
  if (pid > 0 && poll(&heard, 1, static_cast<int>(setup.warm_most_ms)) > 0 &&
      recv(ends[0], ready.data(), ready.size(), 0) > 0)
    return ends[0];
  if (pid > 0) kill(pid, SIGKILL);
  close(ends[0]);
  return -1;
}

std::vector<int> OpenPlaces() {
  std::vector<int> places;
  for (const char* name : {"pid", "user", "mnt", "net", "ipc", "uts"})
    places.push_back(open((std::string("/proc/self/ns/") + name).c_str(), O_RDONLY | O_CLOEXEC));
  return places;
}

int RunWarm(int warm, const std::vector<int>& places, const SandboxRun& run,
            const std::vector<std::string>& environment, const RunFiles& files) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  const bool has_proof = files.fixed[kProofPipe] >= 0;
  std::vector<int> descriptors = places;
  descriptors.insert(descriptors.end(), {files.fixed[kOutputPipe], files.fixed[kErrorPipe], ends[1]});
  if (has_proof) descriptors.push_back(files.fixed[kProofPipe]);
  descriptors.insert(descriptors.end(), files.cgroups.begin(), files.cgroups.end());
  const bool is_open = std::find(places.begin(), places.end(), -1) == places.end();
  const bool is_sent = is_open && Send(warm, PacketOf(run, environment, has_proof), descriptors);
  for (const int place : places) close(place);
  close(ends[1]);
  if (is_sent) return ends[0];
  close(ends[0]);
  return -1;
}

}  // namespace assay
