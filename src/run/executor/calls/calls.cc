// Adds waiting steps to calls by key, and finds and removes calls.
#include "run/executor/calls/calls.h"

namespace assay {

Call& CallTable::Join(PreparedRequest prepared, Waiter waiter, bool& added) {
  auto [entry, is_new] = calls_.try_emplace(prepared.key);
  if (is_new) {
    entry->second = std::make_unique<Call>();
    entry->second->prepared = std::move(prepared);
  }
  entry->second->waiters.push_back(waiter);
  added = is_new;
  return *entry->second;
}

Call* CallTable::Find(const Digest& key) {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : found->second.get();
}

void CallTable::Erase(const Digest& key) { calls_.erase(key); }

}  // namespace assay
