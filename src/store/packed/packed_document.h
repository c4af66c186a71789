// The text of a document as the store keeps it: once by its digest, compressed, with the places of its pages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/errors/result.h"
#include "base/hash.h"
#include "store/column_fields.h"
#include "store/store.h"

namespace assay {

// Where pages begin, as the store keeps it (EncodeNumbers), and the SHA-256 of that and the text.
struct DocumentKey {
  Digest digest{};
  std::string pages;
};
DocumentKey KeyOf(const RunDocument& document);
std::string PackText(std::string_view text);
// kCorrupt: the writer cannot have written this.
Status UnpackDocument(std::string_view pages, std::string_view frame, RunDocument& document);

// Writes the documents of the run with this number, inside a transaction of the caller's: the text of each
// digest once. `Database` is a kind of store's own.
template <class Database>
Status WriteDocuments(Database& database, std::int64_t run, std::span<const RunDocument> documents) {
  ASSAY_TRY(auto find, database.Prepare("SELECT 1 FROM document WHERE digest = ?1"));
  ASSAY_TRY(auto insert, database.Prepare("INSERT INTO document VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING"));
  ASSAY_TRY(auto use,
            database.Prepare("INSERT INTO document_use VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"));
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

// nullopt: the run with this number has no document of that id.
template <class Database>
Result<std::optional<RunDocument>> ReadDocument(Database& database, std::int64_t run, std::string_view id) {
  ASSAY_TRY(auto select,
            database.Prepare(
                "SELECT problem, pages, frame, u.digest FROM document_use AS u LEFT JOIN document AS d "
                "ON d.digest = u.digest WHERE run = ?1 AND id = ?2"));
  select.Bind(1, run).Bind(2, id);
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return std::optional<RunDocument>();
  RunDocument document{.id = std::string(id), .problem = std::string(select.Text(0))};
  if (select.IsNull(2)) return std::optional(std::move(document));
  ASSAY_CHECK_OK(UnpackDocument(select.Text(1), select.Text(2), document));
  if (BytesOf(KeyOf(document).digest) != select.Text(3))
    return Error{ErrorCode::kCorrupt,
                 "the store is damaged: the text of a document is another one than its digest names"};
  return std::optional(std::move(document));
}

}  // namespace assay
