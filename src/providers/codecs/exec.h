// The lines of assay-exec/1, for whoever talks to the programs. Pure.
#pragma once

#include "base/wire/line_protocol.h"

namespace assay {

const LineProtocol& ExecProtocol();

}  // namespace assay
