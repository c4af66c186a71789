// The table of sentences that belong to the format of result files.
#include "dialects/blueprint/write/sentences.h"

#include <fmt/core.h>

#include "text/javascript/number.h"

namespace assay::blueprint {
namespace {

constexpr std::string_view kErrorOpen = "<<error>>";
constexpr std::string_view kErrorClose = "<</error>>";

}  // namespace

bool IsMarkedAsError(const Transcript& transcript) {
  return transcript.answer.find(kErrorOpen) != std::string::npos;
}

ErrorMarker AnswerErrorMarker() {
  return {.open = std::string(kErrorOpen),
          .close = std::string(kErrorClose),
          .fallback = "Response contains error markers."};
}

std::string FunctionReflection(std::string_view function, double value) {
  return fmt::format("Function '{}' evaluated to {}.", function, JsToFixed(value, 2));
}

bool IsBrokenFunction(std::string_view error) {
  return error.starts_with("Unknown point function: ") ||
         error.starts_with("Error executing point function ");
}

std::string BrokenFunctionReflection(std::string_view error) { return fmt::format("Error: {}", error); }

std::string ConsensusReflection(const ConsensusSentence& sentence) {
  std::string text = fmt::format(
      "{}Consensus from {} judge(s). Average score: {}. See breakdown for individual reflections.",
      sentence.inverted ? "[INVERTED] " : "", sentence.votes, JsToFixed(sentence.mean, 2));
  if (const std::string error = PartialConsensusError(sentence); !error.empty()) {
    text += "\n\nWARNING: " + error;
  } else if (sentence.backup_used) {
    text += "\n\nNOTE: Backup judge was used to supplement failed primary judges.";
  }
  return text;
}

std::string PartialConsensusError(const ConsensusSentence& sentence) {
  if (sentence.backup_used || sentence.votes >= sentence.judges_asked) return "";
  return fmt::format(
      "{} of {} judges failed to return a valid assessment. The backup judge was not used or also failed. "
      "The final score is based on a partial consensus.",
      sentence.judges_asked - sentence.votes, sentence.judges_asked);
}

std::string GenerationFailure(const Transcript& transcript, std::string_view variant_id) {
  // Its own message stands alone.
  if (IsMarkedAsError(transcript)) return transcript.error;
  return fmt::format("Failed to get response for {}: {}", variant_id, transcript.error);
}

std::string FailedAnswerText(const Transcript& transcript, std::string_view variant_id) {
  if (IsMarkedAsError(transcript)) return transcript.answer;
  return fmt::format("{}{}{}", kErrorOpen, GenerationFailure(transcript, variant_id), kErrorClose);
}

std::string CoverageFailure(std::string_view generation_failure) {
  return fmt::format("Generation failed: {}", generation_failure);
}

}  // namespace assay::blueprint
