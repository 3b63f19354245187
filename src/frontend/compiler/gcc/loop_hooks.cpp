// One hook before a loop in place of one per iteration: `for (i = 0; i < n; ++i) a[i] = b[i];` reports n reads and n
// writes with two calls, and is optimised as without instrumentation: the loop passes come later.
//
// A loop in which nothing synchronises is part of one strand, so the time of an access within the loop does not
// matter, only that it is made: in each iteration, with an iteration count that is known at the loop's entry, at
// adjacent addresses. Such a count exists only for loops without
// another exit, so all reported accesses happen. (A polling loop has none.) Accesses to a fixed address keep their
// hooks: heddle confirm must be able to interleave them.
//
// The hook before an inner loop moves before the outer one, too, if it is the same in each iteration, or moves by a
// fixed step. What stays where it is is passed twice if there are two iterations.
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
  return is_gimple_call(statement) &&
         (gimple_call_fndecl(statement) == loop_hook() || gimple_call_fndecl(statement) == rows_hook());
}

// What such a hook stands for: `rows` of `count` accesses of `size` bytes, from `first` on; they are `step` apart, up
// or down, and the rows `stride`.
struct Accessed {
  tree first, count;
  HOST_WIDE_INT size, step;
  tree rows = NULL_TREE, stride = NULL_TREE;  // null: one row
  bool read, write;
};
Accessed accessed_by(const gcall* call) {
  Accessed accessed;
  accessed.first = gimple_call_arg(call, 0);
  const bool in_rows = gimple_call_fndecl(call) == rows_hook();
  const unsigned what =
      static_cast<unsigned>(tree_to_uhwi(gimple_call_arg(call, gimple_call_num_args(call) - 1)));
  accessed.read = what & 1;
  accessed.write = what & 2;
  if (in_rows) {
    accessed.count = gimple_call_arg(call, 1);
    accessed.size = accessed.step = 1;
    accessed.rows = gimple_call_arg(call, 2);
    accessed.stride = gimple_call_arg(call, 3);
  } else {
    accessed.count = gimple_call_arg(call, 1);
    accessed.step = tree_to_shwi(gimple_call_arg(call, 2));
    accessed.size = what >> 2;
  }
  return accessed;
}

class Loop {
 public:
  explicit Loop(class loop* loop) : loop_(loop), exit_(single_exit(loop)) {}

