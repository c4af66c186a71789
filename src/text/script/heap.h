// ScriptHeap: the memory of one script evaluation, counted, limited, and freed as a whole. Internal to the
// script engine.
#pragma once

#include <cstddef>

#include "text/cpu_budget.h"

namespace assay {

// The engine is never asked to tidy up: what a script that was stopped half-way left behind cannot leak, nor
// can it trip over the engine's own checks, because its blocks are all known here. Pointers as malloc's,
// aligned for any type.
class ScriptHeap {
 public:
  // Gives out no more than `limit_bytes`, and nothing once `cpu` is exhausted: built-ins that fill memory
  // look at no clock of their own. `cpu` outlives the heap.
  ScriptHeap(std::size_t limit_bytes, CpuBudget& cpu) : limit_bytes_(limit_bytes), cpu_(cpu) {}
  ~ScriptHeap();
  ScriptHeap(const ScriptHeap&) = delete;
  ScriptHeap& operator=(const ScriptHeap&) = delete;

  void* Allocate(std::size_t size_bytes);                   // null, and ran_out(), beyond the limit
  void* Reallocate(void* pointer, std::size_t size_bytes);  // null leaves `pointer` as it was
  void Free(void* pointer);

  // Whether time is up. If so, the limits allow a little more from now on: the engine needs memory even to
  // say that it was interrupted.
  bool StopWhenOverTime();

  bool ran_out() const { return ran_out_; }
  static std::size_t UsableSize(const void* pointer);

 private:
  struct Block {
    Block* previous;
    Block* next;
  };
  bool HasRoomFor(std::size_t size_bytes);
  void* Link(Block* block);
  void Unlink(Block* block);

  std::size_t limit_bytes_;
  CpuBudget& cpu_;
  unsigned allocations_ = 0;
  std::size_t used_bytes_ = 0;
  bool ran_out_ = false;
  bool last_words_ = false;
  Block* first_ = nullptr;
};

}  // namespace assay
