// Forecast: counts what a run of a plan would ask, without asking. Every cell is walked over what the store
// and the recordings hold already; a reply that is not there is assumed, so that the questions which follow
// from it (further turns, judges) can be counted and sized too.
//
// Numbers of calls are exact where nothing is assumed, else a range: one reply to every question, and the
// bound of the plan. (Equal answers are judged by one call, which only a run can find out.) Tokens are
// estimates: four bytes of text make one, corrected by what the store has seen of the same model.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/errors/result.h"
#include "plan/plan.h"
#include "run/wire/router.h"
#include "store/store.h"

namespace assay {

class Corpus;

// What the store knows of the calls of one model in one role.
struct ObservedCalls {
  std::uint64_t calls = 0;
  double input_tokens = 0;
  double output_tokens = 0;
  double cached_read_share = 0;   // of the input tokens: found in the service's cache of prompts
  double cached_write_share = 0;  // of the input tokens: put there
  double text_bytes = 0;          // of the inputs that the tokens were counted for
  double duration_ms = 0;
};

struct CallKind {
  RequestRole role = RequestRole::kCandidate;
  std::string provider;
  std::string model;
  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};
using ObservedUsage = std::map<CallKind, ObservedCalls>;

// Of the newest exchanges that say what they used.
Result<ObservedUsage> ObserveUsage(Store& store);

struct TokenCount {
  double input = 0;  // all of it
  double output = 0;
  double cached_read = 0;   // of the input, as often as the store has seen it
  double cached_write = 0;  // the same
  double parts = 0;         // of the input: pictures, documents, sound, by a rule of thumb
};

struct ForecastLine {
  CallKind kind;
  std::uint64_t answered = 0;  // by the store or a recording: nothing is sent
  std::uint64_t least = 0;     // calls to send
  std::uint64_t most = 0;
  std::map<std::string, std::uint64_t> tiers = {};  // of the `least` calls: those that ask for a tier
  TokenCount expected;                              // of the `least` calls
  TokenCount worst;                                 // of the `most` calls, each answered at its full length
  bool is_observed = false;
  double call_ms = 0;  // observed mean, else kAssumedCallMs
};

inline constexpr double kAssumedCallMs = 3'000;
// By role, then provider and model. `store` may be null: nothing has been asked yet. `prompts`: the time that
// the run's prompts would tell, without which answers to such prompts are not found. `most`: of more cells
// only so many are walked, and the others are taken to need as much. `corpus`: the documents of the run,
// which answer here; null: none are read, and what follows from them is assumed.
Result<std::vector<ForecastLine>> ForecastRun(const Plan& plan, const Router& router, Store* store,
                                              EpochRange epochs, PromptClock prompts = {},
                                              CellIndex most = std::numeric_limits<CellIndex>::max(),
                                              const Corpus* corpus = nullptr);
struct AnsweredForecast {
  std::vector<ForecastLine> lines;
  // By cell the exchanges that answer it, as the store and the recordings have them; none where one is
  // missing.
  std::vector<std::vector<Exchange>> answers;
};
// In one walk over all cells.
Result<AnsweredForecast> ForecastAnswers(const Plan& plan, const Router& router, Store* store,
                                         EpochRange epochs);
// By the documents that a question to them may see: CorpusRequest::corpus of a run.
using CorpusDigests = std::map<std::vector<std::string>, std::string>;
// The requests of a cell that neither the store nor a recording answers, as far as they do not rest on
// replies that nobody has given. The store answers questions to documents by the run's digests.
Result<std::vector<PreparedRequest>> MissingRequests(const Plan& plan, const Router& router, Store* store,
                                                     EpochRange epochs, PromptClock prompts, CellIndex cell,
                                                     CorpusDigests digests = {});
// The i-th of the cells that are walked, in their order: one of each part of the run of equal size, at
// another place of each, so that no variant or attempt is met more often than others.
CellIndex SampledCell(CellIndex cells, CellIndex sampled, CellIndex i);

}  // namespace assay
