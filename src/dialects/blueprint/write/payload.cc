// Writes the run as one line on standard output (--demo-stdout), for programs that call assay.
#include "dialects/blueprint/write/frame.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {

Status WritePayload(const FileFrame& frame, const FileSections& sections, const RunPaths& paths, Sink& sink) {
  JsonStream json(sink, JsonStyle::kJavaScript);
  json.OpenMap();
  json.Member("configId", frame.suite.id);
  json.Member("configTitle", frame.suite.title);
  json.Member("runLabel", frame.report.run.run_label);
  json.Member("timestamp", paths.timestamp);
  json.Member("evalMethodsUsed", Detail(frame.suite.details, "evalMethodsUsed"));
  WritePromptIds(frame, json);
  json.Splice(sections.answers->text());
  WriteResults(frame, sections, json);
  WriteTail(frame, sections, json);
  json.Close();
  return json.Finish();
}

}  // namespace assay::blueprint
