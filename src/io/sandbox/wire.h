// The messages between the launcher and a sandbox host. Both are made from one build, so there is no version
// and no byte order. The host is the small program of sandbox_host/; it stands between us and foreign
// programs.
//
//   launcher -> host, once        a memory file with SandboxSetup
//   host -> launcher, once        SandboxHello
//   launcher -> host, each run    one byte and files: SandboxFiles, in this order
//   supervisor -> launcher        kStarts, kSleeps and kWorks, then SandboxReport, on the run's own socket;
//   whoever
//                                 closes it first ends the run
//   launcher -> supervisor        kStopForOutput
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Where the sandbox shows its private memory: the work folder, temporary files, shared memory.
inline constexpr std::string_view kSandboxRoot = "/sandbox";
inline constexpr std::string_view kSandboxFolder = "/folder";  // below it; the current folder and HOME
inline constexpr std::string_view kSandboxTemporary = "/tmp";  // below it

enum class SandboxWireLevel : std::uint8_t { kNamespaces, kLandlock, kNone };
enum class SandboxLimit : std::uint8_t {
  kNone,
  kWall,
  kCpu,
  kMemory,
  kOutput,
  kFileSize,
  kFolder,
  kHiddenMemory,  // the program kept it from being measured
  kHiddenDisk,
  kStarved,  // others had the processors for so long that it cannot be told whether it is late
};
// What of a program this machine could not measure, so that it was ended and nothing is known of it.
enum class SandboxUnmeasured : std::uint8_t { kNothing, kMemory, kDisk };
// What a program asked for that its level does not have and namespaces do.
enum class SandboxLack : std::uint8_t { kNothing, kSockets, kTemporaryFiles };

struct SandboxSetup {
  SandboxWireLevel level = SandboxWireLevel::kNamespaces;
  std::uint32_t uid = 0;                 // to become first; 0: stay who we are
  std::vector<std::string> roots;        // shown read-only
  std::vector<std::string> scratch;      // shown writable, what is written is lost
  std::vector<std::string> environment;  // NAME=VALUE
  std::string filter;                    // of system calls: an array of sock_filter
  std::string watched_filter;            // instead of it, where a listener is to be had
  std::string last_filter;               // behind either; "" for none
  std::uint32_t landlock_most = 0;       // the latest version that is used
  std::string folder;                    // where work folders are made, without namespaces
  std::vector<std::string> warm_argv;    // what to start for warm runs; empty: nothing
  std::string prelude;                   // for it
  std::uint32_t warm_most_ms = 0;        // until it is given up
};

struct SandboxLimits {
  std::uint64_t wall_us = 0;
  std::uint64_t cpu_us = 0;
  std::uint64_t memory_bytes = 0;  // watched by the supervisor
  std::uint64_t processes = 0;     // 0: the kernel does
  std::uint64_t file_bytes = 0;
  std::uint64_t folder_bytes = 0;
};

struct SandboxFile {
  std::string path;
  std::string bytes;
};

struct SandboxRun {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // beside the setup's, and stronger
  std::vector<SandboxFile> files;
  SandboxLimits limits;
  std::vector<std::string> after_argv;
  SandboxLimits after_limits;
  std::uint8_t is_warm = 0;
};

// How many times its limit of wall time a program may wait for processors on top of that.
inline constexpr std::uint64_t kSandboxWaitMultiple = 10;

// How many files come with a run, beside cgroups to enter: the request (a memory file), the socket of its
// supervisor, the two outputs, and the proof of the end and the time that a cgroup has used (or nothing).
enum SandboxFileIndex {
  kRequestFile,
  kStatusSocket,
  kOutputPipe,
  kErrorPipe,
  kProofPipe,
  kCpuFile,
  kSandboxFixedFiles
};
// Of the byte that comes with the files: which of the last are there.
inline constexpr std::uint8_t kHasProof = 1;
inline constexpr std::uint8_t kHasCpuFile = 2;
inline constexpr std::size_t kSandboxFilesMax = 20;
inline constexpr char kStopForOutput = 'o';
inline constexpr char kStarts = 'b';  // from here on what happens is the program's doing
inline constexpr char kSleeps = 's';  // the program waits for something that is no processor
inline constexpr char kWorks = 'w';   // and no longer

struct SandboxReport {
  std::int32_t error = 0;   // errno of what could not be done before the program; 0: it ran
  char step[60] = {};       // what that was
  std::int32_t status = 0;  // of wait()
  SandboxLimit limit = SandboxLimit::kNone;
  std::uint8_t has_after = 0;
  std::int32_t after_status = 0;
  std::uint64_t duration_us = 0;
  std::uint64_t cpu_us = 0;
  std::uint64_t lost_us = 0;     // wall time in which it was ready and others ran
  std::uint8_t was_held_up = 0;  // it may be late because of others
  SandboxUnmeasured unmeasured = SandboxUnmeasured::kNothing;
  SandboxLack lack = SandboxLack::kNothing;
};

struct SandboxHello {
  std::int32_t error = 0;
  std::uint8_t has_listener = 0;  // calls of programs that only we can judge are asked about
  char step[120] = {};
};

template <class Visitor>
void VisitFields(SandboxSetup& v, Visitor& visit) {
  visit(v.level), visit(v.uid), visit(v.roots), visit(v.scratch), visit(v.environment), visit(v.filter);
  visit(v.watched_filter), visit(v.last_filter), visit(v.landlock_most), visit(v.warm_most_ms);
  visit(v.folder), visit(v.warm_argv), visit(v.prelude);
}
template <class Visitor>
void VisitFields(SandboxFile& v, Visitor& visit) {
  visit(v.path), visit(v.bytes);
}
template <class Visitor>
void VisitFields(SandboxRun& v, Visitor& visit) {
  visit(v.argv), visit(v.environment), visit(v.files), visit(v.limits), visit(v.after_argv);
  visit(v.after_limits), visit(v.is_warm);
}

class SandboxWriter {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      VisitFields(value, *this);
    }
  }
  void operator()(std::string& text) {
    std::uint64_t size = text.size();
    (*this)(size);
    bytes += text;
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    std::uint64_t size = list.size();
    (*this)(size);
    for (T& each : list) (*this)(each);
  }
  std::string bytes;
};

// Reads what SandboxWriter wrote; `is_complete` is false once something was missing.
class SandboxReader {
 public:
  explicit SandboxReader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (const std::string_view taken = Take(sizeof value); is_complete)
        std::memcpy(&value, taken.data(), sizeof value);
    } else {
      VisitFields(value, *this);
    }
  }
  void operator()(std::string& text) {
    std::uint64_t size = 0;
    (*this)(size);
    text = Take(size);
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    std::uint64_t size = 0;
    (*this)(size);
    for (std::uint64_t i = 0; i < size && is_complete; ++i) (*this)(list.emplace_back());
  }
  bool is_complete = true;

 private:
  std::string_view Take(std::uint64_t size) {
    is_complete = is_complete && size <= rest_.size();
    if (!is_complete) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
};

template <class T>
std::string SandboxBytes(T& value) {
  SandboxWriter writer;
  writer(value);
  return std::move(writer.bytes);
}

template <class T>
bool SandboxRead(std::string_view bytes, T& value) {
  SandboxReader reader(bytes);
  reader(value);
  return reader.is_complete;
}

}  // namespace assay
