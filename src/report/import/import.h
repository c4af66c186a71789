// ImportRow: a reader that turns result files of one other tool into reports; one row each in import.cc.
// Tables, comparisons and exporters treat what is read like any other run; nothing of it enters the store.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/byte_source.h"
#include "base/files/file_reader.h"

namespace assay {

// A file of results, which is read piece by piece.
using SharedBytes = std::shared_ptr<const ByteSource>;

// Which file is read, and which part of it.
struct ImportAsk {
  std::string_view name;       // of the file, for variants that it does not name
  std::string_view part = {};  // of FILE#PART; "": whatever comes first
};

struct ImportedRun;  // imported_run.h

struct ImportRow {
  std::string_view name;                  // "inspect"
  std::string_view help;                  // one line for `assay list importers`
  bool (*is_own)(std::string_view head);  // the file's first limits::kImportedHeadBytes
  // kInvalidInput, kCorrupt: what is wrong with the file. kLimit: it takes too much memory.
  Result<std::shared_ptr<const ImportedRun>> (*read)(const SharedBytes& bytes, const ImportAsk& ask);
};
std::span<const ImportRow> ImportTable();

// A folder of answers that nobody has scored: one with params.yaml (docs/infibench.md), or of texts, a file
// each case; or with a folder of texts for each model. kInvalidInput: there are none.
Result<std::shared_ptr<const ImportedRun>> ReadAnswersFolder(FileReader& files, const std::string& folder);

// The reader of a file that begins with these bytes; null: nobody knows it.
const ImportRow* FindImport(std::string_view head);
// By its first bytes; kInvalidInput: nobody knows it. The ask's name is the path that it came from.
Result<std::shared_ptr<const ImportedRun>> ImportRun(const SharedBytes& bytes, const ImportAsk& ask);
// The same of bytes in memory, which stay with the caller.
Result<std::shared_ptr<const ImportedRun>> ImportRun(std::string_view bytes, const ImportAsk& ask);

Result<std::shared_ptr<const ImportedRun>> ReadInspectLog(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadInspectJson(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadPromptfooResults(const SharedBytes& bytes,
                                                                const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadLmEvalSamples(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadOwnLines(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadComparison(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadResearchRows(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadInfibenchFile(const SharedBytes& bytes, const ImportAsk& ask);

// The files of rows in the folder of a research session, or of one of its runs; none if it is no such folder.
std::vector<std::string> ResearchRowFiles(FileReader& files, const std::string& folder);
Result<std::shared_ptr<const ImportedRun>> ReadResearchFolder(FileReader& files, const std::string& folder,
                                                              const std::vector<std::string>& paths);

}  // namespace assay
