// Accesses to parts of captured local variables, which clang's own pass leaves out.
#pragma once

#include <llvm/IR/PassManager.h>

// LLVM 19's pass asks whether the address of an access is captured. If the variable is captured, but the address of
// this field or element is not, it inserts no hook, and the races of a local struct that other threads use are missed.
// An empty piece of assembly code that takes such an address captures it.
class CaptureFields : public llvm::PassInfoMixin<CaptureFields> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
