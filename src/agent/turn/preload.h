// Collects material before the model's first request: opens the case's documents, reads web pages, and
// searches both for passages about the question.
// source: asky 0.4.15, spec research 9.2–9.4, 9.7.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/turn/turn_state.h"

namespace assay {

struct Preloaded {
  std::vector<std::string> blocks;   // of the first message, in order
  std::vector<std::string> notices;  // for people: documents that cannot be read
  bool has_corpus = false;
  bool answers_directly = false;  // the pages that the question names are here as a whole
  bool sums_up = false;
  std::optional<Error> error;  // why nothing can be asked
};
std::optional<Preloaded> Preload(TurnState& turn);

}  // namespace assay
