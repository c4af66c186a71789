// Opens result files of other tools and folders of answers: as runs to show and compare, and as recorded
// answers that are graded again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/errors/result.h"
#include "report/import/import.h"
#include "spec/exchange/recording.h"

namespace assay {

// The results in a file, or the answers in a folder, if the name is that of one; nothing else. A folder is
// one where its name ends in a slash or it holds params.yaml.
// Files of a folder are read below it, links followed, and below what the user allows besides. `part`:
// ImportAsk::part.
Result<std::shared_ptr<const ImportedRun>> RunOfFile(const std::string& name,
                                                     const std::vector<std::string>& allowed_paths,
                                                     std::string_view part = {});

// FILE#PART in its two halves; a name that is that of a file or folder, or of neither, has no part.
struct FilePart {
  std::string file;
  std::string part;
};
FilePart FilePartOf(const std::string& name);

// The results in FILE or FILE#PART. kNotFound: the file has no such part, and which it has.
Result<std::shared_ptr<const ImportedRun>> RunOfFilePart(const std::string& name,
                                                         const std::vector<std::string>& allowed_paths);

// Lets the answers that are recorded at `path` be those of `suite`: their variants take the place of its own.
// A case is found by its id, else by its turns; those without an answer are not asked. Whoever judges is
// asked as ever. Answers to cases that the suite does not list are told, where the suite is whole,
// and cases that have changed since, where the file says what they were.
Recording AnswersFor(Suite& suite, std::shared_ptr<const ImportedRun> run, const std::string& path,
                     bool is_whole, const SourceFiles& sources, Diagnostics& diagnostics);

}  // namespace assay
