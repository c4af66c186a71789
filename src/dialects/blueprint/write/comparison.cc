// The comparison file: everything that a run said, in one JSON document.
#include "dialects/blueprint/write/frame.h"
#include "dialects/blueprint/write/similarities.h"

namespace assay::blueprint {
namespace {

using Order = std::vector<PointPlace>;

Status WriteHistories(const FileFrame& frame, JsonStream& json) {
  const auto history = [&](const Order&, const Pair& pair) { return HistoryOf(frame.suite, pair); };
  return WritePairMap(frame, {.key = "fullConversationHistories", .entry = history}, json);
}

}  // namespace

Status WriteAnswers(const FileFrame& frame, JsonStream& json) {
  const auto answer = [&](const Order&, const Pair& pair) -> Value { return AnswerOf(frame.suite, pair); };
  return WritePairMap(
      frame, {.key = "allFinalAssistantResponses", .ideals = PairMap::Ideals::kFirst, .entry = answer}, json);
}

Status WriteResults(const FileFrame& frame, JsonStream& json) {
  json.Key("evaluationResults");
  json.OpenMap();
  WriteMeanSimilarities(frame, json);
  ASSAY_CHECK_OK(WritePromptSimilarities(frame, json));
  if (frame.judges_coverage) {
    const auto entry = [&](const Order& order, const Pair& pair) {
      return CoverageEntry(frame.suite, order, pair);
    };
    ASSAY_CHECK_OK(
        WritePairMap(frame, {.key = "llmCoverageScores", .parts = CellParts::kScores, .entry = entry}, json));
  } else {
    json.Member("llmCoverageScores", Map());
  }
  json.Close();
  return json.status();
}

Status WriteComparison(const FileFrame& frame, const RunPaths& paths, Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(paths.folder + paths.stem + "_comparison.json"));
  JsonStream json(sink, JsonStyle::kJavaScript2);
  json.OpenMap();
  WriteHead(frame, paths, Detail(frame.suite.details, "config"), json);
  ASSAY_CHECK_OK(WriteAnswers(frame, json));
  ASSAY_CHECK_OK(WriteHistories(frame, json));
  ASSAY_CHECK_OK(WriteResults(frame, json));
  ASSAY_CHECK_OK(WriteTail(frame, json));
  json.Close();
  ASSAY_CHECK_OK(json.Finish());
  return sink.Close();
}

}  // namespace assay::blueprint
