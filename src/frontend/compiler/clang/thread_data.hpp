// Which accesses of a function are to data of the thread that makes them? See thread_data.cpp.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

// Is the access marked as one?
bool is_to_thread_data(const llvm::Instruction& access);

// Would the sanitizer's pass tell of it? (range_hooks.cpp)
bool is_told(const llvm::Instruction& instruction);

// Puts in a hook for such an access, to so many bytes.
void put_in_thread_hook(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* bytes, bool write);

// Marks them, before anything else is put in, and then tells of those that nobody has told of.
class MarkThreadData : public llvm::PassInfoMixin<MarkThreadData> {
 public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};
class SayThatTheyAreTold : public llvm::PassInfoMixin<SayThatTheyAreTold> {
 public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};
class TellOfThreadData : public llvm::PassInfoMixin<TellOfThreadData> {
 public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};
