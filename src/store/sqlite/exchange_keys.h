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

namespace assay {

class ExchangeKeys {
 public:
  Status Prepare(SqliteDatabase& database, bool is_writer);

  // Reads what others wrote since, in the transaction of whoever asks next. A writer is alone: it reads once.
  Status Refresh();
  // Ids of exchanges that may have the key, ascending: of all that the table does not have, and perhaps more.
  std::vector<ExchangeId> Behind(const Digest& key) const;

  void Add(const Exchange& exchange);  // which this writer wrote
  bool IsFull() const;
  bool HasToMerge() const { return seen_ && *seen_ != keyed_up_to_; }
  Status Merge(SqliteDatabase& database);  // all of them into the table, in a transaction of the writer
  void Forget();                           // what was read or added may not be there, or not be all

 private:
  struct Place {
    std::int64_t epoch = 0;
    ExchangeId id = 0;
  };

  SqliteStatement keyed_;
  SqliteStatement since_;
  bool is_writer_ = false;
  std::unordered_multimap<std::uint64_t, Place> behind_;  // by the first bytes of their keys
  std::optional<ExchangeId> seen_;                        // the last one; nothing: none was read yet
  ExchangeId keyed_up_to_ = 0;                            // before those behind
  std::int64_t times_made_ = 0;
};

// Makes the table anew, in a transaction of the writer: ids may be given again from now on.
Status MakeExchangeKeys(SqliteDatabase& database);

}  // namespace assay
