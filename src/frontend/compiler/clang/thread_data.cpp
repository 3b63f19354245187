// Accesses to the accessing thread's own data: the address is computed from the thread's number (omp_get_thread_num),
// or from the address of a thread-local variable, by its name. All tasks of the thread make such accesses one after
// the other. The hook __heddle_thread_accesses reports them; the sanitizer's pass skips them.
//
// Values are followed within the function: through arithmetic, casts, addresses, and local variables that do not
// escape, if everything stored there is derived, too. A value that escapes (to a call, a branch, memory; or a pointer
// that is loaded from such an address) may appear in any address later. So an escaping number stays a call of
// omp_get_thread_num, and the runtime no longer trusts the later accesses of the task; all other numbers come from
// __heddle_thread_number. For variables __heddle_names_thread_data reports the escape.
#include "frontend/compiler/clang/thread_data.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

constexpr StringLiteral kMark = "heddle.thread";

StringRef callee_of(const Value* value) {
  const auto* call = dyn_cast<CallBase>(value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

bool is_number(const Value* value) { return callee_of(value) == "omp_get_thread_num"; }

// The address of a thread-local variable: the variable, or the call that yields its address after its initialisation.
bool is_name(const Value* value) {
  if (const auto* variable = dyn_cast<GlobalVariable>(value)) return variable->isThreadLocal();
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(value))
    return intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address;
  return callee_of(value).starts_with("_ZTW");
}

// Printing it yields no address.
bool only_prints(const CallBase& call) {
  const StringRef callee = callee_of(&call);
  return callee == "printf" || callee == "fprintf" || callee == "dprintf" || callee == "putchar" ||
         callee == "_ZNSolsEi";
}

// A local variable that does not escape: all its uses are here.
bool is_private(const AllocaInst& variable) {
  return all_of(variable.users(), [&](const User* user) {
    if (isa<LoadInst>(user)) return true;
    if (const auto* store = dyn_cast<StoreInst>(user)) return store->getValueOperand() != &variable;
    const auto* intrinsic = dyn_cast<IntrinsicInst>(user);
    return intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic());
  });
}

// The values derived from some roots, and their escapes.
class Flow {
 public:
  Flow(const Function& function, ArrayRef<Value*> roots) : function_(function) {
    // A phi is derived only if all its operands are. They are assumed to be, until one is found that is not.
    do {
      follows_.clear();
      escapes_.clear();
      for (Value* root : roots) add(root);
      while (!pending_.empty()) follow(pending_.pop_back_val());
    } while (rule_out());
  }

  bool has(const Value* value) const { return follows_.contains(value); }
  bool escapes() const { return !escapes_.empty(); }

 private:
  void add(Value* value) {
    if (follows_.insert(value).second) pending_.push_back(value);
  }
  void meet(Value* value, Instruction* user) {
    if (ruled_out_.contains(value))
      escapes_.insert(user);
    else
      add(value);
  }

  void follow(Value* value) {
    if (auto* variable = dyn_cast<AllocaInst>(value)) {
      for (User* user : variable->users())
        if (isa<LoadInst>(user)) add(user);
      return;
    }
    for (User* user : value->users())
      if (auto* instruction = dyn_cast<Instruction>(user);
          instruction && instruction->getFunction() == &function_)
        follow(value, instruction);
  }

  void follow(Value* value, Instruction* user) {
    if (is_name(user) || user->isDebugOrPseudoInst() || user->isLifetimeStartOrEnd()) return;
    if (isa<CastInst, BinaryOperator, UnaryOperator, GetElementPtrInst, FreezeInst>(user)) return add(user);
    if (isa<PHINode, SelectInst>(user)) return meet(user, user);
    if (auto* store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() != value) return;
      auto* variable = dyn_cast<AllocaInst>(store->getPointerOperand());
      if (variable && is_private(*variable)) return meet(variable, user);
    } else if (isa<LoadInst>(user)) {
      if (!user->getType()->isPointerTy()) return;
    } else if (const auto* intrinsic = dyn_cast<IntrinsicInst>(user)) {
      if (intrinsic->isAssumeLikeIntrinsic()) return;
      if (intrinsic->doesNotAccessMemory() && !intrinsic->getType()->isVoidTy()) return add(user);
    } else if (const auto* call = dyn_cast<CallBase>(user)) {
      if (only_prints(*call)) return;
    } else if (isa<ICmpInst>(user) && value->getType()->isPointerTy()) {
      return;
    }
    escapes_.insert(user);
  }

  bool rule_out() {
    const std::size_t before = ruled_out_.size();
    auto follows = [&](const Value* value) { return has(value); };
    for (const Value* value : follows_) {
      bool all = true;
      if (const auto* phi = dyn_cast<PHINode>(value))
        all = all_of(phi->incoming_values(), follows);
      else if (const auto* select = dyn_cast<SelectInst>(value))
        all = follows(select->getTrueValue()) && follows(select->getFalseValue());
      else if (isa<AllocaInst>(value))
        all = all_of(value->users(), [&](const User* user) {
          const auto* store = dyn_cast<StoreInst>(user);
          return !store || follows(store->getValueOperand());
        });
      if (!all) ruled_out_.insert(value);
    }
    return ruled_out_.size() != before;
  }

  const Function& function_;
  DenseSet<const Value*> follows_, ruled_out_;
  DenseSet<const Instruction*> escapes_;
  SmallVector<Value*, 16> pending_;
};

