// Finds API keys inside a text, also in encoded forms (base64, hex, URL and JSON escapes and the like), in
// time linear in the text.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire/secret.h"

namespace assay {

inline constexpr std::size_t kSecretBytesMin = 8;  // shorter values would be found in innocent words

// Whether a digit before the bytes of a needle, or after them, holds a part of the key too.
struct Edges {
  bool before = false;
  bool after = false;
  friend bool operator==(const Edges&, const Edges&) = default;
};

// Byte strings that are looked for by their last eight bytes.
class Needles {
 public:
  struct Needle {
    std::uint64_t tail = 0;
    Secret bytes;
    Edges edges;
  };
  // Fewer than 8 bytes are none.
  void Add(std::string bytes, Edges edges = {});
  bool MayEnd(std::uint64_t tail) const { return (ends_[Slot(tail) >> 6] >> (Slot(tail) & 63) & 1) != 0; }
  bool MayEndIn(char last) const;
  std::span<const Needle> EndingIn(std::uint64_t tail) const;
  bool empty() const { return needles_.empty(); }
  std::size_t longest_bytes() const { return longest_bytes_; }

 private:
  static std::size_t Slot(std::uint64_t tail) { return (tail * 0x9e3779b97f4a7c15u) >> 52; }

  std::vector<Needle> needles_;           // by their tails
  std::array<std::uint64_t, 64> ends_{};  // a bit for each slot that some tail has
  std::size_t longest_bytes_ = 0;
};

// Copies of keys. Finds each as it is; with any of its characters written as an escape (spelling.h) and with
// invisible ones between; in hex of any case, with blanks, line ends, ":", "-" or "_" between the digits; in
// base64 of both alphabets, within a longer text too, over several lines.
class KeySearch {
 public:
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Found {
    std::vector<Part> parts;  // in their order, apart from each other
    std::size_t steps = 0;    // bytes taken and compared
  };

  void Add(std::string_view key);  // fewer than kSecretBytesMin bytes are none
  Found In(std::string_view text) const;
  bool empty() const { return keys_.empty(); }

 private:
  Needles keys_;
  Needles hex_;
  Needles base64_;
  std::array<bool, 256> may_end_{};  // whether in a byte of the text any of them may end
};

}  // namespace assay
