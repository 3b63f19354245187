// Accesses for which GCC's own pass (tsan) inserts no hook.
//
// It relies on the C library's memory functions being intercepted. But GCC expands memcpy, memset and memcmp of a
// constant size in place, also those that it has made of a loop or of strcpy. So a hook is added before them; if a
// call remains after all, the second check finds everything marked. Comparisons and copies of strings, which it expands
// as well, remain calls: how far they read is known only then.
//
// The pass also passes over structures that a call takes or returns by value: it looks at assignments.
#include "frontend/compiler/gcc/tsan_calls.hpp"

namespace {

// The same rule as that of the pass: nobody else can reach a local variable whose address is not taken.
bool may_be_shared(tree memory) {
  const tree base = get_base_address(memory);
  if (!base) return false;
  if (!DECL_P(base)) return true;
  return is_global_var(base) ? !TREE_READONLY(base) : may_be_aliased(base);
}

gcall* range_hook(tree address, tree size, bool write, location_t location) {
  const tree hook = builtin_decl_implicit(write ? BUILT_IN_TSAN_WRITE_RANGE : BUILT_IN_TSAN_READ_RANGE);
  gcall* call = gimple_build_call(hook, 2, address, size);
  gimple_set_location(call, location);
  return call;
}

// The functions whose calls shall remain calls, if the statement calls one of them.
const char* string_function(built_in_function code) {
  switch (code) {
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRCMP_EQ:
      return "strcmp";
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRNCMP_EQ:
      return "strncmp";
    case BUILT_IN_STRCPY:
      return "strcpy";
    case BUILT_IN_STPCPY:
      return "stpcpy";
    case BUILT_IN_STRNCPY:
      return "strncpy";
    case BUILT_IN_STRLEN:
      return "strlen";
    default:
      return nullptr;
  }
}

class Accesses {
 public:
  void look_at(gimple_stmt_iterator& at) {
    gcall* call = dyn_cast<gcall*>(gsi_stmt(at));
    if (!call || gimple_call_internal_p(call)) return;
    if (gimple_call_builtin_p(call, BUILT_IN_NORMAL))
      memory_function(at, call, DECL_FUNCTION_CODE(gimple_call_fndecl(call)));
    else
      structures(at, call);
  }
  bool any() const { return any_; }

 private:
  void memory_function(gimple_stmt_iterator& at, gcall* call, built_in_function code) {
    switch (code) {
      case BUILT_IN_MEMCPY:
      case BUILT_IN_MEMMOVE:
      case BUILT_IN_MEMPCPY:
        add(at, call, 1, false);
        add(at, call, 0, true);
        return;
      case BUILT_IN_MEMSET:
        add(at, call, 0, true);
        return;
      case BUILT_IN_MEMCMP:
      case BUILT_IN_MEMCMP_EQ:
        add(at, call, 0, false);
        add(at, call, 1, false);
        return;
      default:
        break;
    }
    const char* name = string_function(code);
    if (!name) return;
    const tree function = build_fn_decl(name, TREE_TYPE(gimple_call_fndecl(call)));
    TREE_NOTHROW(function) = 1;
    gimple_call_set_fndecl(call, function);
    any_ = true;
  }

  // Other sizes are left to the library, unless code is to be small: then they are expanded, too.
  void add(gimple_stmt_iterator& at, gcall* call, unsigned pointer, bool write) {
    const tree address = gimple_call_arg(call, pointer), size = gimple_call_arg(call, 2);
    if (TREE_CODE(size) != INTEGER_CST && !optimize_size) return;
    if (TREE_CODE(address) == ADDR_EXPR && !may_be_shared(TREE_OPERAND(address, 0))) return;
    gsi_insert_before(&at, range_hook(address, size, write, gimple_location(call)), GSI_SAME_STMT);
    any_ = true;
  }

  void structures(gimple_stmt_iterator& at, gcall* call) {
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i)
      if (gimple_seq hooks = of_structure(gimple_call_arg(call, i), false, gimple_location(call)))
        gsi_insert_seq_before(&at, hooks, GSI_SAME_STMT);
    gimple_seq hooks = of_structure(gimple_call_lhs(call), true, gimple_location(call));
    if (!hooks) return;
    // A call that may throw is the last of its block.
    if (!stmt_ends_bb_p(call))
      gsi_insert_seq_after(&at, hooks, GSI_CONTINUE_LINKING);
    else if (edge next = find_fallthru_edge(gimple_bb(call)->succs))
      gsi_insert_seq_on_edge(next, hooks);
  }

  gimple_seq of_structure(tree memory, bool write, location_t location) {
    if (!memory || is_gimple_reg_type(TREE_TYPE(memory))) return nullptr;
    if (!DECL_P(memory) && !handled_component_p(memory) && TREE_CODE(memory) != MEM_REF) return nullptr;
    const tree size = TYPE_SIZE_UNIT(TREE_TYPE(memory));
    if (!size || TREE_CODE(size) != INTEGER_CST || integer_zerop(size) || !may_be_shared(memory))
      return nullptr;
    gimple_seq hooks = nullptr;
    const tree address =
        force_gimple_operand(build_fold_addr_expr(unshare_expr(memory)), &hooks, true, NULL_TREE);
    gimple_seq_add_stmt(&hooks, range_hook(address, fold_convert(size_type_node, size), write, location));
    any_ = true;
    return hooks;
  }

  bool any_ = false;
};

}  // namespace

unsigned add_unseen_accesses(function* in) {
  Accesses accesses;
  basic_block block;
  FOR_EACH_BB_FN(block, in)
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) accesses.look_at(at);
  gsi_commit_edge_inserts();
  return accesses.any() ? TODO_update_ssa : 0;
}
