// Allocates blocks and keeps all of them in one list.
#include "text/script/heap.h"

#include <malloc.h>

#include <cstdlib>

namespace assay {

namespace {

constexpr unsigned kHeapAllocationsPerTimeCheck = 128;
constexpr std::size_t kLargeBytes = 16u << 10;
constexpr std::size_t kLastWordsBytes = 1u << 20;

}  // namespace

std::size_t ScriptHeap::UsableSize(const void* pointer) {
  if (pointer == nullptr) return 0;
  return malloc_usable_size(const_cast<Block*>(static_cast<const Block*>(pointer) - 1)) - sizeof(Block);
}

bool ScriptHeap::HasRoomFor(std::size_t size_bytes) {
  if (size_bytes >= kLargeBytes || ++allocations_ % kHeapAllocationsPerTimeCheck == 0) cpu_.Exhausted();
  if (cpu_.was_exhausted() && !last_words_) return false;
  const std::size_t limit_bytes = limit_bytes_ + (last_words_ ? kLastWordsBytes : 0);
  if (used_bytes_ <= limit_bytes && size_bytes <= limit_bytes - used_bytes_) return true;
  ran_out_ = true;
  return false;
}

bool ScriptHeap::StopWhenOverTime() {
  last_words_ = cpu_.Exhausted();
  return last_words_;
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

ScriptHeap::~ScriptHeap() {
  while (first_ != nullptr) {
    Block* next = first_->next;
    std::free(first_);
    first_ = next;
  }
}

}  // namespace assay
