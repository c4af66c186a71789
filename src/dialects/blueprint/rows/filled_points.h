// Criteria that rows fill in. Data is not code: a text of a row is words, and a mapping of a row calls no
// function that runs code or asks somebody.
#pragma once

#include <string>
#include <vector>

#include "base/errors/span.h"
#include "dataset/problem.h"
#include "text/value.h"

namespace assay::blueprint {

// Where a number belongs: a filled text that is one becomes it. Any other value stays.
void ReadFilledNumber(Value& value);

// Whether a member is code, which no row fills in.
bool IsCode(const Map& owner, const Member& member);

// Complains of functions in a list or mapping of a row that takes the place of a criterion.
void RefuseFunctions(const Value& taken, Span place, bool is_in_points, dataset::Problems& problems);

// Texts become numbers where a function counts, and numbers become texts where a criterion is words.
// `written`: the block before it was filled in.
void FinishPoints(const Value& written, const SourceFiles& sources, Value& block);

// Adds the texts of a block that the author wrote as calls: `$name`. The same text of a row is words.
void AddCalls(const Value& written, std::vector<std::string>& calls);

}  // namespace assay::blueprint
