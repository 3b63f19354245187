#include "frontend/compiler/clang/unseen_accesses.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "frontend/compiler/clang/tail_padding.hpp"
#include "frontend/compiler/clang/thread_data.hpp"

using namespace llvm;

namespace {

struct Unseen {
  Instruction* at;
  Value* address;
  uint64_t size;
  bool write;
};

void add_structures(CallBase& call, const DataLayout& layout, SmallVectorImpl<Unseen>& unseen) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.isByValArgument(i) && may_be_shared(*call.getArgOperand(i)))
      unseen.push_back(
          {&call, call.getArgOperand(i), end_of_members(call.getParamByValType(i), layout), false});
}

void add_access(Instruction& access, const DataLayout& layout, SmallVectorImpl<Unseen>& unseen) {
  const TypeSize size = layout.getTypeStoreSize(getLoadStoreType(&access));
  if (access.isAtomic() || size.isScalable() || size == 0 || has_hook(size)) return;
  unseen.push_back({&access, getLoadStorePointerOperand(&access), size, isa<StoreInst>(access)});
}

}  // namespace

PreservedAnalyses ReportUnseenAccesses::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  const DataLayout& layout = function.getDataLayout();
  SmallVector<Unseen, 8> unseen;
  for (Instruction& instruction : instructions(function)) {
    if (auto* call = dyn_cast<CallBase>(&instruction)) add_structures(*call, layout, unseen);
    if (is_instrumented(instruction)) add_access(instruction, layout, unseen);
  }
  for (const Unseen& access : unseen) {
    IRBuilder<> builder(access.at);
    FunctionCallee hook = function.getParent()->getOrInsertFunction(
        access.write ? "__tsan_write_range" : "__tsan_read_range", builder.getVoidTy(), builder.getPtrTy(),
        builder.getInt64Ty());
    builder.CreateCall(hook, {access.address, builder.getInt64(access.size)});
  }
  return unseen.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
