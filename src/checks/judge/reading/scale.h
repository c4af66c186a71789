// The scale of judges, and the tags between which a judge writes its verdict.
#pragma once

#include <span>
#include <string_view>

namespace assay {

struct JudgeClass {
  std::string_view name;  // "CLASS_EXACT"
  double score;
  std::string_view meaning;
};
std::span<const JudgeClass> JudgeScale();  // from worst to best, ten steps

// The class that a text names ("CLASS_EXACT", "exact"), whatever its case and with or without its prefix;
// null: none.
const JudgeClass* FindJudgeClass(std::string_view text);

inline constexpr std::string_view kClassPrefix = "CLASS_";  // of a class's name
inline constexpr std::string_view kReflectionOpen = "<reflection>";
inline constexpr std::string_view kReflectionClose = "</reflection>";
inline constexpr std::string_view kClassOpen = "<classification>";
inline constexpr std::string_view kClassClose = "</classification>";

}  // namespace assay
