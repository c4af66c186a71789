// What comparison and core files have in common: the members before and around the cells.
#pragma once

#include <functional>
#include <string_view>

#include "dialects/blueprint/write/files.h"
#include "text/json/stream.h"

namespace assay::blueprint {

// configId to extractedKeyPoints. `config` is the loaded config as this file shows it.
void WriteHead(const FileFrame& frame, const RunPaths& paths, const Value& config, JsonStream& json);
// A value that the run as a whole carries, or an empty map.
Value SuiteValueOrEmpty(const FileFrame& frame, const std::string& name);
// `errors`, only if an answer failed, and `executiveSummary`, only if there is one.
Status WriteTail(const FileFrame& frame, JsonStream& json);
// As the file has them: an id that is a number stays one, and sorts as its text.
List SortedPromptIds(const FileFrame& frame);
// The members allFinalAssistantResponses and evaluationResults.
Status WriteAnswers(const FileFrame& frame, JsonStream& json);
Status WriteResults(const FileFrame& frame, JsonStream& json);

// A member of the open map: prompt id -> model id -> what `entry` says of the pair, undefined for nothing.
struct PairMap {
  std::string_view key;
  enum class Ideals { kLeftOut, kFirst } ideals = Ideals::kLeftOut;
  enum class WhenEmpty { kWritten, kLeftOut } when_empty = WhenEmpty::kWritten;
  CellParts parts = CellParts::kShown;
  std::function<Value(const std::vector<PointPlace>& order, const Pair& pair)> entry;
};
Status WritePairMap(const FileFrame& frame, const PairMap& map, JsonStream& json);

}  // namespace assay::blueprint
