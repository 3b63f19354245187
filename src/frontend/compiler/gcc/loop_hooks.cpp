// One hook before a loop in place of one per iteration: `for (i = 0; i < n; ++i) a[i] = b[i];` reports n reads and n
// writes with two calls, and is optimised as without instrumentation: the loop passes come later.
//
// A loop in which nothing synchronises is part of one strand, so the time of an access within the loop does not
// matter, only that it is made: in each iteration, with an iteration count that is known at the loop's entry, at
// adjacent addresses. Such a count exists only for loops without another exit, so all reported accesses happen. (A
// polling loop has none.) Accesses to a fixed address keep their hooks: heddle confirm must be able to interleave
// them.
#include "frontend/compiler/gcc/tsan_calls.hpp"

namespace {

// The execution counts of the code before the exit, and of the code after it, which is one less. Null if not known
// before.
struct Counts {
  tree before = NULL_TREE, after = NULL_TREE;
};
Counts counts(class loop* loop, edge exit) {
  tree_niter_desc count;
  if (!number_of_iterations_exit_assumptions(loop, exit, &count, nullptr)) return {};
  tree after = fold_convert(size_type_node, unshare_expr(count.niter));
  if (!integer_zerop(count.may_be_zero))
    after = fold_build3(COND_EXPR, size_type_node, unshare_expr(count.may_be_zero), size_zero_node, after);
  tree before = fold_build2(PLUS_EXPR, size_type_node, unshare_expr(after), size_one_node);
  if (!integer_onep(count.assumptions)) {
    // Otherwise it runs until its counter wraps around, and the address with it: forever.
    auto finite = [&](tree times) {
      return fold_build3(COND_EXPR, size_type_node, unshare_expr(count.assumptions), times, size_one_node);
    };
    before = finite(before);
    after = finite(after);
  }
  return {before, after};
}

// Otherwise the reported iterations might never be executed.
bool loops_inside_end(const class loop* loop) {
  for (class loop* inner = loop->inner; inner; inner = inner->next)
    if (!finite_loop_p(inner) || !loops_inside_end(inner)) return false;
  return true;
}

// The hook of an inner loop.
bool is_loop_hook(gimple* statement) {
  return is_gimple_call(statement) && gimple_call_fndecl(statement) == loop_hook();
}

class Loop {
 public:
  explicit Loop(class loop* loop) : loop_(loop), exit_(single_exit(loop)) {}

  bool hoist() {
    if (!exit_ || !loops_inside_end(loop_) || !find_hooks()) return false;
    counts_ = counts(loop_, exit_);
    bool any = false;
    for (const Hook& hook : hooks_) any |= counts_.before && hoist(hook);
    return any;
  }

 private:
  // False: something in the loop may synchronise, or it has no hooks.
  bool find_hooks() {
    bool alone = true;
    basic_block* body = get_loop_body(loop_);
    for (unsigned i = 0; i < loop_->num_nodes && alone; ++i)
      for (gimple_stmt_iterator at = gsi_start_bb(body[i]); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        Hook hook;
        if (find_hook(statement, hook))
          hooks_.safe_push(hook);
        else if (!is_loop_hook(statement) && !gimple_clobber_p(statement) &&
                 (may_synchronise(statement) || gimple_has_volatile_ops(statement)))
          alone = false;
      }
    free(body);
    return alone && !hooks_.is_empty();
  }

  bool hoist(const Hook& hook) {
    const basic_block block = gimple_bb(hook.call);
    if (block->loop_father != loop_ || !dominated_by_p(CDI_DOMINATORS, loop_->latch, block)) return false;
    affine_iv address;
    if (!simple_iv(loop_, loop_, hook.address, &address, false) || TREE_CODE(address.step) != INTEGER_CST)
      return false;
    // As a difference of addresses: sizetype, the type of a pointer's step, has no sign.
    const HOST_WIDE_INT step = wi::to_wide(address.step).to_shwi();
    if (abs_hwi(step) != HOST_WIDE_INT_1 << hook.power) return false;
    const bool before_exit = dominated_by_p(CDI_DOMINATORS, exit_->src, block);
    gimple_seq before = nullptr;
    const tree count = insert(unshare_expr(before_exit ? counts_.before : counts_.after), before);
    const tree first = insert(fold_convert(ptr_type_node, unshare_expr(address.base)), before);
    const unsigned what =
        1u << hook.power << 2 | static_cast<unsigned>(hook.write) << 1 | static_cast<unsigned>(hook.read);
    gcall* call = gimple_build_call(loop_hook(), 4, first, count, build_int_cst(ptrdiff_type_node, step),
                                    build_int_cst(unsigned_type_node, what));
    gimple_set_location(call, gimple_location(hook.call));
    gimple_seq_add_stmt(&before, call);
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop_), before);
    take_out(hook.call);
    return true;
  }

  static tree insert(tree value, gimple_seq& into) {
    gimple_seq computed = nullptr;
    value = force_gimple_operand(value, &computed, true, NULL_TREE);
    gimple_seq_add_seq(&into, computed);
    return value;
  }

  class loop* loop_;
  edge exit_;
  Counts counts_;
  auto_vec<Hook> hooks_;
};

}  // namespace

unsigned hoist_hooks(function* in) {
  if (in->can_throw_non_call_exceptions) return 0;
  bool any = false;
  loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  if (number_of_loops(in) > 1) {
    calculate_dominance_info(CDI_DOMINATORS);
    scev_initialize();
    for (class loop* loop : loops_list(in, LI_FROM_INNERMOST)) any |= Loop(loop).hoist();
    scev_finalize();
  }
  loop_optimizer_finalize();
  return any ? TODO_update_ssa : 0;
}
