// NgramCounts: the runs of one to N symbols of a reference text, and how many of them another text has too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

// Prepared once, read by any thread. Symbols are code points, or the numbers of words.
class NgramCounts {
 public:
  using Symbols = std::span<const std::uint32_t>;
  static constexpr std::uint32_t kUnknown = 0xffffffff;  // a symbol of an answer that no reference has

  explicit NgramCounts(std::size_t longest) : longest_(longest), sizes_(longest) {}

  // Of several references an answer may have a run as often as the one with most of it.
  void Add(Symbols reference);
  // For each length from 1 on: how many runs the answer has in common with the references.
  std::vector<std::size_t> Matches(Symbols answer) const;
  // Of the last reference: how many runs of a length it has.
  std::size_t SizeOf(std::size_t length) const { return sizes_[length - 1]; }
  static std::size_t RunsOf(std::size_t symbols, std::size_t length) {
    return symbols < length ? 0 : symbols - length + 1;
  }

 private:
  // The run of a node is that of its parent and one symbol more. Node 0 is the empty run.
  struct Slot {
    std::uint64_t key = kNoKey;  // parent and symbol
    std::uint32_t node = 0;
  };
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  std::uint32_t ChildOf(std::uint32_t parent, std::uint32_t symbol) const;  // 0: there is none
  std::uint32_t AddChild(std::uint32_t parent, std::uint32_t symbol);
  void Grow();

  std::size_t longest_;
  std::vector<std::size_t> sizes_;
  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::vector<std::uint32_t> counts_ = {0};  // by node
};

}  // namespace assay