  bool hoist() {
    if (!exit_ || !loops_inside_end(loop_) || !find_hooks()) return false;
    counts_ = counts(loop_, exit_);
    if (!counts_.before) return false;
    bool any = false;
    for (const Hook& hook : hooks_) any |= hoist(hook);
    const bool sums = sums_at_a_place();
    for (gcall* call : of_inner_loops_) any |= hoist(call, sums);
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
        else if (is_loop_hook(statement))
          of_inner_loops_.safe_push(as_a<gcall*>(statement));
        else if (!gimple_clobber_p(statement) &&
                 (may_synchronise(statement) || gimple_has_volatile_ops(statement)))
          alone = false;
      }
    free(body);
    return alone && (!hooks_.is_empty() || !of_inner_loops_.is_empty());
  }

  bool in_every_iteration(const gimple* call) const {
    const basic_block block = gimple_bb(call);
    return block->loop_father == loop_ && dominated_by_p(CDI_DOMINATORS, loop_->latch, block);
  }
  // How often a statement of each iteration is run.
  tree count_of(const gimple* call) const {
    const bool before_exit = dominated_by_p(CDI_DOMINATORS, exit_->src, gimple_bb(call));
    return unshare_expr(before_exit ? counts_.before : counts_.after);
  }
  // As a difference of addresses: sizetype, the type of a pointer's step, has no sign.
  static HOST_WIDE_INT constant(tree step) { return wi::to_wide(step).to_shwi(); }

  bool hoist(const Hook& hook) {
    if (!in_every_iteration(hook.call)) return false;
    affine_iv address;
    if (!simple_iv(loop_, loop_, hook.address, &address, false) || TREE_CODE(address.step) != INTEGER_CST)
      return false;
    const HOST_WIDE_INT size = HOST_WIDE_INT_1 << hook.power, step = constant(address.step);
    if (abs_hwi(step) != size) return false;
    const Accessed accessed{address.base, count_of(hook.call), size,      step,
                            NULL_TREE,    NULL_TREE,           hook.read, hook.write};
    insert(accessed, hook.call);
    take_out(hook.call);
    return true;
  }

  // Its value before the loop, if that does not change; else null.
  tree fixed(tree value) const {
    affine_iv all;
    if (is_gimple_min_invariant(value)) return value;
    return simple_iv(loop_, loop_, value, &all, false) && integer_zerop(all.step) ? all.base : NULL_TREE;
  }

  // What has its hook before an inner loop.
  bool hoist(gcall* call, bool sums) {
    if (!in_every_iteration(call)) return false;
    Accessed accessed = accessed_by(call);
    affine_iv first;
    if (!simple_iv(loop_, loop_, accessed.first, &first, true) || !(accessed.count = fixed(accessed.count)))
      return false;
    if (accessed.rows &&
        (!(accessed.rows = fixed(accessed.rows)) || !(accessed.stride = fixed(accessed.stride))))
      return false;
    accessed.first = first.base;
    const tree count = count_of(call);
    const bool known = TREE_CODE(accessed.count) == INTEGER_CST && TREE_CODE(first.step) == INTEGER_CST;
    if (integer_zerop(first.step)) {
      if (sums) return false;
      insert(accessed, call);
      // Again, if there is a second iteration.
      const tree second = fold_build2(GT_EXPR, boolean_type_node, count, size_one_node);
      accessed.count =
          fold_build3(COND_EXPR, size_type_node, second,
                      fold_convert(size_type_node, unshare_expr(accessed.count)), size_zero_node);
      insert(accessed, call);
    } else if (accessed.rows) {
      return false;
    } else if (known && static_cast<HOST_WIDE_INT>(tree_to_uhwi(accessed.count)) * accessed.step ==
                            constant(first.step)) {
      accessed.count = fold_build2(MULT_EXPR, size_type_node, unshare_expr(accessed.count), count);
      insert(accessed, call);
    } else {
      accessed.rows = count;
      accessed.stride = first.step;
      insert(accessed, call);
    }
    take_out(call);
    return true;
  }

  // Much memory is better walked as the loops do. If each of several accesses to it walked all of it before the next
  // one does, what is pending would be checked again and again (AccessSets::kDirty). It is worth it only for what
  // then stays where it is in yet another loop.
  static bool is_small(const Accessed& accessed, tree rows) {
    constexpr unsigned HOST_WIDE_INT kBlock = 256, kFewBlocks = 128;
    if (!tree_fits_uhwi_p(accessed.count) || !tree_fits_uhwi_p(rows)) return false;
    const unsigned HOST_WIDE_INT size = tree_to_uhwi(accessed.count) * accessed.size;
    return tree_to_uhwi(rows) <= kFewBlocks && size <= kFewBlocks * kBlock &&
           tree_to_uhwi(rows) * (size / kBlock + 1) <= kFewBlocks;
  }
  bool stays_around(const Accessed& accessed) const {
    class loop* around = loop_outer(loop_);
    return loop_outer(around) && single_exit(around) && expr_invariant_in_loop_p(around, accessed.first) &&
           expr_invariant_in_loop_p(around, accessed.count);
  }

  // Does the loop write to the same place, or the same row, in each iteration?
  bool sums_at_a_place() const {
    affine_iv first;
    auto fixed_at = [&](tree address) {
      return simple_iv(loop_, loop_, address, &first, true) && integer_zerop(first.step);
    };
    for (const Hook& hook : hooks_)
      if (gimple_bb(hook.call) && hook.write && fixed_at(hook.address)) return true;
    for (gcall* call : of_inner_loops_)
      if (const Accessed accessed = accessed_by(call); accessed.write && fixed_at(accessed.first))
        return true;
    return false;
  }

  // Before the loop, from where the hook `of` is.
  void insert(const Accessed& accessed, gimple* of) {
    gimple_seq before = nullptr;
    auto value = [&](tree type, tree of) { return insert(fold_convert(type, unshare_expr(of)), before); };
    const unsigned what = static_cast<unsigned>(accessed.write) << 1 | static_cast<unsigned>(accessed.read);
    tree first = value(ptr_type_node, accessed.first);
    const tree count = value(size_type_node, accessed.count);
    gcall* call;
    if (accessed.rows) {
      const tree size =
          insert(fold_build2(MULT_EXPR, size_type_node, count, build_int_cst(size_type_node, accessed.size)),
                 before);
      if (accessed.step < 0)  // the row begins with its last access
        first = insert(fold_build2(POINTER_PLUS_EXPR, ptr_type_node, first,
                                   fold_build2(MINUS_EXPR, size_type_node,
                                               build_int_cst(size_type_node, accessed.size), size)),
                       before);
      call = gimple_build_call(rows_hook(), 5, first, size, value(size_type_node, accessed.rows),
                               value(ptrdiff_type_node, accessed.stride),
                               build_int_cst(unsigned_type_node, what));
    } else {
      call = gimple_build_call(
          loop_hook(), 4, first, count, build_int_cst(ptrdiff_type_node, accessed.step),
          build_int_cst(unsigned_type_node, static_cast<HOST_WIDE_INT>(accessed.size) << 2 | what));
    }
    gimple_set_location(call, gimple_location(of));
    gimple_seq_add_stmt(&before, call);
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop_), before);
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
  auto_vec<gcall*> of_inner_loops_;
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
