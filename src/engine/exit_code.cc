// The errors that end a command, and with which exit code.
#include "engine/exit_code.h"

#include <algorithm>
#include <iterator>

#include "base/errors/assert.h"

namespace assay {

namespace {

struct ErrorExit {
  ErrorCode error;
  ExitCode exit;
};

// What the user can mend in what he asked for or named is usage; whatever else kept the command from its end
// is not: a damaged store, a disk that fails, a service.
constexpr ErrorExit kExits[] = {
    {ErrorCode::kInvalidInput, ExitCode::kUsage},
    {ErrorCode::kNotFound, ExitCode::kUsage},
    {ErrorCode::kUnsupported, ExitCode::kUsage},
    {ErrorCode::kLimit, ExitCode::kUsage},
    {ErrorCode::kRefused, ExitCode::kUsage},  // a file that may not be read, a store that is in use
    {ErrorCode::kIo, ExitCode::kUnfinished},
    {ErrorCode::kNetwork, ExitCode::kUnfinished},
    {ErrorCode::kTimeout, ExitCode::kUnfinished},
    {ErrorCode::kRateLimited, ExitCode::kUnfinished},
    {ErrorCode::kCancelled, ExitCode::kUnfinished},
    {ErrorCode::kCorrupt, ExitCode::kUnfinished},
    {ErrorCode::kNoAnswer, ExitCode::kUnfinished},
    {ErrorCode::kService, ExitCode::kUnfinished},
    {ErrorCode::kRefusal, ExitCode::kUnfinished},
    {ErrorCode::kContentFilter, ExitCode::kUnfinished},
    {ErrorCode::kRecitation, ExitCode::kUnfinished},
    {ErrorCode::kPersonalData, ExitCode::kUnfinished},
    {ErrorCode::kImageWithheld, ExitCode::kUnfinished},
    {ErrorCode::kLanguage, ExitCode::kUnfinished},
    {ErrorCode::kBrokenOff, ExitCode::kUnfinished},
    {ErrorCode::kMalformedCall, ExitCode::kUnfinished},
    {ErrorCode::kMalformedReply, ExitCode::kUnfinished},
    {ErrorCode::kPausedTurn, ExitCode::kUnfinished},
    {ErrorCode::kContextWindow, ExitCode::kUnfinished},
};
static_assert(std::size(kExits) == kErrorCodeCount);

}  // namespace

ExitCode ExitCodeOf(ErrorCode error) {
  const auto* row = std::find_if(std::begin(kExits), std::end(kExits),
                                 [error](const ErrorExit& each) { return each.error == error; });
  ASSAY_ASSERT(row != std::end(kExits));
  return row->exit;
}

int NumberOf(ExitCode code, const std::optional<int>& failed) {
  return code == ExitCode::kMissed && failed ? *failed : static_cast<int>(code);
}

}  // namespace assay
