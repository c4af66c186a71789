// Reads one test.
#pragma once

#include <optional>
#include <string>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/read/context.h"

namespace assay::promptfoo {

// The test that the value is, of a file in `folder`. `is_part`: it may be empty. Nothing after an error.
std::optional<Test> ReadOneTest(const ReadContext& context, const Value& value, const std::string& folder,
                                bool is_part);

// Names the code that a test needs.
void NoteCode(const ReadContext& context, const Test& test);

}  // namespace assay::promptfoo
