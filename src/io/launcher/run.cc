// Reads the output of a program, cuts it at its limit, and makes the ProcessReply.
#include "io/launcher/run.h"

#include <fmt/core.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/text/utf8.h"
#include "base/wire/sandbox_words.h"

namespace assay {

namespace {

constexpr std::array<std::string_view, 10> kLimitNames = {
    "",          "wall time",   "CPU time",      "memory",          "output",
    "file size", "folder size", "hidden memory", "hidden disk use", kWaitLimit};
constexpr std::array<std::string_view, 3> kUnmeasuredNames = {"", "memory", "disk"};
constexpr std::array<std::string_view, 3> kLackNames = {"", "sockets of its own",
                                                        "new files in /tmp, /var/tmp or /dev/shm"};
constexpr std::string_view kLost = "the sandbox, whose supervisor was lost";
constexpr std::size_t kReadBytes = 65536;
constexpr std::uint64_t kToldWaitUs = 100'000;

bool IsSurrogate(char32_t code_point) { return code_point >= 0xD800 && code_point <= 0xDFFF; }

// Bytes at the end that begin a character and do not finish it.
std::size_t CutBytes(std::string_view bytes) {
  for (std::size_t count = 1; count <= std::min<std::size_t>(3, bytes.size()); ++count) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - count]);
    if (byte < 0x80) return 0;
    if (byte >= 0xC0) {
      const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
      return length > count ? count : 0;
    }
  }
  return 0;
}

int ExitCode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

}  // namespace

std::string ValidText(std::string bytes, bool is_cut) {
  if (is_cut) bytes.resize(bytes.size() - CutBytes(bytes));
  std::size_t invalid = FindInvalidUtf8(bytes);
  if (invalid == std::string::npos) return bytes;
  std::string text = bytes.substr(0, invalid);
  while (invalid < bytes.size()) {
    const DecodedCodePoint next = DecodeUtf8(bytes, invalid);
    AppendUtf8(IsSurrogate(next.code_point) ? U'\uFFFD' : next.code_point, text);
    invalid += next.size_bytes;
  }
  return text;
}

void CapturedStream::Read(std::size_t kept_max) {
  std::array<char, kReadBytes> buffer;
  const ssize_t count = read(file.get(), buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    file.Close();
    return;
  }
  const auto size = static_cast<std::size_t>(count);
  seen_bytes += size;
  kept.append(buffer.data(), std::min(size, kept_max - std::min(kept.size(), kept_max)));
}

std::uint64_t LauncherRun::OutputBytes() const {
  return streams[kCapturedOutput].seen_bytes + streams[kCapturedErrors].seen_bytes;
}

void LauncherRun::ReadReport() {
  SandboxReport read;
  const ssize_t count = recv(status.get(), &read, sizeof read, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count == 1) {
    char word = 0;
    std::memcpy(&word, &read, 1);
    has_started = true;
    if (word != kStarts) sleeps = word == kSleeps;
    return;
  }
  if (count == sizeof read) {
    report = read;
    status.Close();
  } else {
    Lose({ErrorCode::kIo, "the sandbox of the program ended before the program"});
  }
}

// Before the program started nothing of it can be the cause.
void LauncherRun::Lose(Error why) {
  if (has_started) {
    was_lost = true;
  } else if (!report) {
    error = std::move(why);
  }
  status.Close();
  for (CapturedStream& stream : streams) stream.file.Close();  // who holds them is nobody's child any more
}

bool LauncherRun::HasEnded() const {
  if (status.is_open()) return false;
  return std::none_of(streams.begin(), streams.end(),
                      [](const CapturedStream& stream) { return stream.file.is_open(); });
}

// Why nothing can be said of a program that ran: the machine does not let us measure its runtime.
std::optional<Error> UnjudgedWhy(const SandboxReport& report) {
  if (report.unmeasured == SandboxUnmeasured::kNothing) return std::nullopt;
  return Error{ErrorCode::kUnsupported,
               fmt::format("assay cannot measure the program's use of {}: the user of programs may start the "
                           "runtime, but not read it. Make the runtime readable",
                           kUnmeasuredNames[static_cast<std::size_t>(report.unmeasured)])};
}

ProcessReply LauncherRun::TakeReply(std::uint64_t memory_kills_now) {
  ProcessReply reply;
  if (report && report->error != 0) {
    error = Error{ErrorCode::kIo, fmt::format("the program cannot be started: {} ({})", report->step,
                                              std::strerror(report->error))};
  }
  if (was_lost && !report) {
    // As if it had timed out beside others: it counts if it happens again with none beside it.
    reply.signal = SIGKILL;
    reply.held_up = true;
    reply.limit = kLost;
    return reply;
  }
  if (error || !report) {
    reply.error = error ? std::move(error) : Error{ErrorCode::kIo, "the sandbox said nothing"};
    return reply;
  }
  reply.exit_code = ExitCode(report->status);
  reply.signal = WIFSIGNALED(report->status) ? WTERMSIG(report->status) : 0;
  reply.duration = std::chrono::microseconds(report->duration_us);
  SandboxLimit limit = report->limit;
  // Where the kernel ended only one process of it, the program is over all the same.
  if (memory_kills_now > memory_kills) {
    limit = SandboxLimit::kMemory;
    reply.exit_code = -1;
    reply.signal = SIGKILL;
  }
  reply.error = UnjudgedWhy(*report);
  // A program may wait for ever for what it could not have; no other limit is reached by that.
  const bool has_failed = limit == SandboxLimit::kNone ? reply.exit_code != 0 : limit == SandboxLimit::kWall;
  if (report->lost_us >= kToldWaitUs)
    reply.sandbox =
        fmt::format("{}{:.1f} s for processors", kSandboxWaited, static_cast<double>(report->lost_us) / 1e6);
  if (has_failed && report->lack != SandboxLack::kNothing)
    reply.sandbox += fmt::format("{}{}", kSandboxRefused, kLackNames[static_cast<std::size_t>(report->lack)]);
  reply.limit = kLimitNames[static_cast<std::size_t>(limit)];
  reply.timed_out =
      limit == SandboxLimit::kWall || limit == SandboxLimit::kCpu || limit == SandboxLimit::kStarved;
  reply.held_up = report->was_held_up != 0;
  const auto text = [this](CapturedIndex index) {
    CapturedStream& stream = streams[index];
    return ValidText(std::move(stream.kept), stream.seen_bytes > output_max);
  };
  reply.stdout_text = text(kCapturedOutput);
  reply.stderr_text = text(kCapturedErrors);
  if (!nonce.empty()) reply.reached_end = streams[kCapturedProof].kept == nonce;
  if (has_after) reply.after_exit_code = ExitCode(report->after_status);
  return reply;
}

}  // namespace assay
