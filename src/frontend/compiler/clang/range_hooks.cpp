// A plugin for clang: one hook for many accesses, where ThreadSanitizer's pass would insert one for each.
//
// A counted loop without calls and with one exit does all of its accesses in one strand, and they are known before it
// begins: __tsan_read_range and __tsan_write_range report them at once. The same holds for straight-line code between
// two calls, such as a short unrolled loop. The time and order of accesses within a strand do not matter: the checks
// use only the order of strands. Instrumented accesses are marked !nosanitize, so that the sanitizer's pass, which
// runs later, skips them. All other accesses are left to that pass.
//
// In a loop an access qualifies if it is made in every iteration, and its address moves by a constant step without
// gaps: alone, or together with others of the same line (an unrolled vector loop). A read at a fixed address is
// reported once, and again if there is a second iteration. Accesses of different lines are not merged: reports name
// lines, and heddle confirm steers by them.
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>

#include "frontend/compiler/clang/atomic_updates.hpp"
#include "frontend/compiler/clang/captured_fields.hpp"
#include "frontend/compiler/clang/tail_padding.hpp"
#include "frontend/compiler/clang/thread_data.hpp"
#include "frontend/compiler/clang/unseen_accesses.hpp"

using namespace llvm;

namespace {

// Bytes from `offset` on, relative to the first one's address in the first iteration.
struct Walker {
  Instruction* access;
  const SCEV* start;
  std::int64_t offset;
  std::int64_t size;
};
// Reads or writes of one line whose addresses are a constant apart and move by the same step.
struct Walk {
  bool write;
  std::int64_t step;
  SmallVector<Walker, 4> walkers;
};

bool same_place(const Instruction& a, const Instruction& b) {
  const DILocation *at = a.getDebugLoc().get(), *there = b.getDebugLoc().get();
  if (!at || !there) return at == there;
  return at->getLine() == there->getLine() && at->getScope() == there->getScope() &&
         at->getInlinedAt() == there->getInlinedAt();
}

// May a strand end here, or another thread observe the access?
bool may_synchronise(const Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile() || instruction.mayThrow()) return true;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || call->doesNotAccessMemory() || isa<AnyMemIntrinsic>(call)) return false;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
  return !intrinsic || !intrinsic->isAssumeLikeIntrinsic();
}

}  // namespace

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

// Accesses, sorted into walks.
class Walks {
 public:
  Walks(ScalarEvolution& evolution, const DataLayout& layout) : evolution_(evolution), layout_(layout) {}

  void add(Instruction& instruction, const SCEV* start, std::int64_t step) {
    const TypeSize size = layout_.getTypeStoreSize(getLoadStoreType(&instruction));
    if (size.isScalable() || size == 0) return;
    const bool write = isa<StoreInst>(instruction);
    const auto bytes = static_cast<std::int64_t>(size.getFixedValue());
    unsigned looked_at = 0;
    for (Walk& walk : reverse(walks_)) {
      if (++looked_at > kMost) break;
      const Walker& first = walk.walkers.front();
      if (walk.write != write || walk.step != step || !same_place(*first.access, instruction) ||
          is_to_thread_data(*first.access) != is_to_thread_data(instruction))
        continue;
      const auto* apart = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(start, first.start));
      if (!apart || apart->getAPInt().getSignificantBits() > 32) continue;
      walk.walkers.push_back({&instruction, start, apart->getAPInt().getSExtValue(), bytes});
      return;
    }
    walks_.push_back({write, step, {{&instruction, start, 0, bytes}}});
  }

  // Calls visit(walk, walkers, width) for each part whose walkers are adjacent, in the order of their addresses; in a
  // loop they get no wider than the step. So no byte is reported once that is accessed twice: atomicity checking
  // depends on it.
  template <class Visit>
  void for_each_part(Visit visit) {
    for (Walk& walk : walks_) {
      const std::int64_t most = walk.step ? std::abs(walk.step) : INT64_MAX;
      auto& left = walk.walkers;
      std::stable_sort(left.begin(), left.end(),
                       [](const Walker& a, const Walker& b) { return a.offset < b.offset; });
      while (!left.empty()) {
        SmallVector<Walker, 4> part, others;
        std::int64_t end = left.front().offset;
        for (const Walker& walker : left) {
          const bool next = walker.offset == end && walker.offset + walker.size - left.front().offset <= most;
          (next ? part : others).push_back(walker);
          if (next) end += walker.size;
        }
        if (part.empty())
          others.erase(others.begin());  // it overlaps itself
        else
          visit(walk, ArrayRef<Walker>(part), end - part.front().offset);
        left = std::move(others);
      }
    }
  }
  void clear() { walks_.clear(); }

 private:
  static constexpr unsigned kMost = 32;  // walks that an access is compared with

  ScalarEvolution& evolution_;
  const DataLayout& layout_;
  SmallVector<Walk, 8> walks_;
};

// Inserts a hook that takes an address and, for a range, a size.
void put_in_hook(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> arguments, ArrayRef<Walker> walkers) {
  builder.SetCurrentDebugLocation(walkers.front().access->getDebugLoc());
  for (const Walker& walker : walkers) walker.access->setNoSanitizeMetadata();
  if (is_to_thread_data(*walkers.front().access)) {
    std::int64_t width = 0;
    for (const Walker& walker : walkers) width += walker.size;
    Value* bytes = arguments.size() > 1 ? arguments[1] : builder.getInt64(static_cast<std::uint64_t>(width));
    return put_in_thread_hook(builder, arguments[0], bytes, isa<StoreInst>(walkers.front().access));
  }
  SmallVector<Type*, 2> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  Module& module = *builder.GetInsertBlock()->getModule();
  FunctionCallee hook = module.getOrInsertFunction(
      name, FunctionType::get(builder.getVoidTy(), types, false),
      AttributeList::get(builder.getContext(), AttributeList::FunctionIndex, {Attribute::NoUnwind}));
  builder.CreateCall(hook, arguments);
}

