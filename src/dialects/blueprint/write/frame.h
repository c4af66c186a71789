// Writes the parts that comparison file and core file share: the members before and after those about single
// cells.
#pragma once

#include <string>

#include "dialects/blueprint/write/files.h"
#include "dialects/blueprint/write/sections.h"
#include "text/json/stream.h"

namespace assay::blueprint {

// Writes a prompt of the loaded config, as the suite keeps it, as a file shows it.
using ShownPrompt = void (*)(const Value& kept, JsonStream& json);
// configId to extractedKeyPoints.
void WriteHead(const FileFrame& frame, const RunPaths& paths, ShownPrompt shown, JsonStream& json);
// The member executiveSummary, or an empty map.
Value ExecutiveSummary(const FileFrame& frame);
// As the suite's own file has it: an id that is a number stays one.
Value PromptIdInFile(const FileFrame& frame, CaseIndex index);
// The member promptIds: sorted, a number as its text is.
void WritePromptIds(const FileFrame& frame, JsonStream& json);
// The member evaluationResults.
void WriteResults(const FileFrame& frame, const FileSections& sections, JsonStream& json);
// `errors`, only if an answer failed, and `executiveSummary`, only if there is one.
void WriteTail(const FileFrame& frame, const FileSections& sections, JsonStream& json);

}  // namespace assay::blueprint
