// AwakeTime: time that goes on while the machine sleeps, for whoever has to know how long others heard
// nothing.
#pragma once

#include "base/clock.h"

namespace assay {

TimePoint AwakeTime();

}  // namespace assay
