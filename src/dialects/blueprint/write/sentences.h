// The sentences that belong to the format of result files: tools that read the files look for them, golden
// files pin them. Assay itself shows none of them to people.
#pragma once

#include <string>
#include <string_view>

#include "spec/score/score.h"
#include "spec/suite/suite_rules.h"

namespace assay::blueprint {

// The id under which an ideal answer stands among the models' answers.
inline constexpr std::string_view kIdealBenchmark = "IDEAL_BENCHMARK";

// How an answer says itself that it is an error, and whether one did: nothing failed then.
ErrorMarker AnswerErrorMarker();
bool IsMarkedAsError(const Transcript& transcript);

// `value` after inversion.
std::string FunctionReflection(std::string_view function, double value);

// Whether the error of a function means that it could not be called at all, and what is said of that.
bool IsBrokenFunction(std::string_view error);
std::string BrokenFunctionReflection(std::string_view error);

// What a consensus says of itself. `votes` judges gave `mean` before inversion.
struct ConsensusSentence {
  std::size_t judges_asked = 0;  // without the backup
  std::size_t votes = 0;         // with the backup's
  double mean = 0;
  bool backup_used = false;
  bool inverted = false;
};
std::string ConsensusReflection(const ConsensusSentence& sentence);
// The error that a partial consensus carries besides its score; "" if it is not partial.
std::string PartialConsensusError(const ConsensusSentence& sentence);

// How a failed generation stands in the files: as the message, as the answer's text, as the coverage entry's
// error.
std::string GenerationFailure(const Transcript& transcript, std::string_view variant_id);
std::string FailedAnswerText(const Transcript& transcript, std::string_view variant_id);
std::string CoverageFailure(std::string_view generation_failure);

}  // namespace assay::blueprint
