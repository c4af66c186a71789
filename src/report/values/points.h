// The points of an answer as JSON values: what each check asked for, what came of it, and who voted how
// (docs/cli.md, `points`; docs/formats/jsonl.md).
#pragma once

#include <string>

#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

struct Case;   // spec/suite/case.h
struct Check;  // spec/suite/check.h

// The case whose checks the scores of the cell are; `extracted` holds it where they come from key points.
const Case& CheckedCase(const Suite& suite, const Cell& cell, Case& extracted);
// A citation as people wrote it: a text, or {title | name, url}; "" if there is none.
std::string CitationText(const Value& citation);

// {kind, text, not, weight, state, score, max, reason, error, votes} of one check.
Map PointMap(const Check& check, const Score& score);
// The same of each check of a cell.
Value PointsValue(const Suite& suite, const Cell& cell);
// The same of one check with its items and its citation.
Map PointInFull(const Check& check, const Score& score);

}  // namespace assay
