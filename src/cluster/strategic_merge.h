// Kubernetes' strategic merge of a Job: maps are merged, lists of what has names are merged by these, other
// lists are replaced.
#pragma once

#include <string>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {

// Merges `patch` into `target`. Knows `$patch: delete` and `$patch: replace`; other directives are errors
// ("cluster.patch"), with their places.
void MergeStrategically(Value& target, const Value& patch, Diagnostics& diagnostics);

// Block style, each text in double quotes.
std::string WriteYaml(const Value& value);

// In double quotes, as YAML and JSON read it alike.
std::string QuotedYaml(std::string_view text);

}  // namespace assay
