// Repeats that PCRE2 does not compile as they stand: counts above its limit, and groups so often that their
// copies would fill its code. They become calls of definitions behind the pattern, each a repeat of the one
// before: (?&r0_2)(?&r0_1){7}... for a count in digits of a base.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace assay {

// How often something is repeated.
struct RepeatCount {
  static constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t least = 0;
  std::uint64_t most = kUnbounded;
};

class LargeRepeats {
 public:
  // `copied_bytes_max`: of the text of a group that PCRE2 copies for each time it is repeated.
  explicit LargeRepeats(std::size_t copied_bytes_max) : copied_bytes_max_(copied_bytes_max) {}

  // Whether `item`, already written for PCRE2, has to be repeated here.
  bool AreNeeded(std::string_view item, RepeatCount count) const;
  // `manner`: "", "?" (few first) or "+" (nothing is given back). `keeps_groups`: groups inside the item keep
  // what they matched last.
  std::string Write(std::string_view item, RepeatCount count, std::string_view manner, bool keeps_groups);
  // What has to stand behind the whole pattern; "" if nothing was written.
  const std::string& Definitions() const { return definitions_; }

 private:
  struct Item;
  std::string Level(Item& item, std::size_t level);
  std::string Exactly(Item& item, std::uint64_t count);
  std::string AtMost(Item& item, std::uint64_t count, std::string_view manner);

  std::size_t copied_bytes_max_;
  std::string definitions_;
  std::size_t items_ = 0;
};

// {n}, {n,}, {n,m} or ?, as PCRE2 reads them; both counts within its limit.
std::string Braced(RepeatCount count);

}  // namespace assay