const char* kind_of(const Walk& walk) { return walk.write ? "write" : "read"; }

class LoopHooks {
 public:
  LoopHooks(Loop& loop, ScalarEvolution& evolution, const DominatorTree& dominators, const DataLayout& layout)
      : loop_(loop),
        evolution_(evolution),
        dominators_(dominators),
        expander_(evolution, layout, "heddle.range"),
        walks_(evolution, layout) {}

  bool put_in() {
    const BasicBlock *before = loop_.getLoopPreheader(), *latch = loop_.getLoopLatch();
    if (!before || !latch || loop_.getExitingBlock() != latch) return false;
    for (const BasicBlock* block : loop_.blocks())
      if (any_of(*block, may_synchronise)) return false;
    again_ = evolution_.getBackedgeTakenCount(&loop_);
    if (isa<SCEVCouldNotCompute>(again_) || evolution_.getTypeSizeInBits(again_->getType()) > 64)
      return false;
    writes_to_one_place_ = any_of(loop_.blocks(), [&](const BasicBlock* block) {
      return any_of(*block, [&](const Instruction& instruction) {
        return isa<StoreInst>(instruction) &&
               loop_.isLoopInvariant(cast<StoreInst>(instruction).getPointerOperand());
      });
    });
    for (BasicBlock* block : loop_.blocks())
      if (dominators_.dominates(block, latch))
        for (Instruction& instruction : *block)
          if (is_instrumented(instruction)) add(instruction);
    bool any = false;
    walks_.for_each_part([&](const Walk& walk, ArrayRef<Walker> walkers, std::int64_t width) {
      any |= tell(walk, walkers, width);
    });
    return any;
  }

 private:
  void add(Instruction& instruction) {
    const SCEV* start = evolution_.getSCEV(getLoadStorePointerOperand(&instruction));
    std::int64_t step = 0;
    if (const auto* moving = dyn_cast<SCEVAddRecExpr>(start); moving && moving->getLoop() == &loop_) {
      const auto* by = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_));
      if (!moving->isAffine() || !by || by->getAPInt().getSignificantBits() > 32) return;
      step = by->getAPInt().getSExtValue();
      start = moving->getStart();
    }
    if (!evolution_.isLoopInvariant(start, &loop_)) return;
    // heddle confirm must be able to interleave the iterations of a sum.
    if (step == 0 && writes_to_one_place_) return;
    walks_.add(instruction, start, step);
  }

  bool tell(const Walk& walk, ArrayRef<Walker> walkers, std::int64_t width) {
    if (walk.step && width != std::abs(walk.step)) return false;
    Instruction* here = loop_.getLoopPreheader()->getTerminator();
    IRBuilder<> builder(here);
    Type* word = builder.getInt64Ty();
    const SCEV* again = evolution_.getNoopOrZeroExtend(again_, word);
    const SCEV* once = evolution_.getConstant(word, static_cast<std::uint64_t>(width));
    // The distance that the walk covers.
    const SCEV* way = walk.step ? evolution_.getMulExpr(again, once) : evolution_.getZero(word);
    const SCEV* lowest = walkers.front().start;
    const SCEV* begin = walk.step < 0 ? evolution_.getMinusSCEV(lowest, way) : lowest;
    const SCEV* size = evolution_.getAddExpr(way, once);
    if (!expander_.isSafeToExpandAt(begin, here) || !expander_.isSafeToExpandAt(size, here)) return false;
    Value* at = expander_.expandCodeFor(begin, builder.getPtrTy(), here);
    const std::string hook = (Twine("__tsan_") + kind_of(walk) + "_range").str();
    put_in_hook(builder, hook, {at, expander_.expandCodeFor(size, word, here)}, walkers);
    // A fixed address is accessed more than once if there is a second iteration.
    if (const SCEV* second = evolution_.getUMinExpr(again, evolution_.getOne(word));
        !walk.step && !second->isZero())
      put_in_hook(builder, hook,
                  {at, expander_.expandCodeFor(evolution_.getMulExpr(second, once), word, here)}, walkers);
    return true;
  }

  Loop& loop_;
  ScalarEvolution& evolution_;
  const DominatorTree& dominators_;
  SCEVExpander expander_;
  const SCEV* again_ = nullptr;  // iterations after the first
  bool writes_to_one_place_ = false;
  Walks walks_;
};

// Straight-line code in which nothing may synchronise.
class StretchHooks {
 public:
  StretchHooks(ScalarEvolution& evolution, const DataLayout& layout)
      : evolution_(evolution), walks_(evolution, layout) {}

  bool put_in(BasicBlock& block) {
    any_ = false;
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (may_synchronise(instruction))
        tell();
      else if (is_instrumented(instruction))
        walks_.add(instruction, evolution_.getSCEV(getLoadStorePointerOperand(&instruction)), 0);
    }
    tell();
    return any_;
  }

 private:
  static bool has_a_hook(std::int64_t size) { return has_hook(static_cast<std::uint64_t>(size)); }
  // A range hook costs as much as three single ones.
  static constexpr std::size_t kFew = 3;

  void tell() {
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
        put_in_hook(builder, (Twine("__tsan_unaligned_") + kind_of(walk) + Twine(width)).str(), {address},
                    walkers);
      else
        put_in_hook(builder, (Twine("__tsan_") + kind_of(walk) + "_range").str(),
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
    bool any = false;
    for (Loop* loop : loops.getLoopsInPreorder())
      if (loop->isInnermost()) any |= LoopHooks(*loop, evolution, dominators, layout).put_in();
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
