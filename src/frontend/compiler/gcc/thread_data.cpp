// Accesses to the accessing thread's own data: the address is computed from the thread's number (omp_get_thread_num),
// or from the address of a thread-local variable, by its name. clang/thread_data.cpp explains the method: this is the
// same for GCC, which keeps local variables that do not escape as SSA names even without optimisation.
//
// GCC itself calls omp_get_thread_num to divide a loop. So the program's own calls become calls of
// __heddle_asks_thread_number before that (MarkNumbers).
#include "frontend/compiler/gcc/tsan_calls.hpp"

namespace {

bool is_called(gimple* statement, tree function) {
  return is_gimple_call(statement) && function && gimple_call_fndecl(statement) == function;
}

bool has_name(gimple* statement, const char* name, bool begins = false) {
  const tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!function) return false;
  // Early on, not all have their assembler name.
  const bool mangled = DECL_ASSEMBLER_NAME_SET_P(function);
  const char* own = IDENTIFIER_POINTER(mangled ? DECL_ASSEMBLER_NAME(function) : DECL_NAME(function));
  return begins ? startswith(own, name) : strcmp(own, name) == 0;
}

// The address of a thread-local variable, or of a part of it.
bool is_name(tree value) {
  if (!value || TREE_CODE(value) != ADDR_EXPR) return false;
  const tree base = get_base_address(TREE_OPERAND(value, 0));
  return base && VAR_P(base) && DECL_THREAD_LOCAL_P(base);
}
// Memory of such a variable.
bool is_of_thread(tree memory) {
  const tree base = memory && !CONSTANT_CLASS_P(memory) ? get_base_address(memory) : NULL_TREE;
  return base && VAR_P(base) && DECL_THREAD_LOCAL_P(base);
}

// Printing it yields no address.
bool only_prints(gimple* call) {
  return gimple_call_builtin_p(call, BUILT_IN_PRINTF) || gimple_call_builtin_p(call, BUILT_IN_FPRINTF) ||
         has_name(call, "printf") || has_name(call, "fprintf") || has_name(call, "_ZNSolsEi");
}

bool is_hook(gimple* statement) {
  Hook hook;
  return find_hook(statement, hook) || is_called(statement, loop_hook()) ||
         (gimple_call_builtin_p(statement, BUILT_IN_NORMAL) &&
          startswith(IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(statement))), "__builtin___tsan_"));
}

// The values derived from some roots, and their escapes.
class Flow {
 public:
  void add_root(tree value) {
    if (value && TREE_CODE(value) == SSA_NAME) roots_.safe_push(value);
  }
  void add_escape(gimple* statement) { escapes_.safe_push(statement); }

  void run() {
    // A phi is derived only if all its operands are. They are assumed to be, until one is found that is not.
    const unsigned direct = escapes_.length();
    do {
      follows_.empty();
      escapes_.truncate(direct);
      for (tree root : roots_) add(root);
      while (!pending_.is_empty()) follow(pending_.pop());
    } while (rule_out());
  }

  bool has(tree value) const {
    return TREE_CODE(value) == SSA_NAME && const_cast<hash_set<tree>&>(follows_).contains(value);
  }
  bool any() const { return !roots_.is_empty(); }
  const auto_vec<gimple*>& escapes() const { return escapes_; }
  // It is compared, or a condition depends on it.
  bool decides() const {
    for (gimple* escape : escapes_)
      if (gimple_code(escape) == GIMPLE_COND || gimple_code(escape) == GIMPLE_SWITCH ||
          is_gimple_assign(escape))
        return true;
    return false;
  }

 private:
  void add(tree value) {
    if (!follows_.add(value)) pending_.safe_push(value);
  }

  void follow(tree value) {
    gimple* user;
    imm_use_iterator at;
    FOR_EACH_IMM_USE_STMT(user, at, value) follow(value, user);
  }

  void follow(tree value, gimple* user) {
    if (is_gimple_debug(user)) return;
    if (gimple_code(user) == GIMPLE_PHI) {
      const tree result = gimple_phi_result(user);
      if (!ruled_out_.contains(result)) return add(result);
    } else if (is_gimple_assign(user)) {
      const tree to = gimple_assign_lhs(user);
      const tree_code code = gimple_assign_rhs_code(user);
      if (TREE_CODE(to) != SSA_NAME) {
        if (gimple_assign_rhs1(user) != value) return;  // part of the address
      } else if (gimple_assign_load_p(user)) {
        if (!POINTER_TYPE_P(TREE_TYPE(to))) return;
      } else if (TREE_CODE_CLASS(code) != tcc_comparison && code != COND_EXPR) {
        return add(to);
      } else if (POINTER_TYPE_P(TREE_TYPE(value))) {
        return;
      }
    } else if (is_gimple_call(user) && (is_hook(user) || only_prints(user))) {
      return;
    } else if (gimple_code(user) == GIMPLE_COND && POINTER_TYPE_P(TREE_TYPE(value))) {
      return;
    }
    escapes_.safe_push(user);
  }

