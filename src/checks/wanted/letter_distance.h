// WantedLetters: how many insertions, deletions and replacements of a letter part a text from a wanted one
// (Levenshtein).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

// A text that answers are compared with, prepared once: for each of its letters where it stands, a bit each.
// Letters are code points, or units of UTF-16.
class WantedLetters {
 public:
  explicit WantedLetters(std::u32string_view text);

  std::size_t size() const { return size_; }
  std::size_t DistanceTo(std::u32string_view answer) const;

 private:
  std::size_t size_ = 0;
  std::size_t words_ = 0;
  std::unordered_map<char32_t, std::vector<std::uint64_t>> places_;
};

}  // namespace assay
