// SqliteStore: the texts of the documents that runs searched, each once.
#include <algorithm>

#include "store/column_fields.h"
#include "store/packed_document.h"
#include "store/sqlite/sqlite_store.h"

namespace assay {

Status SqliteStore::SaveDocuments(const std::string& run_id, std::span<const RunDocument> documents) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  ASSAY_CHECK_OK(database_.Execute("BEGIN IMMEDIATE"));
  Status written = WriteDocuments(run.cells_of, documents);
  if (written) written = database_.Execute("COMMIT");
  if (written) return Ok();
  // The transaction may be gone already; what matters is that none of it stays.
  static_cast<void>(database_.Execute("ROLLBACK").has_value());
  return written;
}

Status SqliteStore::WriteDocuments(std::int64_t run, std::span<const RunDocument> documents) {
  ASSAY_TRY(SqliteStatement find, database_.Prepare("SELECT 1 FROM document WHERE digest = ?1"));
  ASSAY_TRY(SqliteStatement insert, database_.Prepare("INSERT INTO document VALUES(?1,?2,?3)"));
  ASSAY_TRY(SqliteStatement use, database_.Prepare("INSERT OR IGNORE INTO document_use VALUES(?1,?2,?3,?4)"));
  for (const RunDocument& document : documents) {
    use.Bind(1, run).Bind(2, std::string_view(document.id)).BindNull(3);
    use.Bind(4, std::string_view(document.problem));
    const DocumentKey key = KeyOf(document);
    if (document.problem.empty()) {
      find.BindBlob(1, BytesOf(key.digest));
      ASSAY_TRY(const bool is_there, find.Step());
      find.Reset();
      if (!is_there) {
        const std::string frame = PackText(document.text);
        insert.BindBlob(1, BytesOf(key.digest)).BindBlob(2, key.pages).BindBlob(3, frame);
        ASSAY_CHECK_OK(insert.Run());
      }
      use.BindBlob(3, BytesOf(key.digest));
    }
    ASSAY_CHECK_OK(use.Run());
  }
  return Ok();
}

Result<std::optional<RunDocument>> SqliteStore::DocumentOf(const std::string& run_id, std::string_view id) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  if (version_ < kMarksVersion) return std::optional<RunDocument>();
  ASSAY_TRY(
      SqliteStatement select,
      database_.Prepare("SELECT problem, pages, frame FROM document_use AS u LEFT JOIN document AS d ON "
                        "d.digest = u.digest WHERE run = ?1 AND id = ?2"));
  select.Bind(1, run.cells_of).Bind(2, id);
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return std::optional<RunDocument>();
  RunDocument document{.id = std::string(id), .problem = std::string(select.Text(0))};
  if (!select.IsNull(2)) ASSAY_CHECK_OK(UnpackDocument(select.Text(1), select.Text(2), document));
  return std::optional(std::move(document));
}

}  // namespace assay
