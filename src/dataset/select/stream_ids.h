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

class StreamIds {
 public:
  // The options outlive it.
  StreamIds(const Options& options, const SourceFiles& sources, Problems& problems)
      : options_(options), sources_(sources), problems_(problems) {}

  // Whether rows can be given their ids so.
  static bool Can(const Options& options);

  // False: an error says why the row has none.
  bool Give(const std::vector<std::string>& columns, Row& row);
  // A template that does not fit the columns known so far, or is made of other ids: nothing can be given.
  bool is_lost() const { return is_lost_; }
  std::size_t twice() const { return twice_; }

 private:
  struct Seen {
    std::uint64_t first = 0;  // of the digest of the id
    std::uint64_t second = 0;
    std::uint32_t offset = 0;
    FileId file = FileId::kNone;
  };

  bool GiveTemplated(const std::vector<std::string>& columns, Row& row);
  // The row that has the id already; null: it is kept as the first.
  const Seen* Find(const Row& row);
  void Grow();

  const Options& options_;
  const SourceFiles& sources_;
  Problems& problems_;
  std::unique_ptr<const CompiledTemplate> compiled_;
  bool is_lost_ = false;
  std::size_t twice_ = 0;
  std::deque<Seen> seen_;
  // A power of two of them: a place in seen_, from 1, and bits of the digest above it, so that another entry
  // is seldom looked at; 0: free.
  std::vector<std::uint64_t> places_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace assay::dataset
