// Stores the prompts of a blueprint's config in the Suite until its files are written: as JSON texts where
// there are many, since trees would take most of a large suite's memory.
#pragma once

#include <span>
#include <string_view>

#include "text/json/stream.h"
#include "text/value.h"

namespace assay::blueprint {

// From so many prompts on they are kept as texts.
inline constexpr std::size_t kKeptAsTextFrom = 2'000;

// `prompt` as text, with keyed headers and URLs in place of its own; unchanged where the text would not read
// back as the same value, and where its id is no text.
Value KeptPrompt(Value prompt);
// The prompt again.
Value PromptOf(const Value& kept);
// The prompt, and those of its members that are there, in this order, written without a tree where it is kept
// as text.
void WritePrompt(const Value& kept, JsonStream& json);
void WritePromptMembers(const Value& kept, std::span<const std::string_view> keys, JsonStream& json);
// One member under the name `as`; nothing if it is not there.
void WritePromptMember(const Value& kept, std::string_view key, std::string_view as, JsonStream& json);

}  // namespace assay::blueprint
