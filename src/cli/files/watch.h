// Waits for a change of the files that a run was made of, by asking for their state a few times a second:
// that works on every file system, and with editors that replace a file by a new one.
#pragma once

#include <optional>
#include <string>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "cli/files/watched_files.h"

namespace assay {

// Waits until a file has changed and rests since (editors write in several steps). Nothing when a message
// came into `stop` first.
std::optional<std::string> WaitForChange(const WatchedFiles& files, Clock& clock, Inbox& stop);

}  // namespace assay
