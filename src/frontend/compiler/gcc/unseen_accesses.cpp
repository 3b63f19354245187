// Accesses for which GCC's own pass (tsan) inserts no hook.
//
// It relies on the C library's functions being intercepted. But GCC expands memcpy, memset and memcmp of a constant
// size in place, also those that it has made of a loop or of strcpy. So a hook is added before them; if a call remains
// after all, the second check finds everything marked. What else it could still expand, or make such a call of (a copy
// of a size that has a known bound, sprintf of a constant string), remains the call that it is: it gets the function's
// name without its meaning.
//
// The pass also passes over structures that a call takes or returns by value: it looks at assignments. And it does not
// know the internal function by which GCC updates variables under `omp atomic` for which there is no instruction.
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

// Does the function access memory that its arguments point to, as the runtime's interceptors know?
bool is_intercepted(built_in_function code) {
  switch (code) {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
    case BUILT_IN_MEMSET:
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCHR:
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRCASECMP:
    case BUILT_IN_STRNCASECMP:
    case BUILT_IN_STRCPY:
    case BUILT_IN_STPCPY:
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STPNCPY:
    case BUILT_IN_STRCAT:
    case BUILT_IN_STRNCAT:
    case BUILT_IN_STRLEN:
    case BUILT_IN_STRNLEN:
    case BUILT_IN_STRCHR:
    case BUILT_IN_STRRCHR:
    case BUILT_IN_STRSTR:
    case BUILT_IN_STRPBRK:
    case BUILT_IN_STRSPN:
    case BUILT_IN_STRCSPN:
    case BUILT_IN_STRDUP:
    case BUILT_IN_STRNDUP:
    case BUILT_IN_SPRINTF:
    case BUILT_IN_SNPRINTF:
    case BUILT_IN_VSPRINTF:
    case BUILT_IN_VSNPRINTF:
    case BUILT_IN_MEMCPY_CHK:
    case BUILT_IN_MEMMOVE_CHK:
    case BUILT_IN_MEMPCPY_CHK:
    case BUILT_IN_MEMSET_CHK:
    case BUILT_IN_STRCPY_CHK:
    case BUILT_IN_STPCPY_CHK:
    case BUILT_IN_STRNCPY_CHK:
    case BUILT_IN_STPNCPY_CHK:
    case BUILT_IN_STRCAT_CHK:
    case BUILT_IN_STRNCAT_CHK:
    case BUILT_IN_SPRINTF_CHK:
    case BUILT_IN_SNPRINTF_CHK:
    case BUILT_IN_VSPRINTF_CHK:
    case BUILT_IN_VSNPRINTF_CHK:
      return true;
    default:
      return false;
  }
}

// GCC's comparisons for equality only are functions of its own.
const char* library_name(tree function) {
  switch (DECL_FUNCTION_CODE(function)) {
    case BUILT_IN_MEMCMP_EQ:
      return "memcmp";
    case BUILT_IN_STRCMP_EQ:
      return "strcmp";
    case BUILT_IN_STRNCMP_EQ:
      return "strncmp";
    default:
      return is_intercepted(DECL_FUNCTION_CODE(function)) ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function))
                                                          : nullptr;
  }
}

// Bytes up to the end of the last member. What follows may hold a member of a derived class.
HOST_WIDE_INT size_without_padding(tree type) {
  const HOST_WIDE_INT all = int_size_in_bytes(type);
  if (TREE_CODE(type) == ARRAY_TYPE) {
    const HOST_WIDE_INT element = int_size_in_bytes(TREE_TYPE(type));
    return element > 0 && all >= element ? all - element + size_without_padding(TREE_TYPE(type)) : all;
  }
  if (!RECORD_OR_UNION_TYPE_P(type) || all <= 0) return all;
  HOST_WIDE_INT end = 0;
  for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
    if (TREE_CODE(field) != FIELD_DECL || !DECL_SIZE(field)) continue;
    if (!tree_fits_uhwi_p(DECL_SIZE(field)) || !tree_fits_uhwi_p(bit_position(field))) return all;
    const HOST_WIDE_INT first = tree_to_uhwi(bit_position(field)), bits = tree_to_uhwi(DECL_SIZE(field));
    const HOST_WIDE_INT bytes = RECORD_OR_UNION_TYPE_P(TREE_TYPE(field)) && !DECL_BIT_FIELD(field)
                                    ? MIN(size_without_padding(TREE_TYPE(field)), bits / BITS_PER_UNIT)
                                    : CEIL(bits, BITS_PER_UNIT);
    if (bits) end = MAX(end, CEIL(first, BITS_PER_UNIT) + bytes);
  }
  return MIN(end, all);
}

class Accesses {
 public:
  void look_at(gimple_stmt_iterator& at) {
    gcall* call = dyn_cast<gcall*>(gsi_stmt(at));
    if (!call) return;
    if (gimple_call_internal_p(call, IFN_ATOMIC_COMPARE_EXCHANGE))
      compare_exchange(at, call);
    else if (gimple_call_internal_p(call))
      return;
    else if (gimple_call_builtin_p(call, BUILT_IN_NORMAL))
      library_function(at, call, gimple_call_fndecl(call));
    else
      structures(at, call);
  }
  bool any() const { return any_; }