FunctionCallee hook(Module& module, StringRef name, Type* result, ArrayRef<Type*> types) {
  return module.getOrInsertFunction(
      name, FunctionType::get(result, types, false),
      AttributeList::get(module.getContext(), AttributeList::FunctionIndex, {Attribute::NoUnwind}));
}

// A constant expression on one is a name, too.
void find_names(Instruction& instruction, SmallSetVector<Value*, 4>& names) {
  if (is_name(&instruction)) {
    names.insert(&instruction);
    return;
  }
  for (Value* operand : instruction.operands()) {
    const bool of_variable = isa<Constant>(operand) && operand->getType()->isPointerTy();
    if (of_variable && is_name(getUnderlyingObject(operand))) names.insert(operand);
  }
}

}  // namespace

bool is_to_thread_data(const Instruction& access) { return access.hasMetadata(kMark); }

void put_in_thread_hook(IRBuilder<>& builder, Value* address, Value* bytes, bool write) {
  Type *word = builder.getInt64Ty(), *half = builder.getInt32Ty();
  FunctionCallee call = hook(*builder.GetInsertBlock()->getModule(), "__heddle_thread_accesses",
                             builder.getVoidTy(), {builder.getPtrTy(), word, word, half});
  // Adjacent bytes.
  builder.CreateCall(call,
                     {address, bytes, builder.getInt64(0), builder.getInt32(1u << 2 | (write ? 2 : 1))});
}

PreservedAnalyses MarkThreadData::run(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  SmallVector<Value*, 4> numbers;
  SmallSetVector<Value*, 4> names;
  for (Instruction& instruction : instructions(function)) {
    if (is_number(&instruction)) numbers.push_back(&instruction);
    find_names(instruction, names);
  }
  if (numbers.empty() && names.empty()) return PreservedAnalyses::all();
  const Flow by_number(function, numbers), by_name(function, names.getArrayRef());
  Module& module = *function.getParent();
  LLVMContext& context = module.getContext();
  for (Instruction& instruction : instructions(function)) {
    const Value* address = getLoadStorePointerOperand(&instruction);
    if (!address || instruction.isAtomic() || (!by_number.has(address) && !by_name.has(address))) continue;
    if (is_instrumented(instruction)) instruction.setMetadata(kMark, MDNode::get(context, {}));
  }
  if (!by_number.escapes())
    for (Value* number : numbers)
      cast<CallBase>(number)->setCalledFunction(
          hook(module, "__heddle_thread_number", Type::getInt32Ty(context), {}));
  if (by_name.escapes()) {
    FunctionCallee named = hook(module, "__heddle_names_thread_data", Type::getVoidTy(context), {});
    bool at_entry = false;
    for (Value* name : names)
      if (auto* instruction = dyn_cast<Instruction>(name))
        CallInst::Create(named, "", instruction->getIterator())->setDebugLoc(instruction->getDebugLoc());
      else
        at_entry = true;
    if (at_entry) CallInst::Create(named, "", function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses SayThatTheyAreTold::run(Module& module, ModuleAnalysisManager&) {
  FunctionCallee say = hook(module, "__heddle_has_plugin", Type::getVoidTy(module.getContext()), {});
  Function* function =
      Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(module.getContext()), false),
                                      GlobalValue::InternalLinkage, 0, "heddle.module_ctor", &module);
  function->addFnAttr(Attribute::NoUnwind);
  ReturnInst::Create(module.getContext(), BasicBlock::Create(module.getContext(), "", function));
  CallInst::Create(say, "", function->getEntryBlock().begin());
  appendToGlobalCtors(module, function, 0);  // the sanitizer's has this priority
  return PreservedAnalyses::none();
}

PreservedAnalyses TellOfThreadData::run(Function& function, FunctionAnalysisManager&) {
  const DataLayout& layout = function.getDataLayout();
  SmallVector<Instruction*, 8> accesses;
  for (Instruction& instruction : instructions(function))
    if (is_to_thread_data(instruction) && is_instrumented(instruction)) accesses.push_back(&instruction);
  for (Instruction* access : accesses) {
    const TypeSize size = layout.getTypeStoreSize(getLoadStoreType(access));
    if (size.isScalable()) continue;
    Value* bytes = ConstantInt::get(Type::getInt64Ty(function.getContext()), size.getFixedValue());
    IRBuilder<> builder(access);
    put_in_thread_hook(builder, getLoadStorePointerOperand(access), bytes, isa<StoreInst>(access));
    access->setNoSanitizeMetadata();
  }
  return accesses.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
