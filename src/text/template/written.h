// Values as they are written: a number keeps its digits ("0.50", "007"), where its source is known.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/errors/span.h"
#include "text/value.h"

namespace assay {

// Whether the text is a number of JSON, or one with zeros before it.
bool IsPlainNumber(std::string_view text);
// The value of such a text; nothing for others.
std::optional<double> PlainNumber(std::string_view text);

// The text of a text, number or boolean; nothing for others.
std::optional<std::string> WrittenText(const Value& value, const SourceFiles& sources);
// Compact JSON in which numbers stand as they are written.
std::string WrittenJson(const Value& value, const SourceFiles& sources);

}  // namespace assay
