// How key points are extracted from ideals: the approach of an extractor (Suite::extractors), as judges have
// theirs. One without an approach is asked where there is an answer to judge, and points without a text are
// dropped.
#pragma once

#include <string_view>

#include "spec/suite/variant.h"

namespace assay {

// Asked before any answer is looked at, so that an attempt without an answer has key points too; what is
// between the tags is a point, even where nothing is.
inline constexpr std::string_view kBeforeAnswers = "before-answers";

inline bool IsBeforeAnswers(const Judge& extractor) { return extractor.approach == kBeforeAnswers; }

}  // namespace assay
