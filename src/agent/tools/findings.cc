// The tools save_finding, query_research_memory and save_memory of the research agent: keep notes of the
// model and find them again, within one case.
#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/tool.h"
#include "corpus/index/embedder.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kTagsMax = 20;
constexpr std::int64_t kFindingsUsual = 10;
constexpr std::int64_t kFindingsMost = 50;

List TextList(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

Value FindingValue(const SavedFinding& finding, std::size_t number) {
  return Object{{"finding_id", static_cast<std::int64_t>(number)},
                {"finding", finding.text},
                {"source_url", finding.source_url},
                {"source_title", finding.source_title},
                {"tags", TextList(finding.tags)}};
}

}  // namespace

std::optional<Value> RunSaveFinding(TurnState& turn, const Value& arguments) {
  SavedFinding finding{.text = TextArgument(arguments, "finding"),
                       .source_url = TextArgument(arguments, "source_url"),
                       .source_title = TextArgument(arguments, "source_title"),
                       .tags = TextsArgument(arguments, "tags", kTagsMax)};
  if (finding.text.empty()) return ToolError("Say in finding what was found.");
  if (turn.findings.size() >= limits::kFindingsMax)
    return ToolError(fmt::format("There are {} findings already; that is the most.", limits::kFindingsMax));
  turn.findings.push_back(std::move(finding));
  return Object{{"status", "saved"},
                {"finding_id", static_cast<std::int64_t>(turn.findings.size())},
                {"embedded", true},
                {"note", "It is kept until this question is answered."}};
}

std::optional<Value> RunQueryResearchMemory(TurnState& turn, const Value& arguments) {
  const std::string query = TextArgument(arguments, "query");
  if (query.empty()) return ToolError("Say in query what to look for.");
  Map map;
  if (turn.findings.empty()) {
    Extend(map, {{"findings", List()}, {"note", "No finding was kept yet; save_finding keeps one."}});
    return map;
  }
  const Vector wanted = HashEmbedding(query);
  std::vector<std::pair<float, std::size_t>> ranked;
  for (std::size_t i = 0; i < turn.findings.size(); ++i)
    ranked.emplace_back(CosineOf(wanted, HashEmbedding(turn.findings[i].text)), i);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto most =
      static_cast<std::size_t>(CountArgument(arguments, "limit", kFindingsUsual, 1, kFindingsMost));
  ranked.resize(std::min(ranked.size(), most));
  List findings;
  for (const auto& [near, place] : ranked) findings.push_back(FindingValue(turn.findings[place], place + 1));
  Extend(map, {{"findings", std::move(findings)},
               {"count", static_cast<std::int64_t>(ranked.size())},
               {"search_type", "semantic"}});
  return map;
}

std::optional<Value> RunSaveMemory(TurnState& turn, const Value& arguments) {
  std::string memory = TextArgument(arguments, "memory");
  if (memory.empty()) return ToolError("Say in memory what to remember.");
  if (turn.memories.size() >= limits::kFindingsMax)
    return ToolError(fmt::format("There are {} memories already; that is the most.", limits::kFindingsMax));
  turn.memories.push_back(std::move(memory));
  return Object{{"status", "saved"},
                {"memory_id", static_cast<std::int64_t>(turn.memories.size())},
                {"note", "It is kept for this question; no other question sees it."}};
}

}  // namespace assay
