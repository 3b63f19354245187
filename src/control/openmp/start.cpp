// First use: finds the core and the tool in the executable, reads the environment, and registers the calling thread.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "base/check.hpp"
#include "base/system_call.hpp"
#include "control/openmp/pool.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

const control::Table* g_core = nullptr;
void (*g_fresh_memory)(uptr, usize) = nullptr;
void (*g_bind_memory)(uptr, usize) = nullptr;
u32 (*g_stand_in)(u32) = nullptr;
__thread Thread* t_thread __attribute__((tls_model("initial-exec"))) = nullptr;

const control::Table* find_core() {
  auto get = reinterpret_cast<const control::Table* (*)()>(dlsym(RTLD_DEFAULT, "__heddle_control"));
  const control::Table* table = get ? get() : nullptr;
  if (!table || !table->on())
    stop(
        "Heddle's OpenMP runtime is only for programs built with Heddle and started by heddle run --serial, "
        "heddle prove or heddle replay");
  if (table->version != control::Table::kVersion)
    stop("the program was built with another version of Heddle than the one that runs it; build it again");
  return table;
}

void start() {
  g_core = find_core();
  g_fresh_memory = reinterpret_cast<void (*)(uptr, usize)>(dlsym(RTLD_DEFAULT, "__heddle_fresh_memory"));
  g_bind_memory = reinterpret_cast<void (*)(uptr, usize)>(dlsym(RTLD_DEFAULT, "__heddle_bind_memory"));
  g_stand_in = reinterpret_cast<u32 (*)(u32)>(dlsym(RTLD_DEFAULT, "__heddle_stand_in"));
  read_environment(g_core->threads());
  start_tool();
}

// A team of one for a thread that is new to OpenMP.
Thread* make_thread(ompt_thread_t kind) {
  auto* thread = memory::make<Thread>();
  t_thread = thread;
  auto* team = memory::make<Team>();
  auto* member = memory::make<Member>();
  team->members.push_back(member);
  member->team = team;
  member->implicit.team = team;
  member->implicit.implicit = true;
  member->implicit.settings = globals().initial;
  thread->member = member;
  thread->task = &member->implicit;
  tool_thread_begin(kind, *thread);
  member->tool_number = stand_in(0);
  // The thread whose end is the program's, not the first to arrive here.
  team->may_take_turns = system_call(SYS_gettid) == system_call(SYS_getpid);
  if (kind == ompt_thread_initial)
    tool().implicit_task(ompt_scope_begin, &team->tool, &member->implicit.tool, 1, 1, ompt_task_initial);
  return thread;
}

// Frees the state of a thread that the program created. Only under control: a forked child has no workers.
void end_thread(void* data) {
  auto* thread = static_cast<Thread*>(data);
  if (!controlled() || thread->member->team->level) return;
  end_workers(*thread);
  Member* member = thread->member;
  t_thread = nullptr;
  if (!member->team->unfinished_tasks) {  // else they use it last, and it is not counted
    destroy_depends(&member->implicit);
    memory::destroy(member->team);
    memory::destroy(member);
  }
  memory::destroy(thread);
}

void note_end(Thread* thread) {
  static pthread_key_t key;
  static const bool made = pthread_key_create(&key, end_thread) == 0;
  if (made) pthread_setspecific(key, thread);
}

}  // namespace

const control::Table& core() { return *g_core; }
bool controlled() { return g_core->on() && g_core->active(); }
bool named() { return g_core->follows_names(); }
void prepare() {
  if (controlled()) g_core->prepare();
}

Thread& self() {
  if (HEDDLE_UNLIKELY(!t_thread)) {
    bool first = !g_core;
    if (first) start();
    Thread* thread = make_thread(first ? ompt_thread_initial : ompt_thread_other);
    if (!first) note_end(thread);
  }
  return *t_thread;
}

Thread& new_worker_thread() { return *make_thread(ompt_thread_worker); }

void wait_until(bool (*enabled)(void*), void* data, const char* what) {
  if (controlled())
    core().choose({.op = Op::kWait, .enabled = enabled, .data = data, .what = what});
  else if (!enabled(data))
    stop(
        "a thread that is not under control waits for others: OpenMP in a forked child, or in a thread that "
        "was started by code "
        "that Heddle does not see");
}

void choose_to(const void* object, const char* what, bool politely) {
  if (controlled())
    core().choose(
        {.op = Op::kChoice, .yields = politely, .object = reinterpret_cast<uptr>(object), .what = what});
}

void cut() {
  if (controlled()) core().cut();
}

void stop(const char* message) {
  if (g_core && controlled()) core().give_up_exploring(message);
  fatal(message);
}

void fresh_memory(const void* block, usize size) {
  if (g_fresh_memory) g_fresh_memory(reinterpret_cast<uptr>(block), size);
}
void bind_memory(const void* block, usize size) {
  if (g_bind_memory) g_bind_memory(reinterpret_cast<uptr>(block), size);
}

u32 stand_in(u32 number) { return g_stand_in ? g_stand_in(number) : 0; }

}  // namespace heddle::gomp
