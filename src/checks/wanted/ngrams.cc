// Keeps runs as a tree in a flat table of hashes: a longer run is looked up from the shorter one.
#include "checks/wanted/ngrams.h"

#include <algorithm>

namespace assay {

namespace {

std::uint64_t KeyOfRun(std::uint32_t parent, std::uint32_t symbol) {
  return std::uint64_t{parent} << 32 | symbol;
}

std::size_t SlotOf(std::uint64_t key, std::size_t slots) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>((key * kSpread) >> 20) & (slots - 1);
}

}  // namespace

std::uint32_t NgramCounts::ChildOf(std::uint32_t parent, std::uint32_t symbol) const {
  const std::uint64_t key = KeyOfRun(parent, symbol);
  for (std::size_t at = SlotOf(key, slots_.size());; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].key == key) return slots_[at].node;
    if (slots_[at].key == kNoKey) return 0;
  }
}

std::uint32_t NgramCounts::AddChild(std::uint32_t parent, std::uint32_t symbol) {
  if (const std::uint32_t known = ChildOf(parent, symbol); known != 0) return known;
  if (counts_.size() * 2 >= slots_.size()) Grow();
  const std::uint64_t key = KeyOfRun(parent, symbol);
  std::size_t at = SlotOf(key, slots_.size());
  while (slots_[at].key != kNoKey) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {key, static_cast<std::uint32_t>(counts_.size())};
  counts_.push_back(0);
  return slots_[at].node;
}

void NgramCounts::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.key == kNoKey) continue;
    std::size_t at = SlotOf(slot.key, slots_.size());
    while (slots_[at].key != kNoKey) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

void NgramCounts::Add(Symbols reference) {
  std::vector<std::uint32_t> here(counts_.size(), 0);
  for (std::size_t start = 0; start < reference.size(); ++start) {
    std::uint32_t node = 0;
    const std::size_t end = std::min(start + longest_, reference.size());
    for (std::size_t at = start; at < end; ++at) {
      node = AddChild(node, reference[at]);
      if (here.size() <= node) here.resize(counts_.size(), 0);
      ++here[node];
    }
  }
  for (std::size_t node = 1; node < here.size(); ++node) counts_[node] = std::max(counts_[node], here[node]);
  for (std::size_t length = 1; length <= longest_; ++length)
    sizes_[length - 1] = RunsOf(reference.size(), length);
}

std::vector<std::size_t> NgramCounts::Matches(Symbols answer) const {
  std::vector<std::uint32_t> left = counts_;
  std::vector<std::size_t> matches(longest_, 0);
  for (std::size_t start = 0; start < answer.size(); ++start) {
    std::uint32_t node = 0;
    const std::size_t end = std::min(start + longest_, answer.size());
    for (std::size_t at = start; at < end; ++at) {
      node = ChildOf(node, answer[at]);
      if (node == 0) break;
      if (left[node] == 0) continue;
      --left[node];
      ++matches[at - start];
    }
  }
  return matches;
}

}  // namespace assay
