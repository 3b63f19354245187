// Which accesses of a function are to the accessing thread's own data? See thread_data.cpp.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

// Is the access marked as one?
bool is_to_thread_data(const llvm::Instruction& access);

// Would the sanitizer's pass instrument it, if it had a hook for its size? (range_hooks.cpp)
bool is_instrumented(const llvm::Instruction& instruction);
// Can another thread reach what is there, and may it change?
bool may_be_shared(const llvm::Value& address);
bool has_hook(uint64_t size);

// Inserts a hook for such an access, of so many bytes.
void put_in_thread_hook(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* bytes, bool write);

// Marks them before anything else is inserted, and then instruments those that have no hook yet.
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
