#include "frontend/compiler/clang/atomic_updates.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "frontend/compiler/clang/thread_data.hpp"

using namespace llvm;

namespace {

bool is_known_to_the_pass(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Nand:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
      return true;
    default:
      return false;
  }
}

// Integers as wide as the value, without padding; null if there is no hook for such.
IntegerType* integers_like(Type& type, const DataLayout& layout) {
  const TypeSize bits = layout.getTypeSizeInBits(&type);
  if (bits.isScalable() || bits % 8 != 0 || !has_hook(bits / 8)) return nullptr;
  return IntegerType::get(type.getContext(), static_cast<unsigned>(bits.getFixedValue()));
}

void expand(AtomicRMWInst& update, IntegerType* word) {
  Type* const type = update.getType();
  Value* const address = update.getPointerOperand();
  BasicBlock* const before = update.getParent();
  BasicBlock* const after = before->splitBasicBlock(&update, "heddle.updated");
  BasicBlock* const loop =
      BasicBlock::Create(update.getContext(), "heddle.update", before->getParent(), after);
  before->getTerminator()->eraseFromParent();

  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  // The compare-and-swap is the access; this is a guess, and as such no access of the program. It is no atomic load,
  // which could be a call of libatomic, but volatile: loaded once, it is both compared and computed with.
  LoadInst* guess = builder.CreateAlignedLoad(word, address, update.getAlign(), true);
  guess->setNoSanitizeMetadata();
  builder.CreateBr(loop);

  builder.SetInsertPoint(loop);
  PHINode* old = builder.CreatePHI(word, 2);
  old->addIncoming(guess, before);
  Value* value = builder.CreateBitCast(old, type);
  Value* changed = buildAtomicRMWValue(update.getOperation(), builder, value, update.getValOperand());
  AtomicCmpXchgInst* exchange = builder.CreateAtomicCmpXchg(
      address, old, builder.CreateBitCast(changed, word), update.getAlign(), update.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(update.getOrdering()), update.getSyncScopeID());
  exchange->setVolatile(update.isVolatile());
  old->addIncoming(builder.CreateExtractValue(exchange, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), after, loop);

  update.replaceAllUsesWith(value);
  update.eraseFromParent();
}

}  // namespace

PreservedAnalyses ExpandAtomicUpdates::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  SmallVector<std::pair<AtomicRMWInst*, IntegerType*>, 4> updates;
  for (Instruction& instruction : instructions(function)) {
    auto* update = dyn_cast<AtomicRMWInst>(&instruction);
    if (!update || is_known_to_the_pass(update->getOperation())) continue;
    if (update->hasMetadata(LLVMContext::MD_nosanitize)) continue;
    // That pass takes what is atomic within its thread for no atomic operation.
    if (update->getSyncScopeID() == SyncScope::SingleThread) continue;
    if (IntegerType* word = integers_like(*update->getType(), function.getDataLayout()))
      updates.push_back({update, word});
  }
  for (auto [update, word] : updates) expand(*update, word);
  return updates.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
