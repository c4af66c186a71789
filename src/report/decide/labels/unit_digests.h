// Digests of what a label is of: the criterion, the question and the answer of a cell. Equal content has
// equal digests, in every run.
#pragma once

#include <string>

#include "spec/report/report.h"

namespace assay {

// All are SHA-256 as 64 lower-case hex digits.

// Of the kind, the text or the arguments, and the inversion; not of weights and paths.
std::string CriterionDigest(const Check& check);
// Of the system prompt, the turns and the media that were sent; of a cell without words what its case asks.
std::string QuestionDigest(const Suite& suite, const Cell& cell);
// Of the words that are graded. A cell without any words is like no other.
std::string AnswerDigest(const Suite& suite, const Cell& cell);

// What was asked, for people: "system: …", "user: …", a blank line between turns.
std::string QuestionText(const Suite& suite, const Cell& cell);

}  // namespace assay
