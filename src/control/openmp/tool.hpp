// Reports this runtime's events through OMPT as LLVM's libomp does: the same callbacks in the same order, so that
// src/frontend/openmp serves both.
#pragma once

#include "control/openmp/state.hpp"

namespace heddle::gomp {

// A callback that may not be set.
template <class F>
struct Callback;
template <class... Args>
struct Callback<void (*)(Args...)> {
  void (*function)(Args...) = nullptr;
  void operator()(Args... args) const {
    if (function) function(args...);
  }
};

struct Tool {
  Callback<ompt_callback_thread_begin_t> thread_begin;
  Callback<ompt_callback_parallel_begin_t> parallel_begin;
  Callback<ompt_callback_parallel_end_t> parallel_end;
  Callback<ompt_callback_implicit_task_t> implicit_task;
  Callback<ompt_callback_sync_region_t> sync_region;
  Callback<ompt_callback_sync_region_t> sync_region_wait;
  Callback<ompt_callback_work_t> work;
  Callback<ompt_callback_dispatch_t> dispatch;
  Callback<ompt_callback_task_create_t> task_create;
  Callback<ompt_callback_task_schedule_t> task_schedule;
  Callback<ompt_callback_dependences_t> dependences;
  Callback<ompt_callback_mutex_acquire_t> mutex_acquire;
  Callback<ompt_callback_mutex_t> mutex_acquired;
  Callback<ompt_callback_mutex_t> mutex_released;
  Callback<ompt_callback_mutex_acquire_t> lock_init;
  Callback<ompt_callback_mutex_t> lock_destroy;
  Callback<ompt_callback_nest_lock_t> nest_lock;
  Callback<ompt_callback_cancel_t> cancel;
};
const Tool& tool();

// Looks up ompt_start_tool in the program.
void start_tool();
void tool_thread_begin(ompt_thread_t kind, Thread& thread);

// Both ends of a region in which a thread waits, for the two callbacks that report it.
void tool_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, Thread& thread, const void* pc,
               bool region_is_over = false);
void tool_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, Thread& thread, const void* pc,
               bool region_is_over = false);
void tool_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, Thread& thread, u64 count, const void* pc);

}  // namespace heddle::gomp

#define HEDDLE_GOMP_PC __builtin_return_address(0)
