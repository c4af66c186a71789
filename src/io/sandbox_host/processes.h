// The processes of a run, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay {

// Whose processes count: all that /proc shows but ourselves (a pid namespace of our own), or our descendants.
enum class Tree { kNamespace, kDescendants };

struct TreeUse {
  std::uint64_t cpu_us = 0;        // of processes that live, and of what they have waited for
  std::uint64_t memory_bytes = 0;  // resident; what is shared counts once
  // For which living threads were ready to run and others ran, as far as the kernel tells.
  std::uint64_t waited_us = 0;
  bool knows_waited = false;
};

TreeUse UseOf(Tree tree);

// Ends them all, our own children and those of nobody, and waits for them. Returns when none is left.
void KillAll(Tree tree);

}  // namespace assay
