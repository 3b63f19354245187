// Atomic updates for which ThreadSanitizer's pass has no hook.
#pragma once

#include <llvm/IR/PassManager.h>

// It knows xchg, add, sub, and, or, xor and nand, and passes over the other operations of atomicrmw: of floating-point
// numbers, minima and maxima. They become loops around a compare-and-swap, for which there is a hook.
class ExpandAtomicUpdates : public llvm::PassInfoMixin<ExpandAtomicUpdates> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
