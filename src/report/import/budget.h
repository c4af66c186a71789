// ImportBudget: how much memory a file of results may take, counted as it is read. What is kept and what is
// needed for a moment both count, so that a file is refused before it takes more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/errors/result.h"
#include "spec/report/report.h"

namespace assay {

class ImportBudget {
 public:
  // Without an end: of a folder, whose files have limits of their own.
  ImportBudget() : most_(std::uint64_t{1} << 62) {}
  // What a file of this length may take: limits::kImportedMemoryShare of it and some, and no more than
  // limits::kImportedMemoryMax with all that the program takes by itself.
  explicit ImportBudget(std::uint64_t file_bytes);

  // kLimit, once it is used up: for good, or for a moment.
  Status Keep(std::uint64_t bytes);
  Status Use(std::uint64_t bytes);
  void Release(std::uint64_t bytes) { kept_ -= bytes; }  // of what was kept
  // Of a JSON text that is read as a tree.
  Status UseTree(std::string_view json);
  std::uint64_t left_bytes() const { return most_ - std::min(most_, kept_ + used_); }

 private:
  Status Check() const;

  std::uint64_t most_;
  std::uint64_t kept_ = 0;
  std::uint64_t used_ = 0;  // the most for a moment
};

// What these take, with their texts and lists.
std::uint64_t BytesOf(const Case& the_case);
std::uint64_t BytesOf(const Cell& cell);

}  // namespace assay
