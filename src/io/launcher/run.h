// LauncherRun: one program while it runs: its descriptors, its output so far, and the reply made of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/wire/transport.h"
#include "io/sandbox/file.h"
#include "io/sandbox/wire.h"

namespace assay {

// A stream of a program: the first bytes are kept, all are counted.
struct CapturedStream {
  SandboxFd file;
  std::string kept;
  std::uint64_t seen_bytes = 0;

  // Reads what is there. Closes the file at its end.
  void Read(std::size_t kept_max);
};

enum CapturedIndex { kCapturedOutput, kCapturedErrors, kCapturedProof, kCapturedStreams };

struct LauncherRun {
  Ticket ticket = 0;
  CompletionSink* sink = nullptr;
  std::size_t place = 0;           // which of the launcher's places it holds
  std::size_t identity = 0;        // of the program: equal ones have the same
  std::uint64_t memory_kills = 0;  // of the place, before it started
  TimePoint give_up_at = kNever;   // when even its supervisor should long have ended it
  std::size_t output_max = 0;
  std::string nonce;  // "" without an epilogue
  bool has_after = false;
  bool was_stopped = false;  // for its output

  SandboxFd status;
  std::array<CapturedStream, kCapturedStreams> streams;
  bool is_watched = false;  // a listener judges some of its calls
  bool has_started = false;
  bool was_lost = false;  // its supervisor, once it had started
  bool sleeps = false;    // so that another may run beside it
  std::optional<SandboxReport> report;
  std::optional<Error> error;

  std::uint64_t OutputBytes() const;
  // Reads what the supervisor says; closes the socket once its report has come, or cannot come any more.
  void ReadReport();
  // No report will come.
  void Lose(Error why);
  bool HasEnded() const;
  // `memory_kills_now`: of the place. Only once it has ended.
  ProcessReply TakeReply(std::uint64_t memory_kills_now);
};

// Ill-formed bytes become U+FFFD; a character that the end cuts is dropped if `is_cut`.
std::string ValidText(std::string bytes, bool is_cut);

}  // namespace assay
