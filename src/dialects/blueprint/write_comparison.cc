// The comparison file: everything that a run said, in one JSON document.
#include "dialects/blueprint/write_frame.h"

namespace assay::blueprint {
namespace {

Status WriteCells(const FileFrame& frame, JsonStream& json) {
  using Order = std::vector<PointPlace>;
  const Suite& suite = frame.suite;
  ASSAY_CHECK_OK(
      WritePairMap(frame,
                   {.key = "allFinalAssistantResponses",
                    .ideals = PairMap::Ideals::kFirst,
                    .entry = [&](const Order&, const Pair& pair) -> Value { return AnswerOf(suite, pair); }},
                   json));
  ASSAY_CHECK_OK(
      WritePairMap(frame,
                   {.key = "fullConversationHistories",
                    .entry = [&](const Order&, const Pair& pair) -> Value { return HistoryOf(suite, pair); }},
                   json));
  json.Key("evaluationResults");
  json.OpenMap();
  json.Member("similarityMatrix", SuiteValueOrEmpty(frame, "similarityMatrix"));
  json.Member("perPromptSimilarities", SuiteValueOrEmpty(frame, "perPromptSimilarities"));
  if (frame.judges_coverage) {
    ASSAY_CHECK_OK(WritePairMap(
        frame,
        {.key = "llmCoverageScores",
         .parts = CellParts::kScores,
         .entry = [&](const Order& order, const Pair& pair) { return CoverageEntry(suite, order, pair); }},
        json));
  } else {
    json.Member("llmCoverageScores", Map());
  }
  json.Close();
  return WriteTail(frame, json);
}

}  // namespace

Status WriteComparison(const FileFrame& frame, const RunPaths& paths, Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(paths.folder + paths.stem + "_comparison.json"));
  JsonStream json(sink, JsonStyle::kJavaScript2);
  json.OpenMap();
  WriteHead(frame, paths, Detail(frame.suite.details, "config"), json);
  ASSAY_CHECK_OK(WriteCells(frame, json));
  json.Close();
  ASSAY_CHECK_OK(json.Finish());
  return sink.Close();
}

}  // namespace assay::blueprint
