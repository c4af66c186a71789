// The memory of one script evaluation: counted, limited, and dropped as a whole. Internal to the script
// engine.
#pragma once

#include <cstddef>

namespace assay {

// The engine is never asked to tidy up: what a script that was stopped half-way left behind cannot leak, nor
// can it trip over the engine's own checks, because its blocks are all known here. Pointers as malloc's,
// aligned for any type.
class ScriptHeap {
 public:
  explicit ScriptHeap(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  ~ScriptHeap() { DropAll(); }
  ScriptHeap(const ScriptHeap&) = delete;
  ScriptHeap& operator=(const ScriptHeap&) = delete;

  void* Allocate(std::size_t size_bytes);                   // null, and ran_out(), beyond the limit
  void* Reallocate(void* pointer, std::size_t size_bytes);  // null leaves `pointer` as it was
  void Free(void* pointer);
  void DropAll();

  std::size_t used_bytes() const { return used_bytes_; }
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
  std::size_t used_bytes_ = 0;
  bool ran_out_ = false;
  Block* first_ = nullptr;
};

}  // namespace assay
