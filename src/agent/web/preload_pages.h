// Reads web pages before the model is asked: those that the question names, and others about the same matter.
// source: asky 0.4.15, spec research 9.7.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/turn/preload.h"

namespace assay {

// Adds blocks to `preloaded`, and says whether the pages that the question names are there as a whole.
std::optional<Waited> PreloadPages(TurnState& turn, Preloaded& preloaded);

}  // namespace assay
