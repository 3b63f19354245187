// A plugin for clang: one hook for many accesses, where ThreadSanitizer's pass would insert one for each.
//
// What a loop accesses has its hook before it (loop_hooks.cpp); what straight-line code accesses between two calls,
// such as a short unrolled loop, before the first access. The time and order of accesses within a strand do not matter:
// the checks use only the order of strands. Instrumented accesses are marked !nosanitize, so that the sanitizer's pass,
// which runs later, skips them. All other accesses are left to that pass.
//
// Accesses of different lines are not merged: reports name lines, and heddle confirm steers by them.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "frontend/compiler/clang/atomic_updates.hpp"
#include "frontend/compiler/clang/captured_fields.hpp"
#include "frontend/compiler/clang/loop_hooks.hpp"
#include "frontend/compiler/clang/tail_padding.hpp"
#include "frontend/compiler/clang/thread_data.hpp"
#include "frontend/compiler/clang/unseen_accesses.hpp"
#include "frontend/compiler/clang/walks.hpp"

using namespace llvm;

// Would the sanitizer's pass instrument it? What that skips is skipped here.
bool is_instrumented(const Instruction& instruction) {
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || pointer->getType()->getPointerAddressSpace() != 0) return false;
  if (instruction.hasMetadata(LLVMContext::MD_nosanitize)) return false;
  const MDNode* type = instruction.getMetadata(LLVMContext::MD_tbaa);
  if (type && type->isTBAAVtableAccess()) return false;  // it has its own hook
  return may_be_shared(*pointer);
}

bool may_be_shared(const Value& address) {
  const Value* object = getUnderlyingObject(&address);
  if (const auto* variable = dyn_cast<GlobalVariable>(object)) return !variable->isConstant();
  return !isa<AllocaInst>(object) || PointerMayBeCaptured(object, true, true);
}

bool has_hook(uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8 || size == 16; }

namespace {

// Straight-line code in which nothing may synchronise.
class StretchHooks {
 public:
  StretchHooks(ScalarEvolution& evolution, const DataLayout& layout)
      : evolution_(evolution), walks_(evolution, layout) {}

  bool put_in(BasicBlock& block) {
    any_ = false;
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (may_synchronise(instruction))
        insert();
      else if (is_instrumented(instruction))
        walks_.add(instruction, evolution_.getSCEV(getLoadStorePointerOperand(&instruction)),
                   evolution_.getZero(Type::getInt64Ty(block.getContext())));
    }
    insert();
    return any_;
  }

 private:
  static bool has_a_hook(std::int64_t size) { return has_hook(static_cast<std::uint64_t>(size)); }
  // A range hook costs as much as three single ones.
  static constexpr std::size_t kFew = 3;

  void insert() {
    walks_.for_each_part([&](const Walk& walk, ArrayRef<Walker> walkers, std::int64_t width) {
      const bool passed_over = any_of(walkers, [](const Walker& walker) { return !has_a_hook(walker.size); });
      const bool one_access = has_a_hook(width);
      if (!passed_over && (walkers.size() < 2 || (!one_access && walkers.size() <= kFew))) return;
      // Before the first of them: only its address is known there.
      const Walker* first = walkers.begin();
      for (const Walker& walker : walkers)
        if (walker.access->comesBefore(first->access)) first = &walker;
      IRBuilder<> builder(first->access);
      Value* address = getLoadStorePointerOperand(first->access);
      const std::int64_t down = walkers.front().offset - first->offset;
      if (down)
        address = builder.CreateGEP(builder.getInt8Ty(), address,
                                    builder.getInt64(static_cast<std::uint64_t>(down)));
      if (one_access)
        put_in_hook(builder,
                    (Twine("__tsan_unaligned_") + (walk.write ? "write" : "read") + Twine(width)).str(),
                    {address}, walkers);
      else
        put_in_hook(builder, (Twine("__tsan_") + (walk.write ? "write" : "read") + "_range").str(),
                    {address, builder.getInt64(static_cast<std::uint64_t>(width))}, walkers);
      any_ = true;
    });
    walks_.clear();
  }

  ScalarEvolution& evolution_;
  Walks walks_;
  bool any_ = false;
};

class RangeHooks : public PassInfoMixin<RangeHooks> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.hasOptNone())
      return PreservedAnalyses::all();
    auto& loops = analyses.getResult<LoopAnalysis>(function);
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    const DataLayout& layout = function.getDataLayout();
    // A loop that is entered at several places hides how often its blocks are run.
    const ReversePostOrderTraversal<const Function*> blocks(&function);
    const bool known = !containsIrreducibleCFG<const BasicBlock*>(blocks, loops);
    bool any = known && put_in_loop_hooks(loops, evolution, dominators, layout);
    StretchHooks stretches(evolution, layout);
    for (BasicBlock& block : function) any |= stretches.put_in(block);
    return any ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", LLVM_VERSION_STRING, [](PassBuilder& builder) {
            // That pass moves a read through a pointer argument into the callers, where it is reported at the call's
            // line.
            if (PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks())
              callbacks->registerShouldRunOptionalPassCallback(
                  [](StringRef pass, Any) { return pass != "ArgumentPromotionPass"; });
            builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
              if (level != OptimizationLevel::O0)
                passes.addPass(createModuleToFunctionPassAdaptor(SplitCopies()));
            });
            // Before the sanitizer's pass, which clang itself adds after plugins.
            builder.registerOptimizerLastEPCallback([](ModulePassManager& passes, OptimizationLevel level) {
              FunctionPassManager each;
              each.addPass(LeaveOutPadding());
              each.addPass(MarkThreadData());
              if (level != OptimizationLevel::O0) {
                each.addPass(LoopSimplifyPass());
                each.addPass(RangeHooks());
              }
              each.addPass(TellOfThreadData());
              each.addPass(CaptureFields());
              each.addPass(ReportUnseenAccesses());
              each.addPass(ExpandAtomicUpdates());
              passes.addPass(createModuleToFunctionPassAdaptor(std::move(each)));
              passes.addPass(SayThatTheyAreTold());
            });
          }};
}
