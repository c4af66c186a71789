// StreamIds: gives rows their ids one by one as they are read, where the rows themselves are not kept. Of a
// row it keeps 24 bytes. Gives the same ids and errors as GiveIds (ids.h).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dataset/select/ids.h"

namespace assay::dataset {

// The ids that rows have so far, by their digests.
class SeenIds {
 public:
  struct Seen {
    std::uint64_t first = 0;  // of the digest of the id
    std::uint64_t second = 0;
    std::uint32_t offset = 0;
    FileId file = FileId::kNone;
  };

  // The place of the row that has the id already; nothing: this row is kept as the first.
  std::optional<std::size_t> Find(const Row& row);
  const Seen& At(std::size_t place) const { return seen_[place]; }
  std::size_t size() const { return seen_.size(); }

 private:
  void Grow();

  std::deque<Seen> seen_;
  // A power of two of them: a place in seen_, from 1, and bits of the digest above it, so that another entry
  // is seldom looked at; 0: free.
  std::vector<std::uint64_t> places_;
};

class StreamIds {
 public:
  // The options outlive it.
  StreamIds(const Options& options, const SourceFiles& sources, Problems& problems)
      : options_(options), sources_(sources), problems_(problems) {}

  // Whether rows can be given their ids so.
  static bool Can(const Options& options);

  // Called before the first row. False: the template `id:` does not fit the columns; `problems` says why.
  bool Begin(const std::vector<std::string>& columns);
  // False: the row is a duplicate that is dropped, or an error says why it has none.
  bool Give(Row& row);
  std::size_t twice() const { return twice_; }
  std::size_t dropped() const { return dropped_; }

 private:
  bool GiveUsual(Row& row, bool is_final);
  bool GiveTemplated(Row& row);
  void Number(Row& row, SeenIds& seen);
  // `first`: the place of the earlier row with the same id.
  bool IsDropped(const Row& row, std::size_t first);
  void TellTwice(const Row& row, const SeenIds::Seen& first);

  const Options& options_;
  const SourceFiles& sources_;
  Problems& problems_;
  std::unique_ptr<const CompiledTemplate> compiled_;
  bool needs_usual_ = false;  // the template is made of the ids without it
  std::size_t twice_ = 0;
  std::size_t dropped_ = 0;
  SeenIds usual_;
  SeenIds final_;
  std::deque<std::uint64_t> contents_;  // digests, of each id of final_; only where duplicates are dropped
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace assay::dataset