 private:
  void library_function(gimple_stmt_iterator& at, gcall* call, tree called) {
    switch (DECL_FUNCTION_CODE(called)) {
      case BUILT_IN_TSAN_ATOMIC8_LOAD:
      case BUILT_IN_TSAN_ATOMIC16_LOAD:
      case BUILT_IN_TSAN_ATOMIC32_LOAD:
      case BUILT_IN_TSAN_ATOMIC64_LOAD:
      case BUILT_IN_TSAN_ATOMIC128_LOAD:
        load_ = gimple_location(call) == UNKNOWN_LOCATION ? call : nullptr;
        return;
      case BUILT_IN_MEMCPY:
      case BUILT_IN_MEMMOVE:
      case BUILT_IN_MEMPCPY:
        if (!is_expanded(call)) break;
        add(at, call, 1, false);
        add(at, call, 0, true);
        return;
      case BUILT_IN_MEMSET:
        if (!is_expanded(call)) break;
        add(at, call, 0, true);
        return;
      case BUILT_IN_MEMCMP:
      case BUILT_IN_MEMCMP_EQ:
        if (!is_expanded(call)) break;
        add(at, call, 0, false);
        add(at, call, 1, false);
        return;
      default:
        break;
    }
    const char* name = library_name(called);
    if (!name) return;
    const tree function = build_fn_decl(name, TREE_TYPE(called));
    TREE_NOTHROW(function) = TREE_NOTHROW(called);
    DECL_PURE_P(function) = DECL_PURE_P(called);
    gimple_call_set_fndecl(call, function);
    update_stmt(call);
    any_ = true;
  }

  static bool is_expanded(gcall* call) { return TREE_CODE(gimple_call_arg(call, 2)) == INTEGER_CST; }
  void add(gimple_stmt_iterator& at, gcall* call, unsigned pointer, bool write) {
    const tree address = gimple_call_arg(call, pointer), size = gimple_call_arg(call, 2);
    if (TREE_CODE(address) == ADDR_EXPR && !may_be_shared(TREE_OPERAND(address, 0))) return;
    gsi_insert_before(&at, range_hook(address, size, write, gimple_location(call)), GSI_SAME_STMT);
    any_ = true;
  }

  // .ATOMIC_COMPARE_EXCHANGE(address, expected, desired, size and whether it may fail, orders) returns the old value
  // and whether it was the expected one, as a complex number. The hook returns the old value.
  void compare_exchange(gimple_stmt_iterator& at, gcall* call) {
    const unsigned size = tree_to_uhwi(gimple_call_arg(call, 3)) & 255;
    const tree type = build_nonstandard_integer_type(size * BITS_PER_UNIT, 1);
    const auto value = [&](tree argument) {
      return force_gimple_operand_gsi(&at, fold_convert(type, argument), true, NULL_TREE, true,
                                      GSI_SAME_STMT);
    };
    const auto order = [&](unsigned argument) {
      const tree given = gimple_call_arg(call, argument);
      const HOST_WIDE_INT strongest = MEMMODEL_SEQ_CST;
      const bool known = tree_fits_uhwi_p(given);
      return build_int_cst(integer_type_node, known ? tree_to_uhwi(given) & MEMMODEL_BASE_MASK : strongest);
    };
    const location_t location = gimple_location(call);
    if (load_ && operand_equal_p(gimple_call_arg(load_, 0), gimple_call_arg(call, 0)))
      gimple_set_location(load_, location);
    const tree expected = value(gimple_call_arg(call, 1)), desired = value(gimple_call_arg(call, 2));
    gcall* hook = gimple_build_call(compare_exchange_hook(size), 5, gimple_call_arg(call, 0), expected,
                                    desired, order(4), order(5));
    gimple_set_location(hook, location);
    gimple_move_vops(hook, call);
    any_ = true;
    const tree result = gimple_call_lhs(call);
    if (!result) return gsi_replace(&at, hook, true), void();
    const tree old = make_ssa_name(type);
    gimple_call_set_lhs(hook, old);
    gsi_insert_before(&at, hook, GSI_SAME_STMT);
    const tree part = TREE_TYPE(TREE_TYPE(result));
    const tree equal = fold_convert(part, fold_build2(EQ_EXPR, boolean_type_node, old, expected));
    const tree succeeded = force_gimple_operand_gsi(&at, equal, true, NULL_TREE, true, GSI_SAME_STMT);
    const tree found =
        force_gimple_operand_gsi(&at, fold_convert(part, old), true, NULL_TREE, true, GSI_SAME_STMT);
    gassign* both = gimple_build_assign(result, COMPLEX_EXPR, found, succeeded);
    gimple_set_location(both, location);
    gsi_replace(&at, both, true);
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
    const HOST_WIDE_INT size = size_without_padding(TREE_TYPE(memory));
    if (size <= 0 || !may_be_shared(memory)) return nullptr;
    gimple_seq hooks = nullptr;
    const tree address =
        force_gimple_operand(build_fold_addr_expr(unshare_expr(memory)), &hooks, true, NULL_TREE);
    gimple_seq_add_stmt(&hooks, range_hook(address, build_int_cst(size_type_node, size), write, location));
    any_ = true;
    return hooks;
  }

  gcall* load_ =
      nullptr;  // the last atomic load, if it has no location: perhaps that of the loop of an update
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
