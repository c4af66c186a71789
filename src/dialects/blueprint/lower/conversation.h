// Checks the conversation of a prompt before a run (spec: blueprint 8.4), and converts it to turns.
#pragma once

#include <vector>

#include "base/errors/diagnostics.h"
#include "dialects/blueprint/lower/media.h"
#include "spec/suite/case.h"
#include "text/value.h"

namespace assay::blueprint {

// An error for everything that cannot be asked: no messages, a role that does not exist, texts that are empty
// or no texts, two turns of one speaker in a row, a conversation that does not start and end right.
void CheckConversation(const Value& prompt, Diagnostics& diagnostics);

// The turns of a checked prompt; an assistant turn whose content is null is generated, and so is the
// answer to the last user message, which is a turn of its own.
std::vector<Turn> ConversationTurns(const Value& prompt, MediaReader& media);

}  // namespace assay::blueprint
