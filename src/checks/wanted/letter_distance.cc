// A row of the table of distances is a bit vector of the wanted text: linear in the answer. Source: Myers
// 1999, Hyyrö 2003.
#include "checks/wanted/letter_distance.h"

namespace assay {
namespace {

constexpr std::size_t kWordBits = 64;

}  // namespace

WantedLetters::WantedLetters(std::u32string_view text)
    : size_(text.size()), words_((text.size() + kWordBits - 1) / kWordBits) {
  for (std::size_t place = 0; place < text.size(); ++place) {
    std::vector<std::uint64_t>& places = places_[text[place]];
    places.resize(words_);
    places[place / kWordBits] |= std::uint64_t{1} << (place % kWordBits);
  }
}

std::size_t WantedLetters::DistanceTo(std::u32string_view answer) const {
  if (size_ == 0) return answer.size();
  // Where the column's distance grows by one from a row to the next, and where it falls by one.
  std::vector<std::uint64_t> grows(words_, ~std::uint64_t{0});
  std::vector<std::uint64_t> falls(words_, 0);
  const std::vector<std::uint64_t> nowhere(words_, 0);
  const std::uint64_t last = std::uint64_t{1} << ((size_ - 1) % kWordBits);
  std::size_t distance = size_;
  for (const char32_t letter : answer) {
    const auto found = places_.find(letter);
    const std::vector<std::uint64_t>& places = found == places_.end() ? nowhere : found->second;
    std::uint64_t grown = 1;  // of the row above, and whether it fell
    std::uint64_t fallen = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t up = grows[w];
      const std::uint64_t down = falls[w];
      const std::uint64_t here = places[w] | fallen;
      const std::uint64_t straight = ((((here & up) + up) ^ up) | here);
      std::uint64_t right = down | ~(straight | up);
      std::uint64_t left = up & straight;
      if (w + 1 == words_) {
        if ((right & last) != 0) ++distance;
        if ((left & last) != 0) --distance;
      }
      const std::uint64_t right_carry = right >> (kWordBits - 1);
      const std::uint64_t left_carry = left >> (kWordBits - 1);
      right = right << 1 | grown;
      left = left << 1 | fallen;
      const std::uint64_t with_match = places[w] | down;
      grows[w] = left | ~(with_match | right);
      falls[w] = right & with_match;
      grown = right_carry;
      fallen = left_carry;
    }
  }
  return distance;
}

}  // namespace assay
