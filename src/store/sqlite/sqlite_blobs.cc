// What requests name by its digest: bytes once, and which exchanges named them.
#include <fmt/core.h>

#include <map>

#include "base/hash.h"
#include "store/packed/packed_request.h"
#include "store/sqlite/sqlite_store.h"
#include "store/stored_rows.h"

namespace assay {

Status SqliteStore::WriteMedia(const Exchange& exchange) {
  for (const MediaPart& part : exchange.media) {
    const std::optional<std::string> digest = DigestOfHex(part.sha256);
    if (!digest || !HasBytes(part)) continue;
    if (kept_blobs_.count(part.sha256) == 0) {
      insert_blob_.BindBlob(1, *digest).Bind(2, std::string_view(part.type)).BindBlob(3, part.blob->bytes);
      ASSAY_CHECK_OK(insert_blob_.Run());
      kept_blobs_.insert(part.sha256);
    }
    insert_blob_use_.BindBlob(1, *digest).Bind(2, static_cast<std::int64_t>(exchange.id));
    ASSAY_CHECK_OK(insert_blob_use_.Run());
  }
  return Ok();
}

Status SqliteStore::Complete(std::span<Exchange> exchanges) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  ASSAY_TRY(SqliteStatement rest, database_.Prepare("SELECT request, raw FROM exchange WHERE id = ?1"));
  CompletedBytes bytes(exchanges.size());
  std::map<ExchangeId, Exchange*> by_id;
  for (Exchange& exchange : exchanges) {
    exchange.media.clear();
    by_id[exchange.id] = &exchange;
    rest.Bind(1, static_cast<std::int64_t>(exchange.id));
    ASSAY_TRY(const bool row, rest.Step());
    if (!row) return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", exchange.id)};
    ASSAY_TRY(exchange.request, UnpackRequest(rest.Text(0)));
    exchange.raw = rest.Text(1);
    ASSAY_CHECK_OK(bytes.Add(exchange.request.size() + exchange.raw.size()));
    rest.Reset();
  }
  if (by_id.empty()) return Ok();
  ASSAY_TRY(
      SqliteStatement uses,
      database_.Prepare("SELECT exchange, lower(hex(sha256)), type FROM blob_use JOIN blob USING (sha256) "
                        "WHERE exchange BETWEEN ?1 AND ?2"));
  uses.Bind(1, static_cast<std::int64_t>(by_id.begin()->first));
  uses.Bind(2, static_cast<std::int64_t>(by_id.rbegin()->first));
  while (true) {
    ASSAY_TRY(const bool row, uses.Step());
    if (!row) return Ok();
    const auto found = by_id.find(static_cast<ExchangeId>(uses.Int(0)));
    if (found == by_id.end()) continue;
    MediaPart& part = found->second->media.emplace_back();
    ASSAY_TRY(part.type, ReadName(NameKind::kMediaType, uses.Text(2)));
    part.sha256 = uses.Text(1);
    ASSAY_TRY(part.blob, BlobOf(part.sha256));
    if (part.blob) ASSAY_CHECK_OK(bytes.Add(part.blob->bytes.size()));
  }
}

Result<std::shared_ptr<const Blob>> SqliteStore::BlobOf(std::string_view sha256) {
  return SelectBlob(database_, sha256);
}

}  // namespace assay
