// Remembers keys until there are enough of them to be written in their order.
#include "store/sqlite/exchange_keys.h"

#include <algorithm>
#include <cstring>

#include "store/column_fields.h"

namespace assay {

namespace {

constexpr std::size_t kBehindMax = 32'768;
constexpr std::size_t kStartBytes = sizeof(std::uint64_t);  // of a key, in the table

std::uint64_t StartOf(std::string_view key) {
  std::uint64_t start = 0;
  std::memcpy(&start, key.data(), std::min(key.size(), kStartBytes));
  return start;
}

std::string_view StartBytes(const std::uint64_t& start) {
  return {reinterpret_cast<const char*>(&start), kStartBytes};
}

}  // namespace

Status ExchangeKeys::Prepare(SqliteDatabase& database, bool is_writer) {
  is_writer_ = is_writer;
  ASSAY_TRY(keyed_, database.Prepare("SELECT up_to FROM keyed"));
  ASSAY_TRY(since_, database.Prepare("SELECT key, epoch, id FROM exchange WHERE id > ?1 AND reusable = 1 "
                                     "ORDER BY id"));
  if (!is_writer) return Ok();
  ASSAY_TRY(insert_, database.Prepare("INSERT OR IGNORE INTO exchange_key VALUES(?1,?2,?3)"));
  ASSAY_TRY(tell_, database.Prepare("UPDATE keyed SET up_to = (SELECT coalesce(max(id), 0) FROM exchange)"));
  return Ok();
}

Status ExchangeKeys::Refresh() {
  if (is_writer_ && seen_) return Ok();
  ASSAY_TRY(const bool row, keyed_.Step());
  const auto keyed = row ? static_cast<ExchangeId>(std::max<std::int64_t>(keyed_.Int(0), 0)) : ExchangeId{0};
  keyed_.Reset();
  if (!seen_ || *seen_ < keyed) {
    behind_.clear();
    seen_ = keyed;
  }
  since_.Bind(1, static_cast<std::int64_t>(*seen_));
  while (true) {
    ASSAY_TRY(const bool more, since_.Step());
    if (!more) return Ok();
    seen_ = static_cast<ExchangeId>(since_.Int(2));
    behind_.emplace(StartOf(since_.Text(0)),
                    Place{.epoch = static_cast<std::uint32_t>(since_.Int(1)), .id = *seen_});
  }
}

std::vector<ExchangeId> ExchangeKeys::Behind(const Digest& key, EpochRange epochs) const {
  std::vector<ExchangeId> ids;
  const auto [first, last] = behind_.equal_range(StartOf(BytesOf(key)));
  for (auto each = first; each != last; ++each) {
    if (each->second.epoch >= epochs.first && each->second.epoch <= epochs.last)
      ids.push_back(each->second.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

void ExchangeKeys::Add(const Exchange& exchange) {
  if (!seen_ || !exchange.Reusable()) return;
  behind_.emplace(StartOf(BytesOf(exchange.key)), Place{.epoch = exchange.epoch, .id = exchange.id});
}

bool ExchangeKeys::IsFull() const { return behind_.size() >= kBehindMax; }

Status ExchangeKeys::Merge() {
  ASSAY_CHECK_OK(Refresh());
  std::vector<std::pair<std::uint64_t, Place>> all(behind_.begin(), behind_.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::memcmp(&a.first, &b.first, kStartBytes) < 0;
  });
  for (const auto& [start, place] : all) {
    insert_.BindBlob(1, StartBytes(start))
        .Bind(2, std::int64_t{place.epoch})
        .Bind(3, static_cast<std::int64_t>(place.id));
    ASSAY_CHECK_OK(insert_.Run());
  }
  ASSAY_CHECK_OK(tell_.Run());
  behind_.clear();
  return Ok();
}

void ExchangeKeys::Forget() {
  behind_.clear();
  seen_.reset();
}

}  // namespace assay
