// Preloaded into the tool by a test: counts its allocations and lets one of them fail, once.
//
// What to do and what was done stand in a file that is mapped by all processes the tool forks: an allocation counts
// once, whoever makes it. Programs that the tool starts are left alone: the variable that preloads this is removed.
//
// A failure is interesting once for each way that leads to it, so a run that counts also lists the first allocation
// of every call stack.
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

// As faults.py reads and writes it.
struct Shared {
  static constexpr std::size_t kMostStacks = 1 << 16;
  static constexpr int kMostFrames = 24;

  std::uint64_t fails;  // the number of the allocation that is to fail; 0: none, they are counted
  std::atomic<std::uint64_t> count;  // of allocations so far
  std::uint64_t fired;               // of those that failed
  std::uint64_t stacks;
  std::uint64_t first[kMostStacks];  // the number of the first allocation of each stack
  std::uint64_t hash[kMostStacks];   // open addressing; 0: free
};

Shared* shared = nullptr;
std::atomic_flag listing = ATOMIC_FLAG_INIT;
thread_local bool inside = false;  // backtrace() may allocate

std::uint64_t hash_of_stack() {
  constexpr int kFrames = 10;  // enough to tell callers apart, few enough that loops and recursions are one
  void* frames[kFrames];
  const int count = backtrace(frames, kFrames);
  std::uint64_t hash = 1;
  for (int i = 2; i < count; ++i) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

void list(std::uint64_t number) {
  const std::uint64_t hash = hash_of_stack();
  while (listing.test_and_set(std::memory_order_acquire)) {
  }
  std::size_t at = hash % Shared::kMostStacks;
  while (shared->hash[at] != 0 && shared->hash[at] != hash) at = (at + 1) % Shared::kMostStacks;
  if (shared->hash[at] == 0 && shared->stacks + 1 < Shared::kMostStacks) {
    shared->hash[at] = hash;
    shared->first[shared->stacks++] = number;
  }
  listing.clear(std::memory_order_release);
}

void show_stack() {
  const char* descriptor = std::getenv("HEDDLE_FAULT_STACK");
  if (!descriptor) return;
  void* frames[Shared::kMostFrames];
  backtrace_symbols_fd(frames, backtrace(frames, Shared::kMostFrames), std::atoi(descriptor));
}

bool is_to_fail() {
  if (!shared || inside) return false;
  inside = true;
  const std::uint64_t number = shared->count.fetch_add(1) + 1;
  const bool fails = number == shared->fails;
  if (fails) {
    shared->fired = number;
    show_stack();
  } else if (shared->fails == 0) {
    list(number);
  }
  inside = false;
  if (fails) errno = ENOMEM;
  return fails;
}

// Before main, and after everything that the loader does. The tracer (inject.cpp) counts system calls from the same
// point on: it knows the call.
__attribute__((constructor)) void begin() {
  unsetenv("LD_PRELOAD");
  constexpr long kMarker = 0x48454444;
  syscall(SYS_prctl, kMarker, 0, 0, 0, 0);
  const char* path = std::getenv("HEDDLE_FAULT_FILE");
  if (!path) return;
  void* frame;
  backtrace(&frame, 1);  // loads its library
  const int descriptor = open(path, O_RDWR | O_CLOEXEC);
  void* at = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (descriptor < 0 || at == MAP_FAILED) std::abort();
  close(descriptor);
  shared = static_cast<Shared*>(at);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return is_to_fail() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return is_to_fail() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  return (!block || size) && is_to_fail() ? nullptr : __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return is_to_fail() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  void* block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}
}
