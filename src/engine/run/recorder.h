// Writes the recording of --record: the replies that a run used, in the format that --replay reads
// (spec/exchange/replay.h).
#pragma once

#include <span>
#include <string>

#include "base/errors/result.h"
#include "store/store.h"

namespace assay {

// In plan order, then what summed the run up and what opened it; each exchange once, streamed. An existing
// file is replaced when the new one is complete.
Status RecordRun(Store& store, const std::string& run_id, const std::string& path,
                 const PromptClock& prompts);

// Answers that no store took, each once, into a new file.
Status RecordHeld(std::span<const Exchange> held, const std::string& name);

}  // namespace assay
