// The messages of a prompt: its question as one of them, with examples and system prompts before it.
#pragma once

#include <cstddef>

#include "text/value.h"

namespace assay::blueprint {

// The prompt's own text: its question, or what the user says where that happens once. Undefined: nobody can
// tell.
Value OwnText(const Map& entry);
// Turns the question of filled members into `messages`, if it is not there as such: what belongs to it
// goes along.
void MakeMessages(Map& members);
// The messages with the examples before the first one that is no system prompt.
List WithShots(const List& messages, const List& shots);
// How many messages of system prompts stand at their start.
std::size_t SystemMessages(const List& messages);
// The message of a system prompt.
Value SystemMessage(Value text);

}  // namespace assay::blueprint
