// The stored form of a transcript, for runs whose answers a later program may not be able to replay from
// their exchanges. It holds what was said; the rest of a transcript (error, what its generator told) stands
// with the scores (EncodeScores).
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "spec/score/score.h"

namespace assay {

// Texts that stand in it twice are written once; a long one is compressed.
std::string EncodeTranscript(const Transcript& transcript);
// Puts what was said into `transcript`, and leaves its other members. On an error nothing has changed.
// kCorrupt: the writer cannot have written this; kUnsupported: a newer assay did.
Status DecodeTranscript(std::string_view bytes, Transcript& transcript);

}  // namespace assay
