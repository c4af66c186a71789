// StepLink: which exchanges a step of a cell used, and what kind of step it was; stored with the cell, so
// that a run is read without lowering its suite again.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/exchange/exchange.h"
#include "spec/ids.h"

namespace assay {

// Persisted: do not renumber.
enum class LinkKind : std::uint8_t {
  kAnswer = 0,       // the step that answers
  kAsk = 1,          // what the row of a check asked
  kEmbedAnswer = 2,  // the embedding of the answer
  kEmbedIdeal = 3,   // the embedding of the case's ideal
};
inline constexpr LinkKind kLastLinkKind = LinkKind::kEmbedIdeal;

struct StepLink {
  LinkKind kind = LinkKind::kAnswer;
  RequestRole role = RequestRole::kCandidate;  // what the step asks for
  CheckIndex check = 0;                        // kAsk: of the case's checks; behind them: of all its scores
  std::vector<ExchangeId> exchanges = {};      // in the order of its rounds
};

}  // namespace assay
