// Splits large repeat counts into digits: level 0 is the item, each further level repeats the one below.
#include "text/python/large_repeats.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace assay {

namespace {

constexpr std::uint64_t kPcreCountMax = 65'535;  // of one quantifier
constexpr std::uint64_t kBaseOfGroups = 100;     // which are copied
constexpr std::uint64_t kBaseOfOthers = 10'000;  // which are counted

bool IsGroup(std::string_view item) { return item.starts_with('('); }

}  // namespace

struct LargeRepeats::Item {
  std::string text;
  std::uint64_t base = kBaseOfOthers;
  std::size_t number = 0;
  std::size_t defined = 0;  // levels that have a definition
};

std::string Braced(RepeatCount count) {
  if (count.least == 0 && count.most == 1) return "?";
  if (count.least == count.most) return fmt::format("{{{}}}", count.least);
  if (count.most > kPcreCountMax) return fmt::format("{{{},}}", count.least);
  return fmt::format("{{{},{}}}", count.least, count.most);
}

bool LargeRepeats::AreNeeded(std::string_view item, RepeatCount count) const {
  const std::uint64_t times = count.most == RepeatCount::kUnbounded ? count.least : count.most;
  return times > kPcreCountMax || (IsGroup(item) && times > copied_bytes_max_ / item.size() && times > 1);
}

std::string LargeRepeats::Write(std::string_view item, RepeatCount count, std::string_view manner,
                                bool keeps_groups) {
  Item repeated{.text = std::string(item),
                .base = IsGroup(item) ? kBaseOfGroups : kBaseOfOthers,
                .number = items_++,
                .defined = 0};
  std::string written = manner == "+" ? "(?>" : "(?:";
  const std::string_view order = manner == "?" ? manner : std::string_view();
  // The last time is the item itself: what its groups matched in calls is forgotten.
  const bool is_last_apart = keeps_groups && count.least > 0;
  written += Exactly(repeated, count.least - (is_last_apart ? 1 : 0));
  if (count.most == RepeatCount::kUnbounded) {
    written += fmt::format("{}*{}", Level(repeated, 0), order);
  } else {
    written += AtMost(repeated, count.most - count.least, order);
  }
  if (is_last_apart) written += item;
  return written + ")";
}

// A call of the level's definition, which is made where it is not there yet. What is no group stands for
// itself.
std::string LargeRepeats::Level(Item& item, std::size_t level) {
  if (level == 0 && item.base == kBaseOfOthers) return item.text;
  while (item.defined <= level) {
    const std::size_t next = item.defined;
    const std::string body =
        next == 0 ? item.text : fmt::format("{}{{{}}}", Level(item, next - 1), item.base);
    if (next > 0 || item.base == kBaseOfGroups)
      definitions_ += fmt::format("(?(DEFINE)(?<r{}_{}>{}))", item.number, next, body);
    item.defined = std::max(item.defined, next + 1);
  }
  return fmt::format("(?&r{}_{})", item.number, level);
}

std::string LargeRepeats::Exactly(Item& item, std::uint64_t count) {
  std::string written;
  for (std::size_t level = 0; count > 0; ++level, count /= item.base) {
    if (const std::uint64_t digit = count % item.base; digit > 0)
      written = fmt::format("{}{{{}}}", Level(item, level), digit) + written;
  }
  return written;
}

// As many of the highest level as leave the lower ones all that is below one of it.
std::string LargeRepeats::AtMost(Item& item, std::uint64_t count, std::string_view manner) {
  std::uint64_t size = 1;
  std::size_t level = 0;
  while (count / item.base >= size) {
    size *= item.base;
    ++level;
  }
  std::string written;
  for (;; --level, size /= item.base) {
    const std::uint64_t times = level == 0 ? count : (count + 1) / size - 1;
    if (times > 0) written += fmt::format("{}{}{}", Level(item, level), Braced({0, times}), manner);
    if (level == 0) return written;
    count -= times * size;
  }
}

}  // namespace assay
