// Where exchanges are found by their keys: the table `exchange_key`, in the order of keys. The first bytes of
// a SHA-256 are a random place of it: if each commit put its keys there, it would write as many pages as it
// has answers. What was written last is therefore remembered here and goes into the table many at once;
// `keyed` says up to which exchange it has them. Those behind are read from `exchange` by whoever opens the
// store next.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "spec/exchange/exchange.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace assay {

class ExchangeKeys {
 public:
  Status Prepare(SqliteDatabase& database, bool is_writer);

  // Reads what others wrote since, in the transaction of whoever asks next. A writer is alone: it reads once.
  Status Refresh();
  // Ids of exchanges behind `keyed` that may have the key, ascending.
  std::vector<ExchangeId> Behind(const Digest& key, EpochRange epochs) const;

  void Add(const Exchange& exchange);  // which this writer wrote
  bool IsFull() const;
  bool IsEmpty() const { return behind_.empty(); }
  Status Merge();  // all of them into the table, in a transaction of the writer
  void Forget();   // what was added may not be there

 private:
  struct Place {
    std::uint32_t epoch = 0;
    ExchangeId id = 0;
  };

  bool is_writer_ = false;
  SqliteStatement keyed_;
  SqliteStatement since_;
  SqliteStatement insert_;
  SqliteStatement tell_;
  std::unordered_multimap<std::uint64_t, Place> behind_;  // by the first bytes of their keys
  std::optional<ExchangeId> seen_;                        // the last one; nothing: none was read yet
};

}  // namespace assay
