// ToolRow: a tool of the research agent, its name, parameters, when it is offered, and its function. Each
// tool is defined in tools/ and has one row in tool_table.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "agent/turn/turn_state.h"

namespace assay {

// What a tool looks at: where it is of no use, it is not offered.
enum class ToolReach {
  kCase,   // the case's own documents, findings and memories
  kWeb,    // pages
  kLinks,  // pages behind pages: of no use once the sources are at hand
};

enum class ParameterKind { kText, kTexts, kCount, kNumber, kSwitch };

struct ToolParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::kText;
  std::string_view about;
  bool is_required = false;
  std::string_view usual = "";  // JSON of what it is where nobody says it; "": nothing
};

struct ToolRow {
  std::string_view name;
  std::string_view description;  // what models and `assay list tools` are told: one sentence
  std::span<const ToolParameter> parameters;
  ToolReach reach = ToolReach::kCase;
  bool in_research = false;
  bool in_standard = false;
  // Nothing: it waits for a reply. `arguments` is a map, but else whatever a model wrote.
  std::optional<Value> (*run)(TurnState& turn, const Value& arguments) = nullptr;
};

// In the order in which they are offered.
std::span<const ToolRow> ToolTable();
// As a model is offered it: its parameters as a JSON Schema.
ToolSpec SpecOf(const ToolRow& row);

// tools/*.cc
std::optional<Value> RunWebSearch(TurnState& turn, const Value& arguments);
std::optional<Value> RunExtractLinks(TurnState& turn, const Value& arguments);
std::optional<Value> RunGetLinkSummaries(TurnState& turn, const Value& arguments);
std::optional<Value> RunGetUrlContent(TurnState& turn, const Value& arguments);
std::optional<Value> RunGetUrlDetails(TurnState& turn, const Value& arguments);
std::optional<Value> RunGetRelevantContent(TurnState& turn, const Value& arguments);
std::optional<Value> RunGetFullContent(TurnState& turn, const Value& arguments);
std::optional<Value> RunSaveFinding(TurnState& turn, const Value& arguments);
std::optional<Value> RunQueryResearchMemory(TurnState& turn, const Value& arguments);
std::optional<Value> RunSaveMemory(TurnState& turn, const Value& arguments);
std::optional<Value> RunListDir(TurnState& turn, const Value& arguments);
std::optional<Value> RunGrepSearch(TurnState& turn, const Value& arguments);

}  // namespace assay
