#include "runtime/controlled/fork_server.hpp"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "base/check.hpp"
#include "base/digits.hpp"
#include "base/system_call.hpp"
#include "base/text.hpp"
#include "control/guided.hpp"
#include "history/channel/channel.hpp"
#include "runtime/controlled/actor_heap.hpp"
#include "runtime/controlled/places.hpp"
#include "runtime/controlled/shared_memory.hpp"
#include "runtime/log/raw_log.hpp"
#include "runtime/races/strand.hpp"
#include "runtime/recording/empty_tables.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/state/current_stack.hpp"

// setvbuf, by a name that cannot be the program's.
extern "C" int _IO_setvbuf(FILE* stream, char* buffer, int mode, size_t size);

namespace heddle::fork_server {
namespace {

using control::Board;
using control::Message;

struct Worker {
  Board* board;
  int socket;
  history::Channel* channel;
};
constexpr u32 kMostWorkers = 256;
Worker g_workers[kMostWorkers];
u32 g_count = 0;

// Without the handlers of pthread_atfork: they would notify the program's libraries, and ourselves, that this is
// another program.
int plain_fork() { return _Fork(); }

constexpr char kNoProcess[] =
    "the kernel gives no more processes for executions (see ulimit -u, cgroup limits)";

[[noreturn]] void leave() {
  for (;;) system_call(SYS_exit_group, 0);
}

// --- files ---------------------------------------------------------------------------------------------------------

// A forked process shares the places where its open files are read and written. Executions must not disturb each other:
// each opens them again, where they were.
constexpr int kMostFiles = 1024;
int g_files[kMostFiles];
int g_file_count = 0;

void find_files() {
  for (int descriptor = 0; descriptor < kMostFiles; ++descriptor) {
    struct stat status;
    if (system_call(SYS_fstat, descriptor, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (descriptor == 1 || descriptor == 2 || descriptor == raw_log::descriptor()) continue;
    g_files[g_file_count++] = descriptor;
  }
}

void open_files_again() {
  for (int i = 0; i < g_file_count; ++i) {
    const int descriptor = g_files[i];
    long at = system_call(SYS_lseek, descriptor, 0, SEEK_CUR);
    long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
    if (at < 0 || flags < 0) continue;
    char path[64] = "/proc/self/fd/";
    char* end = path + sizeof "/proc/self/fd/" - 1;
    const Digits digits(static_cast<u64>(descriptor));
    for (const char* digit = digits.text(); *digit;) *end++ = *digit++;
    long again = system_call(SYS_openat, AT_FDCWD, path, flags & ~(O_CREAT | O_EXCL | O_TRUNC));
    if (again < 0) continue;
    system_call(SYS_lseek, again, at, SEEK_SET);
    long keep = system_call(SYS_fcntl, descriptor, F_GETFD);
    system_call(SYS_dup3, again, descriptor, keep & FD_CLOEXEC ? O_CLOEXEC : 0);
    system_call(SYS_close, again);
  }
}

void silence() {
  long nowhere = system_call(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  system_call(SYS_dup2, nowhere, 1);
  system_call(SYS_dup2, nowhere, 2);
  system_call(SYS_close, nowhere);
}

// --- one execution -------------------------------------------------------------------------------------------------

void begin_step(u64, control::Actor* actor, const control::Pending& pending) {
  control::note_step(actor, pending);
  recorder::mark_step(control::board()->steps);
}

void stalled(control::Stall kind) {
  control::end_execution(kind == control::Stall::kDeadlock ? control::BoardEnd::kDeadlock
                                                           : control::BoardEnd::kLivelock);
}

void become_execution(Worker& worker) {
  worker.board->process = static_cast<u32>(system_call(SYS_getpid));
  raw_log::mute();
  if (!worker.board->shows_output) silence();
  open_files_again();
  actor_heap::start();
  ThreadState& thread = *self();
  RuntimeScope scope(thread);
  recorder::open(worker.channel);
  rt().syncs.number_by_address();
  thread.stream = recorder::start(thread);
  // What the initial thread holds already, the explorer must know.
  for (HeldLock lock : thread.context->locks)
    recorder::acquired(thread, lock >> 1, lock & 1, {.waits = false});
  if (worker.board->mode == control::BoardMode::kReplay) recorder::leave_out_accesses();
  places::load(*worker.board);
  control::place_of = [](uptr pc) {
    ThreadState* at = self();
    return at && at->context ? uptr{current_site(*at, pc)} : pc;
  };
  control::on_step = begin_step;
  control::on_stall = stalled;
  on_fatal = [](const char* message) { control::give_up(message); };
  control::on_end = control::note_end;
  control::follow(worker.board, worker.socket);
  control::cut();  // its first step has begun here
}

// --- serving -------------------------------------------------------------------------------------------------------

bool send(const Worker& worker, void* data, usize size) {
  return transfer(SYS_write, worker.socket, data, size) == size;
}

// Returns in each execution.
void serve(Worker& worker) {
  system_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  auto ready = Message::kReady;
  // With another exit code it would look like a program that does nothing in parallel.
  if (!send(worker, &ready, 1)) fatal("the tool that explores the program cannot be reached");
  for (;;) {
    Message message;
    if (transfer(SYS_read, worker.socket, &message, 1) != 1 || message != Message::kRun) leave();
    int process = plain_fork();
    if (process < 0) fatal(kNoProcess);
    if (process == 0) {
      system_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      return become_execution(worker);
    }
    struct {
      u8 padding[3];
      Message message = Message::kEnded;
      int status = -1;
    } answer;
    while (system_call(SYS_wait4, process, &answer.status, 0, nullptr) == -EINTR) {
    }
    if (!send(worker, &answer.message, 1 + sizeof answer.status)) leave();
  }
}

// Its size depends on where the output goes, which is nowhere in all executions but one: it is made before they part,
// so that what they allocate later lies at the same addresses.
void make_output_buffer() {
  termios terminal;
  if (__fbufsize(stdout) != 0) return;
  _IO_setvbuf(stdout, nullptr, _IOFBF, 0);
  if (!is_error(system_call(SYS_ioctl, STDOUT_FILENO, TCGETS, &terminal)))
    _IO_setvbuf(stdout, nullptr, _IOLBF, 0);
}

void part() {
  control::before_first_actor = nullptr;
  raw_log::note_modules();
  find_files();
  make_output_buffer();
  actor_heap::reserve();
  recorder::prepare();
  empty_tables::prepare();
  memory::share_everything();
  for (u32 i = 1; i < g_count; ++i) {
    const int process = plain_fork();
    if (process < 0) fatal(kNoProcess);  // the tool would wait for it
    if (process == 0) return serve(g_workers[i]);
  }
  serve(g_workers[0]);
}

}  // namespace

bool attach() {
  const char* text = environment(control::kWorkers);
  if (!text) return false;
  while (*text && g_count < kMostWorkers) {
    int numbers[3] = {};
    for (int& number : numbers) {
      number = static_cast<int>(read_number(text, 10, &text));
      if (*text) ++text;
    }
    Worker& worker = g_workers[g_count++];
    worker.board = map_board(numbers[0]);
    worker.socket = numbers[1];
    worker.channel = static_cast<history::Channel*>(map_shared(numbers[2], history::kChannelBytes));
    // Going on without them would look like a program that does nothing in parallel.
    if (!worker.board || !worker.channel) fatal("the memory that the tool explores through cannot be mapped");
  }
  control::before_first_actor = part;
  return g_count > 0;
}

}  // namespace heddle::fork_server
