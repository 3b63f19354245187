#include "frontend/compiler/clang/captured_fields.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/compiler/clang/thread_data.hpp"

using namespace llvm;

PreservedAnalyses CaptureFields::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  SmallSetVector<Instruction*, 16> addresses;
  for (Instruction& access : instructions(function)) {
    if (access.isAtomic() || !is_instrumented(access)) continue;
    auto* address = dyn_cast<Instruction>(getLoadStorePointerOperand(&access));
    if (address && !isa<AllocaInst>(address) && isa<AllocaInst>(getUnderlyingObject(address)) &&
        !PointerMayBeCaptured(address, true, true))
      addresses.insert(address);
  }
  auto* const type = FunctionType::get(Type::getVoidTy(function.getContext()),
                                       {PointerType::getUnqual(function.getContext())}, false);
  InlineAsm* const nothing = InlineAsm::get(type, "", "r", true);
  for (Instruction* address : addresses) {
    // Once for all accesses: between two of them it would keep the pass from merging them.
    auto after = address->getInsertionPointAfterDef();
    if (after) IRBuilder<>(address->getParent(), *after).CreateCall(nothing, {address});
  }
  return addresses.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
