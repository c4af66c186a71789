// What the first page of a run tells, as a JSON value: the run as `--json` has it, with its statistics, its
// verdict, whether it can be trusted, and what the map of its cells needs (docs/formats/view.md, run/ID).
#pragma once

#include <string>
#include <vector>

#include "base/errors/result.h"
#include "report/values/pages/page_facts.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

Result<Value> RunPageValue(const Report& report, const PageFacts& facts);

// How addresses of pages name the variants: by model and factors ("gpt-4o~0.8~A") where that tells them
// apart, else by id.
std::vector<std::string> VariantKeys(const Suite& suite);
// By its id or its key.
std::optional<VariantIndex> FindVariantByName(const Suite& suite, std::string_view name);

// [{about, text}]
Value VerdictValue(const Standings& standings);

}  // namespace assay
