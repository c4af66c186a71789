// LineProtocol: how to talk in lines of text with a program that stays running: what its lines mean, and how
// it is told to end. A codec of providers/ gives the meaning; io/exec does the talking.
//
// A request to such a program is an HttpRequest of Route::kProgram: its url is the command line, a header
// `turn` has the name of the turn, and its body is two lines: what a new process is told first, and the turn.
// Requests with the same command line and first line may be answered by one process, one after the other. The
// reply's body is what the process said when it was ready and every line of the turn, the last one its
// result; of a turn that failed it is what the program wrote to standard error. Other lines of the turn are
// told to whoever waits as they come (CompletionSink::Tell).
#pragma once

#include <string>
#include <string_view>

namespace assay {

inline constexpr std::string_view kTurnHeader = "turn";
// Which run of several the process belongs to; absent: none.
inline constexpr std::string_view kRunHeader = "run";
// Below which folder those of processes are made, to stay; absent: they end with their processes.
inline constexpr std::string_view kFolderHeader = "folder";
// Stands in the first line for a folder of the process's own, which ends with it.
inline constexpr std::string_view kProcessFolder = "@PROCESS_FOLDER@";

enum class LineKind {
  kOther,   // of no consequence; kept if `turn` is the one under way
  kReady,   // the process takes turns now
  kResult,  // the end of `turn`
  kFatal,   // the process says that it cannot go on
  kBroken,  // not the protocol; `problem` says why
};

struct ProgramLine {
  LineKind kind = LineKind::kOther;
  std::string turn;
  std::string problem;
};

struct LineProtocol {
  std::string_view name;     // for messages: "assay-exec/1"
  std::string_view goodbye;  // the line that asks the program to end
  ProgramLine (*read)(std::string_view line);
  // A text as it stands in the place of kProcessFolder: between quotes.
  std::string (*quoted)(std::string_view text);
};

}  // namespace assay
