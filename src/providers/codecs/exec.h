// The line protocol assay-exec/1 (docs/formats/assay-exec.md), as io/exec needs it to talk to programs. Pure.
#pragma once

#include "base/wire/line_protocol.h"

namespace assay {

const LineProtocol& ExecProtocol();

}  // namespace assay
