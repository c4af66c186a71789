// What labels of humans say, in words: the scores that humans would give, or why labels do not say so.
#pragma once

#include <string>

#include "statistics/agreement/drawn_labels.h"

namespace assay {

// What a sentence knows beside the estimate.
struct LabelWords {
  std::string name = {};          // whose answers; "": all
  std::string draw_command = {};  // that draws labels which stand for all; "": none is named
  std::uint64_t labels = 0;       // of the file; several may be of equal answers, which are one unit
  bool has_copies = false;        // some unit stands more than once
  bool claims_draw = false;       // the file says that its labels were drawn
  bool is_of_points = false;      // labels of single points; else of whole answers
};

// "Humans would give 74 (95 %: 50 to 98), from 10 labels, if they were picked blindly; the judges gave 72;
// they show no bias." Labels that are not like the rest get no such estimate: "The judges gave the answers of
// these 16 labels a mean of 0, and all answers a mean of 65: …" Fewer labels than kLabelsForMoreThanAHint are
// marked as a hint.
std::string LabelSentence(const LabelWords& words, const DrawnEstimate& estimate);

}  // namespace assay
