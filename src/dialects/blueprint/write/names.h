// File names of a run's result files. Ids come from suites, so they are made safe: none leaves its folder or
// collides with another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::blueprint {

// "2026-11-21T20-40-51-442Z": UTC, as result files are stamped. `ms` counts from 1970.
std::string SafeTimestamp(std::int64_t ms);

// The folder of a blueprint's result files, and that of its summary.json: the same but for "_pr_12_name",
// which is summarised in "live/pr-evals/12/name".
std::string ResultFolder(std::string_view suite_id);
std::string SummaryFolder(std::string_view suite_id);

// An id as one part of a path. Plain ids stay as they are. What the original would let escape or collide
// ('/', '\\', control characters, "." and "..", a trailing ".json", more than 150 bytes) is replaced by '_'
// and marked with a hash of the id: the one deviation from its names.
std::string PathPart(std::string_view id);

// The original's file names of effective models: each of `: / \ ? # % [ ]` becomes '_'; PathPart's rules on
// top. Equal names get the hash of their id, all but the first.
std::vector<std::string> VariantFileNames(const std::vector<std::string>& ids);

}  // namespace assay::blueprint
