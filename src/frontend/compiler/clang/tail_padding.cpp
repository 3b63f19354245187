#include "frontend/compiler/clang/tail_padding.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace {

// Is the last element of a structure padding that clang has made an array of bytes? Clang packs a class that it may
// derive from without this padding, although its members would lie at the same places in one that is not packed.
bool has_explicit_padding(const StructType& type, const DataLayout& layout) {
  if (!type.isPacked() || type.getNumElements() < 2) return false;
  const auto* last = dyn_cast<ArrayType>(type.elements().back());
  if (!last || !last->getElementType()->isIntegerTy(8)) return false;
  auto* loose = StructType::get(type.getContext(), type.elements());
  const StructLayout &packed = *layout.getStructLayout(const_cast<StructType*>(&type)),
                     &natural = *layout.getStructLayout(loose);
  for (unsigned i = 0; i < type.getNumElements(); ++i)
    if (packed.getElementOffset(i) != natural.getElementOffset(i)) return false;
  return packed.getSizeInBytes() == natural.getSizeInBytes();
}

constexpr StringLiteral kMark = "heddle.padding";

void mark(Instruction& instruction) {
  MDBuilder builder(instruction.getContext());
  MDNode* scope = builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain(kMark), kMark);
  MDNode* scopes = MDNode::get(instruction.getContext(), {scope});
  instruction.setMetadata(LLVMContext::MD_alias_scope,
                          MDNode::concatenate(instruction.getMetadata(LLVMContext::MD_alias_scope), scopes));
}
bool is_marked(const Instruction& instruction) {
  const MDNode* scopes = instruction.getMetadata(LLVMContext::MD_alias_scope);
  return scopes && any_of(scopes->operands(), [](const MDOperand& scope) {
           const auto* node = dyn_cast<MDNode>(scope);
           return node && AliasScopeNode(node).getName() == kMark;
         });
}

// Splits the copy of a structure into a local variable of its type.
bool split(MemCpyInst& copy, const DataLayout& layout, uint64_t most) {
  const auto* variable = dyn_cast<AllocaInst>(copy.getDest());
  const auto* size = dyn_cast<ConstantInt>(copy.getLength());
  if (!variable || !size || copy.isVolatile() || variable->isArrayAllocation()) return false;
  auto* const type = dyn_cast<StructType>(variable->getAllocatedType());
  if (!type || !has_explicit_padding(*type, layout) ||
      size->getValue() != layout.getTypeAllocSize(type).getFixedValue())
    return false;
  const uint64_t members = end_of_members(type, layout), padding = size->getZExtValue() - members;
  if (size->getZExtValue() > most) return false;
  IRBuilder<> builder(copy.getNextNode());
  builder.SetCurrentDebugLocation(copy.getDebugLoc());
  auto after_members = [&](Value* address) {
    return builder.CreateGEP(builder.getInt8Ty(), address, builder.getInt64(members));
  };
  mark(*builder.CreateMemCpy(after_members(copy.getDest()), MaybeAlign(), after_members(copy.getSource()),
                             MaybeAlign(), padding));
  copy.setLength(builder.getInt64(members));
  return true;
}

bool split_all(Function& function, uint64_t most) {
  SmallVector<MemCpyInst*, 8> copies;
  for (Instruction& instruction : instructions(function))
    if (auto* copy = dyn_cast<MemCpyInst>(&instruction)) copies.push_back(copy);
  bool any = false;
  for (MemCpyInst* copy : copies) any |= split(*copy, function.getDataLayout(), most);
  return any;
}

}  // namespace

uint64_t end_of_members(Type* type, const DataLayout& layout) {
  if (auto* array = dyn_cast<ArrayType>(type); array && array->getNumElements() > 0) {
    const uint64_t before = (array->getNumElements() - 1) * layout.getTypeAllocSize(array->getElementType());
    return before + end_of_members(array->getElementType(), layout);
  }
  auto* structure = dyn_cast<StructType>(type);
  if (!structure || structure->getNumElements() == 0) return layout.getTypeStoreSize(type);
  const unsigned last = structure->getNumElements() - 1;
  const unsigned member = has_explicit_padding(*structure, layout) ? last - 1 : last;
  return layout.getStructLayout(structure)->getElementOffset(member) +
         end_of_members(structure->getElementType(member), layout);
}

PreservedAnalyses SplitCopies::run(Function& function, FunctionAnalysisManager&) {
  // What is larger is passed in memory, and better copied as a whole: the optimiser may then drop the copy.
  constexpr uint64_t kPassedInRegisters = 16;
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  return split_all(function, kPassedInRegisters) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses LeaveOutPadding::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  bool any = split_all(function, UINT64_MAX);
  SmallVector<Instruction*, 8> marked;
  for (Instruction& instruction : instructions(function))
    if (is_marked(instruction)) marked.push_back(&instruction);
  for (Instruction* instruction : marked) {
    any = true;
    if (auto* copy = dyn_cast<MemCpyInst>(instruction)) {
      // In place, because the library's function would report it.
      IRBuilder<> builder(copy);
      instruction = builder.CreateMemCpyInline(copy->getDest(), copy->getDestAlign(), copy->getSource(),
                                               copy->getSourceAlign(), copy->getLength());
      copy->eraseFromParent();
    }
    instruction->setNoSanitizeMetadata();
  }
  return any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
