# cmake -DSOURCE=folder -DOUTPUT=file.cc -DLIBRARIES="name version, ..." -P commit.cmake
# Writes a source file that says which commit is built and with which libraries; touched only where it changes.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[// Generated. Do not edit.
#include "cli/built.h"

namespace assay {

const std::string_view kBuiltCommit = "@commit@";
const std::string_view kBuiltLibraries = "@LIBRARIES@";

}  // namespace assay
]])
