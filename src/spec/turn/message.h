// Message: one turn of a conversation as it is sent and as it comes back, with the calls of tools in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/suite/media.h"

namespace assay {

enum class Role { kSystem, kUser, kAssistant, kTool };
std::string_view RoleName(Role role);  // "system", "user", "assistant", "tool"

// A call of a tool, as a model or a program under test makes it.
struct ToolCall {
  std::string id;  // "" if nobody gave one
  std::string name;
  std::string arguments;  // JSON, as it was written; "" if there are none
  // What its service wants to see again beside the call, in a form that only the codec reads; "": nothing.
  // Turns that this does not say whole have Message::parts.
  std::string seal = {};
  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct Message {
  Role role = Role::kUser;
  std::string text;
  std::vector<ToolCall> calls = {};  // kAssistant: what it asked tools for
  std::string call_id = {};          // kTool: which call the text answers
  // kAssistant: the turn as its service gave it, in JSON that only the codec reads, which goes back as it
  // came; "": text and calls say all of it.
  std::string parts = {};
  std::vector<MediaPart> media = {};  // kUser: what is sent before the text, in this order
  friend bool operator==(const Message&, const Message&) = default;
};

}  // namespace assay
