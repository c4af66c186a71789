// Writes the comparison file: the whole run in one JSON document.
#include "dialects/blueprint/kept_prompts.h"
#include "dialects/blueprint/write/frame.h"

namespace assay::blueprint {

Status WriteComparison(const FileFrame& frame, const FileSections& sections, const RunPaths& paths,
                       Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(paths.folder + paths.stem + "_comparison.json"));
  JsonStream json(sink, ComparisonStyle(frame));
  json.OpenMap();
  WriteHead(frame, paths, WritePrompt, json);
  json.Splice(sections.answers->text());
  json.Splice(sections.histories->text());
  WriteResults(frame, sections, json);
  WriteTail(frame, sections, json);
  json.Close();
  ASSAY_CHECK_OK(json.Finish());
  return sink.Close();
}

}  // namespace assay::blueprint
