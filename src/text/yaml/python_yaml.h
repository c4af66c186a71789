// Writes YAML as PyYAML 6's dump() does by default, byte for byte: block style, keys sorted, lines folded at
// 80 columns, everything beyond ASCII escaped.
#pragma once

#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

// One document: a mapping at the root, the rest as the kinds of the values say. Whole numbers of Python are
// kInt, floats kDouble; an undefined value is null; a Date without a time of day is a day.
std::string WritePythonYaml(const Map& document);
// Appends one member of the root mapping. Documents that are too large to be held are written member by
// member; the caller keeps the keys in the order of their code points.
void AppendPythonYamlMember(std::string_view key, const Value& value, std::string& out);

}  // namespace assay
