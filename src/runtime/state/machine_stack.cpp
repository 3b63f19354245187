#include "runtime/state/machine_stack.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include "base/system_call.hpp"
#include "base/thread_pointer.hpp"

extern "C" void* __libc_stack_end
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier): the loader's

namespace heddle {
namespace {

constexpr uptr kPage = 4096;

uptr stack_pointer() { return reinterpret_cast<uptr>(__builtin_frame_address(0)); }
uptr word_at(uptr address) { return *reinterpret_cast<const uptr*>(address); }

// --- what the kernel says --------------------------------------------------------------------------------------------

struct Mapping {
  uptr begin = 0, end = 0;
  uptr below = 0;  // the end of the one before
};

// Lines are "begin-end ...": two numbers, and the rest does not matter.
class MappingReader {
 public:
  explicit MappingReader(uptr wanted) : wanted_(wanted) {}

  // True: it is found.
  bool read(char c) {
    if (c == '\n') {
      if (current_.begin <= wanted_ && wanted_ < current_.end) return true;
      current_ = {0, 0, current_.end};
      part_ = 0;
    } else if (part_ < 2 && (c == '-' || c == ' ')) {
      ++part_;
    } else if (part_ < 2) {
      uptr& number = part_ == 0 ? current_.begin : current_.end;
      number = number * 16 + static_cast<uptr>(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return false;
  }
  const Mapping& current() const { return current_; }

 private:
  uptr wanted_;
  Mapping current_;
  int part_ = 0;
};

Mapping mapping_of(uptr address) {
  const long file = system_call(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (is_error(file)) return {};
  MappingReader reader(address);
  Mapping found;
  char text[2048];
  for (long size; found.end == 0 && (size = system_call(SYS_read, file, text, sizeof text)) > 0;)
    for (long i = 0; i < size && found.end == 0; ++i)
      if (reader.read(text[i])) found = reader.current();
  system_call(SYS_close, file);
  return found;
}

// It grows when it is used, down to its limit or to what lies below it.
MachineStack of_initial_thread() {
  const uptr end = &__libc_stack_end ? reinterpret_cast<uptr>(__libc_stack_end) : stack_pointer();
  const Mapping mapping = mapping_of(end);
  if (mapping.end == 0) return {};
  const uptr high = (end + kPage) & ~(kPage - 1);
  rlimit limit = {};
  if (is_error(system_call(SYS_getrlimit, RLIMIT_STACK, &limit))) return {mapping.begin, high};
  const uptr room = mapping.end - mapping.below;
  const uptr size = limit.rlim_cur < room ? limit.rlim_cur & ~(kPage - 1) : room;
  return {mapping.end - size, high};
}

// Another mapping may follow without a gap; but the thread's own data lie at the upper end.
MachineStack of_unknown_thread() {
  const Mapping mapping = mapping_of(stack_pointer());
  const uptr own = thread_pointer();
  const bool limited = own > stack_pointer() && own < mapping.end;
  return {mapping.begin, limited ? own : mapping.end};
}

// --- what the C library knows ----------------------------------------------------------------------------------------

// glibc's descriptor of a thread, at the thread pointer, has the lower end of the stack, its size and that of the guard
// at its lower end one after the other. Of the initial thread the first two are 0 and __libc_stack_end, by which their
// place is found. 0: not found.
uptr g_place = 0;

void find_place() {
  constexpr uptr kFirst = 64,
                 kMost = 2304;  // what is in front is another part of the interface; glibc 2.36 has as much
  if (!&__libc_stack_end || !__libc_stack_end) return;
  const uptr begin = thread_pointer() + kFirst;
  uptr end = thread_pointer() + kMost;
  unsigned char resident;
  if (const uptr page = end & ~(kPage - 1); is_error(system_call(SYS_mincore, page, 1, &resident)))
    end = page;
  for (uptr at = begin; at + 2 * sizeof(uptr) <= end; at += sizeof(uptr)) {
    if (word_at(at) != 0 || word_at(at + sizeof(uptr)) != reinterpret_cast<uptr>(__libc_stack_end)) continue;
    g_place = at - thread_pointer();
    return;
  }
}

// Both the stack and the descriptor must lie there, or it is not what it seems to be.
bool known_to_library(MachineStack& stack) {
  if (g_place == 0) return false;
  const uptr low = word_at(thread_pointer() + g_place);
  const uptr size = word_at(thread_pointer() + g_place + sizeof(uptr));
  const uptr guard = word_at(thread_pointer() + g_place + 2 * sizeof(uptr));
  stack = {low + guard, low + size};
  const uptr here = stack_pointer(), descriptor = thread_pointer();
  return low != 0 && guard < size && stack.low < here && here < descriptor && descriptor < stack.high;
}

}  // namespace

MachineStack find_machine_stack() {
  if (system_call(SYS_gettid) == system_call(SYS_getpid)) {
    if (g_place == 0) find_place();
    return of_initial_thread();
  }
  MachineStack stack;
  return known_to_library(stack) ? stack : of_unknown_thread();
}

}  // namespace heddle
