// The padding at the end of a base class, where a derived class may have a member of its own.
//
// Clang copies it with the base that is passed by value; the copied bytes are never used, so they are no access. Such a
// copy is split early, before the optimiser makes one load of it: the copy of the padding is marked (by an alias scope,
// which no pass drops on the way), and at the end the sanitizer's pass is told to leave out what has the mark.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/PassManager.h>

// Where the last member of a value of the type ends.
uint64_t end_of_members(llvm::Type* type, const llvm::DataLayout& layout);

class SplitCopies : public llvm::PassInfoMixin<SplitCopies> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
class LeaveOutPadding : public llvm::PassInfoMixin<LeaveOutPadding> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};
