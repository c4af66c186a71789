// Declares the writers of a blueprint run's result files and their paths. Source: spec blueprint 21.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "base/files/sink.h"
#include "dialects/blueprint/write/sections.h"

namespace assay::blueprint {

// Where the run's files lie, relative to the sink's root.
struct RunPaths {
  std::string folder;     // "live/blueprints/<id>/"
  std::string timestamp;  // "2026-11-21T20-40-51-442Z"
  std::string stem;       // "<label>_<timestamp>"
};

RunPaths PathsOf(const Report& report);

// `<stem>_comparison.json`: the whole run, as ComparisonStyle says, no line break at the end.
Status WriteComparison(const FileFrame& frame, const FileSections& sections, const RunPaths& paths,
                       Sink& sink);
// `<stem>/core.json`: compact, without texts.
Status WriteCore(const FileFrame& frame, const FileSections& sections, const RunPaths& paths,
                 Sink& sink);
// `<stem>/responses/`, `coverage/`, `histories/`: one file per pair and part. A run with more than
// limits::kArtefactPairsMax pairs gets `<stem>/NOTE.txt` instead, which says so.
Status WriteArtefacts(const FileFrame& frame, const RunPaths& paths, Sink& sink);
// What `--demo-stdout` prints: answers and scores on one line, into the open sink.
Status WritePayload(const FileFrame& frame, const FileSections& sections, const RunPaths& paths,
                    Sink& sink);
// What summary.json is told of the run: the parts of the comparison file that statistics read.
Result<Value> ScoresDocument(const FileFrame& frame, const RunPaths& paths);

}  // namespace assay::blueprint
