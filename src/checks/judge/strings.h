// The sentences about judges in blueprint result files. They belong to the format (read by the tools of weval
// 51dc4d3, pinned by its golden files), so they must not be reworded.
#pragma once

#include <string>

#include <fmt/core.h>

namespace assay {

// `mean` is the rounded mean with two decimals.
inline std::string ConsensusSentence(std::size_t judges, const std::string& mean) {
  return fmt::format(
      "Consensus from {} judge(s). Average score: {}. See breakdown for individual reflections.", judges,
      mean);
}

inline std::string PartialConsensusSentence(std::size_t failed, std::size_t asked) {
  return fmt::format(
      "{} of {} judges failed to return a valid assessment. The backup judge was not used or also failed. "
      "The final score is based on a partial consensus.",
      failed, asked);
}

inline constexpr std::string_view kWarningPrefix = "\n\nWARNING: ";
inline constexpr std::string_view kBackupNote =
    "\n\nNOTE: Backup judge was used to supplement failed primary judges.";

}  // namespace assay
