// Accesses for which ThreadSanitizer's pass inserts no hook.
//
// It has hooks for 1, 2, 4, 8 and 16 bytes, and passes over other loads and stores: long double, wide vectors. And
// clang may pass the address of a structure as a `byval` argument: the copy is then made by the call itself, as its
// code is generated, and no load of it is there to see.
#pragma once

#include <llvm/IR/PassManager.h>

class ReportUnseenAccesses : public llvm::PassInfoMixin<ReportUnseenAccesses> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
