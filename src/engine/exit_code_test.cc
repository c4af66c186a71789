// Commands had three opinions on which errors are usage; each error has one exit code now.
#include "engine/exit_code.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("every error has an exit code, the same for all commands") {
  for (std::size_t i = 0; i < kErrorCodeCount; ++i) {
    CAPTURE(i);
    const ExitCode exit = ExitCodeOf(static_cast<ErrorCode>(i));
    CHECK((exit == ExitCode::kUsage || exit == ExitCode::kUnfinished));
  }
  CHECK(ExitCodeOf(ErrorCode::kRefused) == ExitCode::kUsage);       // a file that may not be read
  CHECK(ExitCodeOf(ErrorCode::kNotFound) == ExitCode::kUsage);      // a run that is not there
  CHECK(ExitCodeOf(ErrorCode::kCorrupt) == ExitCode::kUnfinished);  // a store that is damaged
  CHECK(ExitCodeOf(ErrorCode::kIo) == ExitCode::kUnfinished);       // a disk that is full
}

TEST_CASE("--failed-exit-code stands for 3 alone") {
  CHECK(NumberOf(ExitCode::kMissed, {}) == 3);
  CHECK(NumberOf(ExitCode::kMissed, 100) == 100);
  for (const ExitCode other : {ExitCode::kDone, ExitCode::kUsage, ExitCode::kUnfinished,
                               ExitCode::kRegression, ExitCode::kBudget, ExitCode::kInterrupted}) {
    CHECK(NumberOf(other, 100) == static_cast<int>(other));
  }
}

}  // namespace assay
