// SqliteStore: the texts of the documents that runs searched, each once.
#include "store/packed/packed_document.h"
#include "store/sqlite/sqlite_store.h"

namespace assay {

Status SqliteStore::SaveDocuments(const std::string& run_id, std::span<const RunDocument> documents) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  return database_.InTransaction([&] { return WriteDocuments(database_, run.cells_of, documents); });
}

Result<std::optional<RunDocument>> SqliteStore::DocumentOf(const std::string& run_id, std::string_view id) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  return ReadDocument(database_, run.cells_of, id);
}

}  // namespace assay
