#include "frontend/compiler/clang/walks.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "frontend/compiler/clang/thread_data.hpp"

using namespace llvm;

const char* const kRows = "__heddle_rows";

bool same_place(const Instruction& a, const Instruction& b) {
  const DILocation *at = a.getDebugLoc().get(), *there = b.getDebugLoc().get();
  if (!at || !there) return at == there;
  return at->getLine() == there->getLine() && at->getScope() == there->getScope() &&
         at->getInlinedAt() == there->getInlinedAt();
}

namespace {
// One of those that are inserted here.
bool is_hook(const CallBase& call) {
  const Function* function = call.getCalledFunction();
  return function && (function->getName().starts_with("__tsan_") || function->getName() == kRows);
}
}  // namespace

bool may_synchronise(const Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile() || instruction.mayThrow()) return true;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || call->doesNotAccessMemory() || isa<AnyMemIntrinsic>(call)) return false;
  if (is_hook(*call)) return false;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
  return !intrinsic || !intrinsic->isAssumeLikeIntrinsic();
}

void Walks::add(Instruction& instruction, const SCEV* start, const SCEV* step) {
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

void Walks::for_each_part(
    function_ref<void(const Walk& walk, ArrayRef<Walker> walkers, std::int64_t width)> visit) {
  for (Walk& walk : walks_) {
    const auto* step = dyn_cast<SCEVConstant>(walk.step);
    const std::int64_t most = step && !step->isZero() ? std::abs(step->getAPInt().getSExtValue()) : INT64_MAX;
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
        visit(walk, part, end - part.front().offset);
      left = std::move(others);
    }
  }
}

void put_in_hook(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> arguments, ArrayRef<Walker> walkers) {
  builder.SetCurrentDebugLocation(walkers.front().access->getDebugLoc());
  // Line 0 says that the line is not known. Without a location it would be that of the code before.
  DISubprogram* function = builder.GetInsertBlock()->getParent()->getSubprogram();
  if (!builder.getCurrentDebugLocation() && function)
    builder.SetCurrentDebugLocation(DILocation::get(builder.getContext(), 0, 0, function));
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
