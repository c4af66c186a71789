// NameThread: the name under which tools that look at a process (top -H, bench/goals.py) show a thread.
#pragma once

#include <pthread.h>

namespace assay {

// At most 15 bytes; of the calling thread.
inline void NameThread(const char* name) { pthread_setname_np(pthread_self(), name); }

}  // namespace assay
