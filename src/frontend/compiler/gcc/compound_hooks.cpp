// A plugin for GCC: one hook for `a[i] += x`, where GCC's own pass (tsan) puts in two, for the read and for the write.
//
// A read that is followed by a write to the same bytes, in the same basic block and with no call between them, belongs to the same strand:
// the write alone decides about races. So the hook of the read goes, and that of the write becomes __tsan_read_writeN, which tells of both
// (what is meant to be atomic needs to know). clang does the same when it is asked to. In a matrix product it is a third of all hooks.
// Only within one line of the source: places are told, and steered for, by their lines. And not of what is volatile, or without
// optimisation: there another read of the same may have been made just before, and whoever steers a schedule wants to come between.
//
// Addresses are compared as GCC has them at that point: the same name of a value, or the same expression of such names.

// GCC's headers need each other in this order.
// clang-format off
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <context.h>
#include <tree-pass.h>
#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <ssa.h>
#include <fold-const.h>
// clang-format on

int plugin_is_GPL_compatible;  // GCC asks for this name

namespace {

// void __tsan_read_writeN(void*), as far as they were needed. GCC's collector knows of them.
constexpr int kSizes = 5;
tree g_compounds[kSizes];

// A call of __tsan_read8 or one of its like. Ranges and what is not aligned are left alone.
struct Hook {
  gimple* call;
  tree address;
  int power;  // of the size
  bool write;
};

bool find_hook(gimple* statement, Hook& hook) {
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return false;
  const built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(statement));
  const bool read = code >= BUILT_IN_TSAN_READ1 && code <= BUILT_IN_TSAN_READ16;
  const bool write = code >= BUILT_IN_TSAN_WRITE1 && code <= BUILT_IN_TSAN_WRITE16;
  if (!read && !write) return false;
  hook = {statement, gimple_call_arg(statement, 0),
          code - (read ? BUILT_IN_TSAN_READ1 : BUILT_IN_TSAN_WRITE1), write};
  return true;
}

// May a strand end here?
bool may_synchronise(gimple* statement) {
  if (gimple_code(statement) == GIMPLE_ASM) return true;
  return is_gimple_call(statement) && !gimple_call_internal_p(statement) &&
         !(gimple_call_flags(statement) & (ECF_CONST | ECF_PURE));
}

// The expression that the name of a value stands for, or null.
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

void take_out(gimple* call) {
  gimple_stmt_iterator at = gsi_for_stmt(call);
  unlink_stmt_vdef(call);
  gsi_remove(&at, true);
  release_defs(call);
}

class CompoundHooks : public gimple_opt_pass {
 public:
  explicit CompoundHooks(gcc::context* of) : gimple_opt_pass(kData, of) {}

  bool gate(function*) final override { return (flag_sanitize & SANITIZE_THREAD) != 0; }

  unsigned execute(function* in) final override {
    basic_block block;
    FOR_EACH_BB_FN(block, in) join_hooks(block);
    return 0;
  }

 private:
  static constexpr unsigned kMost = 64;  // reads that a write is compared with
  static const pass_data kData;

  // The access comes right after its hook.
  static bool is_volatile(gimple_stmt_iterator hook) {
    gsi_next_nondebug(&hook);
    return !gsi_end_p(hook) && gimple_has_volatile_ops(gsi_stmt(hook));
  }

  static void join_hooks(basic_block block) {
    auto_vec<Hook, kMost> reads;  // since the last thing that may synchronise
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
        if (any) gimple_call_set_fndecl(as_a<gcall*>(hook.call), compound(hook.power));
      }
    }
  }

  static tree compound(int power) {
    static const char* const kNames[kSizes] = {"__tsan_read_write1", "__tsan_read_write2",
                                               "__tsan_read_write4", "__tsan_read_write8",
                                               "__tsan_read_write16"};
    tree& hook = g_compounds[power];
    if (!hook) {
      hook = build_fn_decl(kNames[power], build_function_type_list(void_type_node, ptr_type_node, NULL_TREE));
      TREE_NOTHROW(hook) = 1;
    }
    return hook;
  }
};

const pass_data CompoundHooks::kData = {
    GIMPLE_PASS, "heddle_compound_hooks", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

}  // namespace

// Another GCC than the one it was built for would have other tables: then the hooks stay as they are.
int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 0;
  static const ggc_root_tab kRoots[] = {
      {g_compounds, kSizes, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};
  register_callback(plugin->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab*>(kRoots));
  register_pass_info after_tsan{new CompoundHooks(g), "tsan", 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &after_tsan);
  return 0;
}
