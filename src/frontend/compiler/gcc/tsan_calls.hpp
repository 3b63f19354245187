// The calls that GCC's own pass (tsan) inserts, as a plugin's pass finds them.
#pragma once

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
#include <gimple-walk.h>
#include <ssa.h>
#include <fold-const.h>
#include <memmodel.h>
#include <cfgloop.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-loop-ivopts.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <cfganal.h>
#include <dominance.h>
#include <tree-cfg.h>
#include <tree-into-ssa.h>
// clang-format on

constexpr int kSizes = 5;  // 1 to 16 bytes

// A call of __tsan_read8 or a similar hook. Ranges, volatile and unaligned accesses stay unchanged.
struct Hook {
  gimple* call;
  tree address;
  int power;  // of the size
  bool read, write;
};
bool find_hook(gimple* statement, Hook& hook);

// void __tsan_read_writeN(void*): both.
tree compound_hook(int power);
// void __heddle_loop_accesses(void* first, size_t count, ptrdiff_t step, unsigned what): `count` accesses, a step
// apart.
tree loop_hook();
// void __heddle_rows(void* first, size_t size, size_t rows, ptrdiff_t stride, unsigned what): `rows` of `size` bytes, a
// stride apart.
tree rows_hook();

// void __heddle_thread_accesses(...), with the same arguments: to the thread's own data.
tree thread_hook();
// void __heddle_names_thread_data(void).
tree naming_hook();
// void __heddle_init_with_plugin(void): __tsan_init of an object that was built with this plugin.
tree init_hook();
// T __tsan_atomicN_compare_exchange_val(T* variable, T expected, T desired, int success, int failure), for a T of so
// many bytes.
tree compare_exchange_hook(unsigned size);
// void __heddle_single_ends(void).
tree single_hook();
// int __heddle_asks_thread_number(void): omp_get_thread_num, called by the program, not by GCC's own code. int
// __heddle_thread_number(void): for addresses only.
tree programs_number();
tree number_for_addresses();

// May a strand end here?
bool may_synchronise(gimple* statement);
void take_out(gimple* call);

// The passes: compound_hooks.cpp, loop_hooks.cpp, thread_data.cpp, singles.cpp, unseen_accesses.cpp.
void join_hooks(function* in);
unsigned hoist_hooks(function* in);
unsigned tell_of_thread_data(function* in);
unsigned add_unseen_accesses(function* in);
// Before GCC lowers OpenMP, and inserts calls of its own: the program's calls of omp_get_thread_num, and its singles.
void mark_number(gimple* statement);
void mark_single(gimple* statement);
