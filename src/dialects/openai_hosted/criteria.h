// What the testing criteria of an exported eval become: points that call the checks of this dialect.
#pragma once

#include <string>
#include <string_view>

#include "dataset/problem.h"
#include "text/value.h"

namespace assay::hosted {

// A text with `{{item.x}}` and `{{sample.output_text}}` as parts: [{text}, {sample, path}]. `key` names it in
// messages.
Value PartsOf(const Value& given, std::string_view key, dataset::Problems& problems);
// The text of a message: a text, {type, text}, or a list of these with one text. Undefined after an error.
Value ContentOf(const Value& content, std::string_view key, dataset::Problems& problems);
// Complains of statements of a template language.
void RefuseStatements(const Value& text, std::string_view key, dataset::Problems& problems);

// The point; undefined after an error.
Value PointOf(const Value& criterion, dataset::Problems& problems);

}  // namespace assay::hosted
