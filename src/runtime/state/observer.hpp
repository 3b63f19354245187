// How annotated data (runtime/annotated) gets accesses, races and strands, without a dependence of the folders below
// it.
//
// One table of functions. It is installed when the first data is annotated and stays: a program that annotates nothing
// pays for the question whether there is one.
#pragma once

#include "checker/race/race_checker.hpp"

namespace heddle {

struct Block;
struct BlockSet;
struct TaskContext;
struct ThreadState;

namespace annotated {
struct Step;
}

struct Observer {
  // A new access has been checked against what the granules remember. REQUIRES: the block is held.
  void (*checked)(ThreadState& thread, Block& block, uptr base, u32 granules, const race::Access& now);
  // The two race, in these granules of the block at this address. REQUIRES: the block is held.
  void (*raced)(ThreadState& thread, uptr block, u32 granules, const race::Access& earlier,
                const race::Access& now, race::Evidence evidence);
  // Checks what is pending in the set of a block with annotated data. `logged` is what logged() returned when the check
  // of the strand began.
  void (*flush)(ThreadState& thread, BlockSet& set, u32 logged);
  // How much the current step of the task has written down.
  u32 (*logged)(const TaskContext& context);
  // A strand begins, or continues: marks that would hide accesses are forgotten. Returns whether the task is in a
  // region.
  bool (*refreshed)(ThreadState& thread);
  void (*destroy)(annotated::Step* step);
};
extern const Observer* g_observer;  // null: nothing is annotated

}  // namespace heddle
