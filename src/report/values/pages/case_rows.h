// The cases of a run as the rows of its map, and which of them hold some words (docs/formats/view.md: rows,
// find).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// {from, count, rows: [{id, title, tags, weight, checks, points}]}; ends beyond what there is are cut. Of
// many cases the tree would be several times the text.
std::string CaseRowsJson(const Suite& suite, CaseIndex from, CaseIndex to);
// The same, piece by piece.
void TellCaseRows(const Suite& suite, CaseIndex from, CaseIndex to,
                  const std::function<void(std::string_view piece)>& take);

// By id, the titles of the cases of which a page tells and whose ids were made of their texts.
Value TitlesValue(const Map& told, const Suite& suite);
// The same of the case and its neighbours.
Value TitlesAround(const Suite& suite, CaseIndex index);

// Ascending. Words, "tag:T", "check:KIND", "answer:WORD", parted by blanks; a word between quotes may hold
// some. Answers are looked at where the run has at most so many cells.
inline constexpr CellIndex kSearchedCellsMax = 20'000;
Result<std::vector<CaseIndex>> FindCases(const Report& report, std::string_view query);

}  // namespace assay
