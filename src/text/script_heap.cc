// The memory of one script evaluation: every block is in one list.
#include "text/script_heap.h"

#include <malloc.h>

#include <cstdlib>

namespace assay {

std::size_t ScriptHeap::UsableSize(const void* pointer) {
  if (pointer == nullptr) return 0;
  return malloc_usable_size(const_cast<Block*>(static_cast<const Block*>(pointer) - 1)) - sizeof(Block);
}

bool ScriptHeap::HasRoomFor(std::size_t size_bytes) {
  if (size_bytes <= limit_bytes_ - used_bytes_) return true;
  ran_out_ = true;
  return false;
}

void* ScriptHeap::Link(Block* block) {
  *block = {nullptr, first_};
  if (first_ != nullptr) first_->previous = block;
  first_ = block;
  used_bytes_ += UsableSize(block + 1);
  return block + 1;
}

void ScriptHeap::Unlink(Block* block) {
  used_bytes_ -= UsableSize(block + 1);
  if (block->next != nullptr) block->next->previous = block->previous;
  (block->previous != nullptr ? block->previous->next : first_) = block->next;
}

void* ScriptHeap::Allocate(std::size_t size_bytes) {
  if (!HasRoomFor(size_bytes)) return nullptr;
  auto* block = static_cast<Block*>(std::malloc(sizeof(Block) + size_bytes));
  return block == nullptr ? nullptr : Link(block);
}

void* ScriptHeap::Reallocate(void* pointer, std::size_t size_bytes) {
  if (pointer == nullptr) return Allocate(size_bytes);
  const std::size_t old_bytes = UsableSize(pointer);
  if (size_bytes > old_bytes && !HasRoomFor(size_bytes - old_bytes)) return nullptr;
  Block* block = static_cast<Block*>(pointer) - 1;
  Unlink(block);
  auto* moved = static_cast<Block*>(std::realloc(block, sizeof(Block) + size_bytes));
  void* result = Link(moved == nullptr ? block : moved);
  return moved == nullptr ? nullptr : result;
}

void ScriptHeap::Free(void* pointer) {
  if (pointer == nullptr) return;
  Block* block = static_cast<Block*>(pointer) - 1;
  Unlink(block);
  std::free(block);
}

void ScriptHeap::DropAll() {
  while (first_ != nullptr) {
    Block* next = first_->next;
    std::free(first_);
    first_ = next;
  }
  used_bytes_ = 0;
  ran_out_ = false;
}

}  // namespace assay
