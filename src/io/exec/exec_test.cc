// Tests of the exec transport with real shell programs, in a protocol of one word a line.
#include "io/exec/transport.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/bounded_queue.h"
#include "base/completion_queue.h"
#include "base/text/shell_words.h"
#include "tests/support/slowness.h"

namespace assay {

namespace {

// "ready", "result TURN words", "fatal words", "note TURN words"; everything else is broken.
ProgramLine ReadWord(std::string_view line) {
  const std::size_t blank = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, blank);
  const std::string_view rest = line.substr(std::min(blank + 1, line.size()));
  ProgramLine read;
  read.turn = rest.substr(0, rest.find(' '));
  if (word == "ready") {
    read.kind = LineKind::kReady;
  } else if (word == "result") {
    read.kind = LineKind::kResult;
  } else if (word == "fatal") {
    read.kind = LineKind::kFatal;
  } else if (word != "note") {
    read.kind = LineKind::kBroken;
    read.problem = fmt::format("expected a word, found {}", word);
  }
  return read;
}

HttpReply Next(CompletionQueue& replies) { return std::get<HttpReply>(replies.Take().reply); }

ExecOptions OptionsOf(std::chrono::milliseconds attempt = testing::Slowly(std::chrono::seconds(20))) {
  ExecOptions options;
  options.protocol = {
      .name = "words", .goodbye = "bye", .read = ReadWord, .quoted = [](std::string_view text) {
        return std::string(text);
      }};
  options.environment = {"PATH=/usr/bin:/bin", "GIVEN=yes"};
  options.attempt = attempt;
  return options;
}

std::unique_ptr<ExecTransport> Opened(ExecOptions options) {
  Result<std::unique_ptr<ExecTransport>> opened = ExecTransport::Open(std::move(options));
  REQUIRE(opened);
  return std::move(*opened);
}

HttpRequest Asked(std::string_view script, std::string turn, std::string first = "hello") {
  HttpRequest request;
  request.url = fmt::format("sh -c {}", QuoteWord(script));
  request.body = fmt::format("{}\nturn {}", first, turn);
  request.headers.push_back({std::string(kTurnHeader), std::move(turn)});
  return request;
}

// Answers turn after turn with its process id and the number of the turn.
constexpr std::string_view kCounter =
    "read first; echo ready; n=0; while read word turn; do [ $word = bye ] && exit; n=$((n+1)); "
    "echo \"result $turn $$ $n\"; done";

// A reply begins with what the process said when it was ready.
std::string TurnOf(const HttpReply& reply) {
  CHECK(reply.body.starts_with("ready\n"));
  return reply.body.substr(std::string_view("ready\n").size());
}

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// Whether the process lives, zombies aside.
bool Lives(int pid) {
  const std::string stat = TextOf(fmt::format("/proc/{}/stat", pid));
  return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

}  // namespace

TEST_CASE("one process answers turn after turn") {
  CompletionQueue replies;  // before the loop, which ends before it
  const auto transport = Opened(OptionsOf());
  std::string process;
  for (int i = 1; i <= 3; ++i) {
    transport->Send(1, Asked(kCounter, fmt::format("t{}", i)), replies);
    const HttpReply reply = Next(replies);
    CHECK_FALSE(reply.error);
    CHECK(reply.status == 200);
    std::istringstream words(TurnOf(reply));
    std::string result, turn, pid, number;
    words >> result >> turn >> pid >> number;
    CHECK(turn == fmt::format("t{}", i));
    CHECK(number == std::to_string(i));
    if (process.empty()) process = pid;
    CHECK(pid == process);
  }
  // Told another first line, it is another process.
  transport->Send(1, Asked(kCounter, "t", "other"), replies);
  const HttpReply reply = Next(replies);
  CHECK(reply.body.find(" " + process + " ") == std::string::npos);
  CHECK(reply.body.ends_with(" 1"));
}

TEST_CASE("turns at the same time have processes of their own, and wait where there are too many") {
  ExecOptions options = OptionsOf();
  options.processes_max = 2;
  CompletionQueue replies;  // before the loop, which ends before it
  const auto transport = Opened(std::move(options));
  for (Ticket ticket = 1; ticket <= 6; ++ticket)
    transport->Send(ticket, Asked(kCounter, fmt::format("t{}", ticket)), replies);
  std::vector<std::string> processes;
  for (int i = 0; i < 6; ++i) {
    const HttpReply reply = Next(replies);
    CHECK_FALSE(reply.error);
    std::istringstream words(TurnOf(reply));
    std::string result, turn, pid;
    words >> result >> turn >> pid;
    if (std::find(processes.begin(), processes.end(), pid) == processes.end()) processes.push_back(pid);
  }
  CHECK(processes.size() <= 2);
  // An idle process makes place for another program.
  transport->Send(7, Asked(kCounter, "t7", "other"), replies);
  CHECK(TurnOf(Next(replies)).starts_with("result t7 "));
}

TEST_CASE("what goes wrong is the error of the open call, with the last words") {
  struct Row {
    std::string script;
    ErrorCode code;
    std::string_view message;  // a part of it
  };
  const Row rows[] = {
      {"read f; echo ready; read t; echo one >&2; echo two words >&2; exit 3", ErrorCode::kIo,
       "ended with exit code 3 before it answered; standard error ends with: one | two words"},
      {"exit 0", ErrorCode::kIo, "ended with exit code 0 before it was ready; it wrote nothing"},
      {"kill -SEGV $$", ErrorCode::kIo, "was ended by signal 11"},
      {"read f; echo ready; read t; echo Loading the model", ErrorCode::kCorrupt, "found Loading"},
      {"read f; echo garbage; sleep 600", ErrorCode::kCorrupt, "found garbage"},
      {"read f; echo ready; read t; exec 1>&-; sleep 600", ErrorCode::kIo, "closed its standard output"},
      {"sleep 600", ErrorCode::kTimeout, "was not ready within "},
      {"read f; echo ready; sleep 600", ErrorCode::kTimeout, "did not answer within "},
      {"read f; echo ready; while :; do echo note other; done", ErrorCode::kLimit, "more than 100000 bytes"},
      {"read f; tr '\\0' x < /dev/zero", ErrorCode::kLimit, "more than 100000 bytes"},
      {"read f; echo ready; read t; while :; do echo words >&2; done", ErrorCode::kTimeout, "did not answer"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.script);
    ExecOptions options = OptionsOf(testing::Slowly(std::chrono::seconds(1)));
    options.turn_bytes_max = 100'000;
    CompletionQueue replies;  // before the loop, which ends before it
    const auto transport = Opened(std::move(options));
    transport->Send(1, Asked(row.script, "t"), replies);
    const HttpReply reply = Next(replies);
    REQUIRE(reply.error);
    CHECK(reply.error->code == row.code);
    CAPTURE(reply.error->message);
    CHECK(reply.error->message.find(row.message) != std::string::npos);
  }
}

TEST_CASE("a program that is not there is told") {
  CompletionQueue replies;  // before the loop, which ends before it
  const auto transport = Opened(OptionsOf());
  HttpRequest request = Asked("", "t");
  request.url = "no-such-program-anywhere --fast";
  transport->Send(1, request, replies);
  HttpReply reply = Next(replies);
  REQUIRE(reply.error);
  CHECK(reply.error->code == ErrorCode::kNotFound);
  request.url = "/etc/passwd";
  transport->Send(1, request, replies);
  reply = Next(replies);
  REQUIRE(reply.error);
  CHECK(reply.error->code == ErrorCode::kIo);
}

TEST_CASE("a process that fails is replaced, one that says fatal too") {
  CompletionQueue replies;  // before the loop, which ends before it
  const auto transport = Opened(OptionsOf());
  const std::string script =
      "read f; echo ready; read w t; echo note $t a; echo; echo note other b; echo result other c; "
      "if [ -e \"$0\" ]; then echo result $t again; read bye; else : > \"$0\"; echo fatal no more; fi";
  char folder[] = "/tmp/assay-exec-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  HttpRequest request = Asked(script, "t");
  request.url += fmt::format(" {}/flag", folder);
  transport->Send(1, request, replies);
  CHECK(TurnOf(Next(replies)) == "note t a\nfatal no more");
  transport->Send(2, request, replies);
  CHECK(TurnOf(Next(replies)) == "note t a\nresult t again");
  std::filesystem::remove_all(folder);
}

TEST_CASE("a program sees what it is given, and a folder that ends with it") {
  CompletionQueue replies;  // before the loop, which ends before it
  auto transport = Opened(OptionsOf());
  const std::string script =
      "read f; echo ready; read w t; touch $f/file; n=0; i=3; while [ $i -lt 100 ]; do "
      "[ -e /proc/$$/fd/$i ] && n=$((n+1)); i=$((i+1)); done; echo result $t $f $GIVEN $n; read bye";
  HttpRequest request = Asked(script, "t", std::string(kProcessFolder));
  transport->Send(1, request, replies);
  std::istringstream words(TurnOf(Next(replies)));
  std::string result, turn, folder, given, files;
  words >> result >> turn >> folder >> given >> files;
  CHECK(std::filesystem::exists(folder + "/file"));
  CHECK(given == "yes");
  CHECK(files == "0");  // beside its three streams
  transport.reset();
  CHECK_FALSE(std::filesystem::exists(folder));
  CHECK_FALSE(std::filesystem::exists(std::filesystem::path(folder).parent_path()));
}

TEST_CASE("the files of a turn lie in the folder before it is asked, and stay for the next") {
  CompletionQueue replies;  // before the loop, which ends before it
  auto transport = Opened(OptionsOf());
  const std::string script =
      "read f; echo ready; while read w t; do echo result $t $(cat $f/parts/*); done";
  HttpRequest request = Asked(script, "t", std::string(kProcessFolder));
  request.files = {
      {.path = "parts/a", .bytes = {}, .blob = std::make_shared<Blob>(Blob{.sha256 = {}, .bytes = "one"})},
      {.path = "parts/b", .bytes = "two"}};
  transport->Send(1, request, replies);
  CHECK(TurnOf(Next(replies)) == "result t onetwo");
  request = Asked(script, "u", std::string(kProcessFolder));
  request.files = {{.path = "parts/a", .bytes = "another"}};  // a name says what is in it
  transport->Send(2, request, replies);
  CHECK(TurnOf(Next(replies)) == "result u onetwo");
  request = Asked(script, "v", std::string(kProcessFolder));
  request.files = {{.path = "parts/a/below", .bytes = "no folder"}};
  transport->Send(3, request, replies);
  const HttpReply failed = Next(replies);
  REQUIRE(failed.error.has_value());
  CHECK(failed.error->message.find("cannot be written") != std::string::npos);
}

TEST_CASE("whatever a program started ends with it") {
  CompletionQueue replies;  // before the loop, which ends before it
  auto transport = Opened(OptionsOf());
  const std::string busy =
      "read f; echo ready; read w t; sleep 600 & echo \"note $t $!\" >&2; echo $! > $f; wait";
  char folder[] = "/tmp/assay-exec-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string file = std::string(folder) + "/pid";
  transport->Send(1, Asked(busy, "t", file), replies);
  SystemClock clock;
  BoundedQueue<bool> nothing(1);
  while (TextOf(file).find('\n') == std::string::npos)
    clock.Wait(nothing, clock.Now() + std::chrono::milliseconds(5));
  const int child = std::atoi(TextOf(file).c_str());
  CHECK(Lives(child));
  transport->CancelAll();
  // It was sent its end; when that arrives is the kernel's affair.
  const TimePoint patience = clock.Now() + testing::Slowly(std::chrono::seconds(20));
  while (Lives(child) && clock.Now() < patience)
    clock.Wait(nothing, clock.Now() + std::chrono::milliseconds(5));
  CHECK_FALSE(Lives(child));
  // What was cancelled says nothing more.
  transport->Send(9, Asked(kCounter, "t9"), replies);
  CHECK(replies.Take().ticket == 9);
  std::filesystem::remove_all(folder);
}

TEST_CASE("the end says goodbye to idle programs and does not wait for stubborn ones") {
  ExecOptions options = OptionsOf();
  CompletionQueue replies;  // before the loop, which ends before it
  auto transport = Opened(std::move(options));
  char folder[] = "/tmp/assay-exec-test-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string polite = "read f; echo ready; read w t; echo result $t; read bye; echo $bye > $f";
  const std::string stubborn = "trap '' TERM; read f; echo ready; read w t; echo result $t; sleep 600";
  transport->Send(1, Asked(polite, "t", std::string(folder) + "/bye"), replies);
  transport->Send(2, Asked(stubborn, "t"), replies);
  Next(replies);
  Next(replies);
  SystemClock clock;
  const TimePoint start = clock.Now();
  transport.reset();
  CHECK(clock.Now() - start < testing::Slowly(std::chrono::seconds(5)));
  CHECK(TextOf(std::string(folder) + "/bye") == "bye\n");
  std::filesystem::remove_all(folder);
}

TEST_CASE("a long turn reaches a program that reads slowly, and a long answer comes whole") {
  CompletionQueue replies;  // before the loop, which ends before it
  const auto transport = Opened(OptionsOf());
  const std::string script = "read f; echo ready; read w t rest; echo \"result $t $rest\"; read bye";
  HttpRequest request = Asked(script, "t");
  const std::string text(1u << 20, 'x');
  request.body += " " + text;
  transport->Send(1, request, replies);
  const HttpReply reply = Next(replies);
  CHECK_FALSE(reply.error);
  CHECK(TurnOf(reply) == "result t " + text);
}

TEST_CASE("a program that belongs to a run leaves its folder there") {
  char root[] = "/tmp/assay-exec-test-XXXXXX";
  REQUIRE(mkdtemp(root) != nullptr);
  CompletionQueue replies;  // before the loop, which ends before it
  auto transport = Opened(OptionsOf());
  const std::string script =
      "read f; echo ready; touch $f/kept; while read w t; do [ $w = bye ] && exit; echo result $t $f; done";
  HttpRequest request = Asked(script, "t", std::string(kProcessFolder));
  request.headers.push_back({std::string(kFolderHeader), std::string(root) + "/lean/runtime"});
  transport->Send(1, request, replies);
  const std::string folder = std::string(root) + "/lean/runtime/1";
  CHECK(TurnOf(Next(replies)) == "result t " + folder);
  transport.reset();
  CHECK(std::filesystem::exists(folder + "/kept"));
  std::filesystem::remove_all(root);
}

TEST_CASE("lines of a turn are told as they come, its result is the reply") {
  class Heard final : public CompletionSink {
   public:
    void Deliver(Completion completion) override { replies.Deliver(std::move(completion)); }
    void Tell(Ticket, std::string_view line) override { lines.emplace_back(line); }
    CompletionQueue replies;
    std::vector<std::string> lines;  // before the reply, which the test waits for
  };
  Heard heard;
  const auto transport = Opened(OptionsOf());
  transport->Send(1,
                  Asked("read f; echo ready; read w t; echo note $t a; echo note other b; echo note $t c; "
                        "echo result $t; read bye",
                        "t"),
                  heard);
  CHECK(TurnOf(Next(heard.replies)) == "note t a\nnote t c\nresult t");
  CHECK(heard.lines == std::vector<std::string>{"note t a", "note t c"});
}

}  // namespace assay