  bool rule_out() {
    bool any = false;
    for (tree value : follows_) {
      gimple* definition = SSA_NAME_DEF_STMT(value);
      if (gimple_code(definition) != GIMPLE_PHI) continue;
      for (unsigned i = 0; i < gimple_phi_num_args(definition); ++i)
        if (!has(gimple_phi_arg_def(definition, i))) any |= !ruled_out_.add(value);
    }
    return any;
  }

  auto_vec<tree> roots_, pending_;
  auto_vec<gimple*> escapes_;
  hash_set<tree> follows_, ruled_out_;
};

void find_roots(gimple* statement, Flow& by_number, Flow& by_name) {
  if (is_called(statement, programs_number())) by_number.add_root(gimple_call_lhs(statement));
  if (has_name(statement, "_ZTW", true)) by_name.add_root(gimple_call_lhs(statement));
  if (is_gimple_debug(statement)) return;
  if (is_gimple_assign(statement)) {
    const tree to = gimple_assign_lhs(statement), from = gimple_assign_rhs1(statement);
    if (is_name(from)) {
      if (TREE_CODE(to) == SSA_NAME)
        by_name.add_root(to);
      else
        by_name.add_escape(statement);
    } else if (TREE_CODE(to) == SSA_NAME && POINTER_TYPE_P(TREE_TYPE(to)) &&
               gimple_assign_load_p(statement) && is_of_thread(from)) {
      by_name.add_escape(statement);  // a pointer that it holds
    }
    return;
  }
  if (is_gimple_call(statement) && is_hook(statement)) return;
  for (unsigned i = 0; i < gimple_num_ops(statement); ++i)
    if (is_name(gimple_op(statement, i))) return by_name.add_escape(statement);
}

void replace(gimple* call, tree first, tree count, tree step, unsigned what) {
  gcall* told =
      gimple_build_call(thread_hook(), 4, first, count, step, build_int_cst(unsigned_type_node, what));
  gimple_set_location(told, gimple_location(call));
  gimple_stmt_iterator at = gsi_for_stmt(call);
  gsi_insert_before(&at, told, GSI_SAME_STMT);
  take_out(call);
}

void say_that_it_names(gimple* before) {
  gcall* call = gimple_build_call(naming_hook(), 0);
  gimple_set_location(call, gimple_location(before));
  if (gimple_code(before) == GIMPLE_PHI) {
    gimple_stmt_iterator at = gsi_after_labels(gimple_bb(before));
    gsi_insert_before(&at, call, GSI_SAME_STMT);
  } else {
    gimple_stmt_iterator at = gsi_for_stmt(before);
    gsi_insert_before(&at, call, GSI_SAME_STMT);
  }
}

}  // namespace

void mark_number(gimple* statement) {
  if (has_name(statement, "omp_get_thread_num"))
    gimple_call_set_fndecl(as_a<gcall*>(statement), programs_number());
}

unsigned tell_of_thread_data(function* in) {
  Flow by_number, by_name;
  auto_vec<gimple*> hooks, numbers;
  basic_block block;
  bool any_name = false;
  FOR_EACH_BB_FN(block, in)
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gimple* statement = gsi_stmt(at);
    Hook hook;
    if (find_hook(statement, hook) || is_called(statement, loop_hook())) {
      hooks.safe_push(statement);
      any_name |= is_name(gimple_call_arg(statement, 0));
    }
    if (is_called(statement, programs_number()) || has_name(statement, "omp_get_thread_num"))
      numbers.safe_push(statement);
    find_roots(statement, by_number, by_name);
    if (gimple_call_builtin_p(statement, BUILT_IN_TSAN_INIT))
      gimple_call_set_fndecl(as_a<gcall*>(statement), init_hook());
  }
  if (numbers.is_empty() && !any_name && !by_name.any() && by_name.escapes().is_empty()) return 0;
  by_number.run();
  by_name.run();
  // GCC itself finds a thread's copy of a reduction variable this way; or it divides a loop, with a branch on the
  // number.
  Flow by_own_number;
  for (gimple* call : numbers) {
    Flow from_here;
    from_here.add_root(gimple_call_lhs(call));
    from_here.run();
    const bool by_program = is_called(call, programs_number());
    if (!by_program && !from_here.decides()) by_own_number.add_root(gimple_call_lhs(call));
    const Flow& flow = by_program ? by_number : from_here;
    gimple_call_set_fndecl(as_a<gcall*>(call), flow.escapes().is_empty() || (!by_program && flow.decides())
                                                   ? number_for_addresses()
                                                   : programs_number());
  }
  by_own_number.run();
  for (gimple* call : hooks) {
    const tree address = gimple_call_arg(call, 0);
    if (!is_name(address) && !by_number.has(address) && !by_own_number.has(address) && !by_name.has(address))
      continue;
    Hook hook;
    if (find_hook(call, hook))
      replace(
          call, address, size_one_node, build_int_cst(ptrdiff_type_node, 0),
          1u << hook.power << 2 | static_cast<unsigned>(hook.write) << 1 | static_cast<unsigned>(hook.read));
    else
      gimple_call_set_fndecl(as_a<gcall*>(call), thread_hook());
  }
  for (gimple* statement : by_name.escapes()) say_that_it_names(statement);
  return TODO_update_ssa;
}
