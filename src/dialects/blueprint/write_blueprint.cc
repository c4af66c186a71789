// The blueprint row's `write`: all result files of a run.
#include "dialects/blueprint/blueprint.h"
#include "dialects/blueprint/write_files.h"
#include "dialects/blueprint/write_names.h"

namespace assay {

Status WriteBlueprint(const Report& report, Sink& sink) {
  const std::string timestamp = blueprint::SafeTimestamp(report.run.started_ms);
  const blueprint::RunPaths paths{.folder = blueprint::ResultFolder(report.suite->id) + "/",
                                  .timestamp = timestamp,
                                  .stem = blueprint::PathPart(report.run.run_label) + "_" + timestamp};
  const blueprint::FileFrame frame(report);
  ASSAY_CHECK_OK(blueprint::WriteCore(frame, paths, sink));
  ASSAY_CHECK_OK(blueprint::WriteArtefacts(frame, paths, sink));
  return blueprint::WriteComparison(frame, paths, sink);
}

}  // namespace assay
