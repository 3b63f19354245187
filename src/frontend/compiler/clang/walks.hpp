// Accesses that are side by side, as one: those of a stretch of code, or of a round of a loop.
#pragma once

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

// May a strand end here, or another thread observe the access?
bool may_synchronise(const llvm::Instruction& instruction);
// The same line of the source, inlined at the same place.
bool same_place(const llvm::Instruction& a, const llvm::Instruction& b);

// Bytes from `offset` on, relative to the first one's address in the first iteration.
struct Walker {
  llvm::Instruction* access;
  const llvm::SCEV* start;
  std::int64_t offset;
  std::int64_t size;
};
// Reads or writes of one line whose addresses are a constant apart and move by the same step.
struct Walk {
  bool write;
  const llvm::SCEV* step;
  llvm::SmallVector<Walker, 4> walkers;
};

// Accesses, sorted into walks.
class Walks {
 public:
  Walks(llvm::ScalarEvolution& evolution, const llvm::DataLayout& layout)
      : evolution_(evolution), layout_(layout) {}

  void add(llvm::Instruction& instruction, const llvm::SCEV* start, const llvm::SCEV* step);

  // Calls visit(walk, walkers, width) for each part whose walkers are adjacent, in the order of their addresses; in a
  // loop they get no wider than the step. So no byte is reported once that is accessed twice: atomicity checking
  // depends on it.
  void for_each_part(
      llvm::function_ref<void(const Walk& walk, llvm::ArrayRef<Walker> walkers, std::int64_t width)> visit);
  void clear() { walks_.clear(); }

 private:
  static constexpr unsigned kMost = 32;  // walks that an access is compared with

  llvm::ScalarEvolution& evolution_;
  const llvm::DataLayout& layout_;
  llvm::SmallVector<Walk, 8> walks_;
};

// The hook of rows: void(void* first, size_t size, size_t rows, long stride, unsigned what).
extern const char* const kRows;

// Inserts a hook that takes an address and, for a range, a size, and perhaps more.
void put_in_hook(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments,
                 llvm::ArrayRef<Walker> walkers);
