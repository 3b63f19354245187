// One hook before a loop, or a nest of loops, in place of one per iteration.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

// Inserts hooks before the loops of a function. True if there is any.
bool put_in_loop_hooks(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                       const llvm::DominatorTree& dominators, const llvm::DataLayout& layout);
