// One hook for `a[i] += x`, where GCC's own pass (tsan) inserts two, for the read and for the write.
//
// A read that is followed by a write to the same bytes, in the same basic block and with no call in between, belongs
// to the same strand: the write alone decides about races. So the read's hook is removed, and the write's becomes
// __tsan_read_writeN, which reports both (atomicity checking needs to know). clang has an option for the same. In a
// matrix product it saves a third of all hooks. Only within one line of the source: reports name lines, and heddle
// confirm steers by them. And not for volatile accesses, or without optimisation: there another read of the same
// bytes may come just before, and heddle confirm must be able to interleave.
//
// Addresses are compared as GCC has them at that point: the same name of a value, or the same expression of such names.
#include "frontend/compiler/gcc/tsan_calls.hpp"

namespace {

// The definition of an SSA name, or null.
const gassign* definition(tree value) {
  return TREE_CODE(value) == SSA_NAME ? dyn_cast<gassign*>(SSA_NAME_DEF_STMT(value)) : nullptr;
}

bool same_address(tree a, tree b) {
  if (operand_equal_p(a, b, 0)) return true;
  const gassign *of_a = definition(a), *of_b = definition(b);
  if (!of_a || !of_b) return false;
  const tree_code code = gimple_assign_rhs_code(of_a);
  if (code != gimple_assign_rhs_code(of_b) || (code != ADDR_EXPR && code != POINTER_PLUS_EXPR)) return false;
  return operand_equal_p(gimple_assign_rhs1(of_a), gimple_assign_rhs1(of_b), 0) &&
         (code == ADDR_EXPR || operand_equal_p(gimple_assign_rhs2(of_a), gimple_assign_rhs2(of_b), 0));
}

bool same_line(gimple* a, gimple* b) {
  const expanded_location at = expand_location(gimple_location(a)),
                          there = expand_location(gimple_location(b));
  return at.line == there.line && at.file == there.file;
}

constexpr unsigned kMost = 64;  // reads that a write is compared with

// The access follows its hook directly.
bool is_volatile(gimple_stmt_iterator hook) {
  gsi_next_nondebug(&hook);
  return !gsi_end_p(hook) && gimple_has_volatile_ops(gsi_stmt(hook));
}

void join_hooks(basic_block block) {
  auto_vec<Hook, kMost> reads;  // since the last statement that may synchronise
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    Hook hook;
    if (!find_hook(gsi_stmt(at), hook)) {
      if (may_synchronise(gsi_stmt(at))) reads.truncate(0);
    } else if (!hook.write) {
      if (reads.length() < kMost && !is_volatile(at)) reads.quick_push(hook);
    } else {
      bool any = false;
      for (unsigned i = reads.length(); i-- > 0;) {
        if (reads[i].power != hook.power || !same_line(reads[i].call, hook.call) ||
            !same_address(reads[i].address, hook.address))
          continue;
        take_out(reads[i].call);
        reads.unordered_remove(i);
        any = true;
      }
      if (any) gimple_call_set_fndecl(as_a<gcall*>(hook.call), compound_hook(hook.power));
    }
  }
}

}  // namespace

void join_hooks(function* in) {
  basic_block block;
  FOR_EACH_BB_FN(block, in) join_hooks(block);
}
