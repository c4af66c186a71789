// The writing functions of the blueprint row in dialects/table.cc: all result files of a run, its payload,
// and its entry in summary.json.
#include <fmt/core.h>

#include <array>

#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/summary/request.h"
#include "dialects/blueprint/write/files.h"
#include "dialects/blueprint/write/names.h"
#include "dialects/blueprint/write/run_statistics.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace blueprint {

namespace {

// What is written, as a text.
class TextSink final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    text += bytes;
    return Ok();
  }
  Status Close() override { return Ok(); }

  std::string text;
};

}  // namespace

RunPaths PathsOf(const Report& report) {
  const std::string timestamp = SafeTimestamp(report.run.started_ms);
  return {.folder = ResultFolder(report.suite->id) + "/",
          .timestamp = timestamp,
          .stem = PathPart(report.run.run_label) + "_" + timestamp};
}

}  // namespace blueprint

Status WriteBlueprint(const Report& report, Sink& sink) {
  const blueprint::RunPaths paths = blueprint::PathsOf(report);
  blueprint::FileFrame frame(report);
  blueprint::FileSections comparison;
  blueprint::FileSections core;
  blueprint::MakeComparisonSections(frame, comparison);
  blueprint::MakeCoreSections(frame, core);
  const std::array files{&comparison, &core};
  ASSAY_CHECK_OK(blueprint::FillSections(frame, files));
  ASSAY_CHECK_OK(blueprint::WriteCore(frame, core, paths, sink));
  return blueprint::WriteComparison(frame, comparison, paths, sink);
}

Status WriteBlueprintArtefacts(const Report& report, Sink& sink) {
  return blueprint::WriteArtefacts(blueprint::FileFrame(report), blueprint::PathsOf(report), sink);
}

Result<std::string> BlueprintPayload(const Report& report) {
  blueprint::TextSink sink;
  blueprint::FileFrame frame(report);
  blueprint::FileSections sections;
  blueprint::MakePayloadSections(frame, sections);
  const std::array files{&sections};
  ASSAY_CHECK_OK(blueprint::FillSections(frame, files));
  ASSAY_CHECK_OK(blueprint::WritePayload(frame, sections, blueprint::PathsOf(report), sink));
  return std::move(sink.text);
}

Result<Suite> BlueprintClosing(const Report& report) { return blueprint::SummarySuite(report); }

void AddBlueprintClosing(const ClosingAnswer& answer, Report& report) {
  report.closing = blueprint::ReadClosing(report, answer);
}

std::string BlueprintIndexPath(const Suite& suite) {
  return blueprint::SummaryFolder(suite.id) + "/summary.json";
}

Result<std::string> AddToBlueprintIndex(const Report& report, std::string_view existing,
                                        std::vector<std::string>&) {
  Value before;
  if (!existing.empty()) {
    ASSAY_TRY(before, ParseJson(existing));
    if (!before.is_map()) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("expected a JSON object in {}, found {}", BlueprintIndexPath(*report.suite),
                               KindName(before))};
    }
  }
  const blueprint::FileFrame frame(report);
  ASSAY_TRY(const Value document, blueprint::ScoresDocument(frame, blueprint::PathsOf(report)));
  return WriteJson(blueprint::AddToSummary(before, document), JsonStyle::kJavaScript2);
}

}  // namespace assay
