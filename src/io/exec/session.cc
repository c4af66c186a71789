// Writes the lines of a turn, reads those of the process, and words how a process ended.
#include "io/exec/session.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/errors/assert.h"
#include "base/errors/diagnostics.h"
#include "base/text/shell_words.h"
#include "io/exec/spawn.h"
#include "io/launcher/run.h"

namespace assay {

namespace {

constexpr std::size_t kErrorsKeptBytes = 16u << 10;
constexpr std::size_t kLastWordsBytes = 400;
constexpr std::chrono::milliseconds kEndPatience{300};  // between the end of the output and of the process
constexpr std::string_view kBlanks = " \t\r\n";

constexpr int kDrainReadsMax = 32;  // more than a pipe holds

// What a process is told first, and the turn.
struct Lines {
  std::string_view first;
  std::string_view turn;
};

Lines LinesOf(std::string_view body) {
  const std::size_t end = std::min(body.find('\n'), body.size());
  return {.first = body.substr(0, end), .turn = body.substr(std::min(end + 1, body.size()))};
}

std::string HowItEnded(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return fmt::format("ended with exit code {}", info.si_status);
  return fmt::format("was ended by signal {} ({})", info.si_status, strsignal(info.si_status));
}

bool HasMore(int file) {
  pollfd heard{file, POLLIN, 0};
  return poll(&heard, 1, 0) > 0;
}

// Reads what is there; false at the end.
bool ReadSome(int file, std::array<char, 65536>& buffer, std::string_view& bytes) {
  const ssize_t count = read(file, buffer.data(), buffer.size());
  bytes = {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace

std::string HeaderOf(const HttpRequest& request, std::string_view name) {
  for (const HttpHeader& header : request.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

std::string ExecSession::KeyOf(const HttpRequest& request) {
  return fmt::format("{}\n{}", request.url, LinesOf(request.body).first);
}

Result<ExecSession> ExecSession::Start(const HttpRequest& request, const ExecOptions& options,
                                       ExecFolder folder) {
  ExecSession session(KeyOf(request), std::move(folder), options);
  ASSAY_TRY(std::vector<std::string> argv, SplitWords(request.url));
  if (argv.empty()) return Error{ErrorCode::kInvalidInput, "the command line names no program"};
  SandboxPipe input = OpenBlockingPipe();
  SandboxPipe output = OpenPipe();
  SandboxPipe errors = OpenPipe();
  if (!input.write.is_open() || !output.write.is_open() || !errors.write.is_open())
    return Error{ErrorCode::kIo, "a program needs more open files than this process may have"};
  fcntl(input.write.get(), F_SETFL, O_NONBLOCK);
  ASSAY_TRY(session.pid_,
            SpawnInSession(
                std::move(argv), options.environment,
                {.input = input.read.get(), .output = output.write.get(), .errors = errors.write.get()}));
  session.input_ = std::move(input.write);
  session.output_ = std::move(output.read);
  session.errors_ = std::move(errors.read);
  std::string first(LinesOf(request.body).first);
  if (const std::size_t at = first.find(kProcessFolder); at != std::string::npos)
    first.replace(at, kProcessFolder.size(), options.protocol.quoted(session.folder_.path));
  session.Write(first);
  return session;
}

std::string ExecSession::Name() const { return Quoted(std::string_view(key_).substr(0, key_.find('\n'))); }

void ExecSession::Take(ExecCall call, TimePoint now, TimePoint deadline) {
  ASSAY_ASSERT(!call_ && (state_ == State::kStarting || state_ == State::kIdle));
  call_ = std::move(call);
  turn_ = HeaderOf(call_->request, kTurnHeader);
  lines_.clear();
  bytes_ = 0;
  errors_tail_.clear();
  taken_at_ = now;
  deadline_ = deadline;
  asked_at_ = now;
  if (state_ == State::kIdle) AskTurn(now);
}

// A name says what is in it: what another turn put there stays.
Status ExecSession::PutFiles() {
  for (const FileSpec& file : call_->request.files) {
    const std::filesystem::path path = std::filesystem::path(folder_.path) / file.path;
    std::error_code error;
    if (std::filesystem::exists(path, error)) continue;
    std::filesystem::create_directories(path.parent_path(), error);
    const std::string& bytes = file.blob == nullptr ? file.bytes : file.blob->bytes;
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) return Error{ErrorCode::kIo, fmt::format("{} cannot be written", path.string())};
  }
  return Ok();
}

void ExecSession::AskTurn(TimePoint now) {
  state_ = State::kTurn;
  bytes_ = 0;
  asked_at_ = now;
  lines_ = ready_;
  if (const Status put = PutFiles(); !put) return Fail(put.error(), now);
  Write(LinesOf(call_->request.body).turn);
}

void ExecSession::Cancel() {
  call_.reset();
  state_ = State::kBroken;
}

void ExecSession::SayGoodbye(TimePoint deadline) {
  state_ = State::kLeaving;
  deadline_ = deadline;
  Write(options_->protocol.goodbye);
}

void ExecSession::Write(std::string_view line) {
  to_write_ += line;
  to_write_ += '\n';
  Flush();
}

// A program that does not read its input is found out by its deadline, one that has ended by its output.
void ExecSession::Flush() {
  while (!to_write_.empty() && input_.is_open()) {
    const ssize_t count = write(input_.get(), to_write_.data(), to_write_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      input_.Close();
      return;
    }
    to_write_.erase(0, static_cast<std::size_t>(count));
  }
  if (state_ == State::kLeaving) input_.Close();
}

void ExecSession::FillPoll(pollfd* polled) const {
  polled[0] = {to_write_.empty() ? -1 : input_.get(), POLLOUT, 0};
  polled[1] = {output_.get(), POLLIN, 0};
  polled[2] = {errors_.get(), POLLIN, 0};
}

void ExecSession::OnPoll(const pollfd* polled, TimePoint now) {
  if (polled[2].revents != 0) ReadErrors();
  if (polled[0].revents != 0) Flush();
  if (polled[1].revents != 0) ReadOutput(now);
}

void ExecSession::ReadErrors() {
  std::array<char, 65536> buffer;
  std::string_view bytes;
  if (!ReadSome(errors_.get(), buffer, bytes)) errors_.Close();
  errors_tail_ += bytes;
  if (errors_tail_.size() > 2 * kErrorsKeptBytes)
    errors_tail_.erase(0, errors_tail_.size() - kErrorsKeptBytes);
}

void ExecSession::ReadOutput(TimePoint now) {
  std::array<char, 65536> buffer;
  std::string_view bytes;
  if (!ReadSome(output_.get(), buffer, bytes)) {
    output_.Close();
    silent_since_ = now;
    if (const std::string last = std::exchange(line_, {}); !last.empty()) OnLine(last, now);
    return;
  }
  bytes_ += bytes.size();
  while (!bytes.empty() && state_ != State::kBroken) {
    const std::size_t end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
    const std::string text = std::exchange(line_, {});
    OnLine(text, now);
  }
  if (state_ != State::kBroken && bytes_ > options_->turn_bytes_max) {
    Fail({ErrorCode::kLimit,
          fmt::format("{} wrote more than {} bytes in one turn", Name(), options_->turn_bytes_max)},
         now);
  }
}

void ExecSession::OnLine(std::string_view text, TimePoint now) {
  if (text.find_first_not_of(kBlanks) == std::string_view::npos || state_ == State::kLeaving) return;
  const ProgramLine line = options_->protocol.read(text);
  if (line.kind == LineKind::kBroken) {
    Fail({ErrorCode::kCorrupt, fmt::format("{}: {}", Name(), line.problem)}, now);
  } else if (line.kind == LineKind::kFatal) {
    lines_ += text;
    Deliver({.status = 200, .headers = {}, .body = std::move(lines_)}, now);
    state_ = State::kBroken;
  } else if (state_ == State::kStarting && line.kind == LineKind::kReady) {
    ready_ = fmt::format("{}\n", text);
    AskTurn(now);
  } else if (state_ == State::kTurn && line.turn == turn_) {
    OnTurnLine(line, text, now);
  } else if (!call_) {
    bytes_ = 0;  // nobody waits for what is said between turns
  }
}

void ExecSession::OnTurnLine(const ProgramLine& line, std::string_view text, TimePoint now) {
  lines_ += text;
  if (line.kind != LineKind::kResult) {
    lines_ += '\n';
    call_->sink->Tell(call_->ticket, text);
    return;
  }
  Deliver({.status = 200, .headers = {}, .body = std::move(lines_)}, now);
  state_ = State::kIdle;
  bytes_ = 0;
  deadline_ = kNever;
}

void ExecSession::Deliver(HttpReply reply, TimePoint now) {
  if (!call_) return;
  reply.duration = now - asked_at_;
  call_->sink->Deliver({.ticket = call_->ticket, .reply = std::move(reply)});
  call_.reset();
}

// The last lines of standard error, on one line.
std::string ExecSession::LastWords() const {
  std::string text = ValidText(
      errors_tail_.substr(errors_tail_.size() - std::min(errors_tail_.size(), kLastWordsBytes)), false);
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return {};
  text = text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  std::string words;
  for (const char c : text) {
    if (c != '\r') words += c == '\n' ? std::string(" | ") : std::string(1, c);
  }
  return words;
}

void ExecSession::Fail(Error error, TimePoint now) {
  for (int i = 0; i < kDrainReadsMax && errors_.is_open() && HasMore(errors_.get()); ++i) ReadErrors();
  const std::string words = LastWords();
  error.message += words.empty() ? "; it wrote nothing to standard error"
                                 : fmt::format("; standard error ends with: {}", words);
  HttpReply reply;
  reply.body = lines_ + ValidText(errors_tail_, false);  // what its turn said before, then standard error
  reply.error = std::move(error);
  Deliver(std::move(reply), now);
  state_ = State::kBroken;
}

void ExecSession::Sweep(TimePoint now) {
  if (state_ == State::kBroken) return;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == pid_) {
    for (int i = 0; i < kDrainReadsMax && state_ != State::kBroken && HasMore(output_.get()); ++i)
      ReadOutput(now);
    if (state_ != State::kBroken) OnEnded(HowItEnded(info), now);
  } else if (silent_since_ != kNever && now - silent_since_ > kEndPatience) {
    OnEnded("closed its standard output", now);
  } else if (now >= deadline_) {
    const auto seconds = std::chrono::duration<double>(deadline_ - taken_at_).count();
    Fail({ErrorCode::kTimeout,
          fmt::format("{} {} within {:.3g} s", Name(),
                      state_ == State::kStarting ? "was not ready" : "did not answer", seconds)},
         now);
  }
}

void ExecSession::OnEnded(std::string how, TimePoint now) {
  Fail({ErrorCode::kIo, fmt::format("{} {} before it {}", Name(), how,
                                    state_ == State::kStarting ? "was ready" : "answered")},
       now);
}

void ExecSession::End() {
  // The group before its leader is reaped: until then nobody else can have its number.
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  std::error_code ignored;
  if (!folder_.is_kept) std::filesystem::remove_all(folder_.path, ignored);
}

}  // namespace assay
