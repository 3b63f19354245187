// A call at the end of each `single`. GCC calls the runtime library where a single begins, and at the barrier that
// follows it, if there is one; with `nowait` nobody could know that what follows is no part of it. It must be known:
// any thread may get the single, but what follows belongs to this one.
//
// The copies of `copyprivate` need a barrier, so there it is known.
#include "frontend/compiler/gcc/tsan_calls.hpp"

// After GCC's headers, which it needs.
#include <omp-general.h>

void mark_single(gimple* statement) {
  if (gimple_code(statement) != GIMPLE_OMP_SINGLE ||
      omp_find_clause(gimple_omp_single_clauses(statement), OMP_CLAUSE_COPYPRIVATE))
    return;
  gcall* call = gimple_build_call(single_hook(), 0);
  gimple_set_location(call, gimple_location(statement));
  gimple_seq body = gimple_omp_body(statement);
  gimple_seq_add_stmt(&body, call);
  gimple_omp_set_body(statement, body);
}
