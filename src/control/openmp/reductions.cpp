// GCC describes reductions by an array of words:
//   0 how many   1 bytes a thread needs   2 alignment, then the address of the copies   3 allocator
//   4 the next array of the same construct, or 0   5 ours   6 the end of the copies
//   7.. for each: address of the variable, offset in a thread's copies, ours; by ascending offsets.
// Word 4 links to the arrays of the enclosing constructs. Word 5 marks the last array of a construct.
#include "control/openmp/reductions.hpp"

#include "control/openmp/barrier.hpp"
#include "control/openmp/tasks.hpp"

namespace heddle::gomp {
namespace {

enum Word : usize { kCount, kBytes, kCopies, kAllocator, kNext, kLast, kEnd, kFirst };
constexpr usize kWordsEach = 3;

uptr* next(const uptr* data) { return reinterpret_cast<uptr*>(data[kNext]); }

// Copies begin at the requested alignment; the block's own address is stored before them.
void* allocate(usize bytes, usize align) {
  if (align < 16) align = 16;
  usize all = bytes + align + 2 * sizeof(uptr);
  auto base = reinterpret_cast<uptr>(memory::allocate(all));
  uptr copies = (base + 2 * sizeof(uptr) + align - 1) & ~(align - 1);
  reinterpret_cast<uptr*>(copies)[-1] = base;
  reinterpret_cast<uptr*>(copies)[-2] = all;
  fresh_memory(reinterpret_cast<void*>(copies), bytes);
  bind_memory(reinterpret_cast<void*>(copies), bytes);
  return reinterpret_cast<void*>(copies);
}
void deallocate(void* copies) {
  auto* words = static_cast<uptr*>(copies);
  memory::release(reinterpret_cast<void*>(words[-1]), words[-2]);
}

void link(uptr* data, u32 threads, const uptr* shared_with, uptr* outer) {
  for (uptr* part = data;; part = next(part)) {
    if (shared_with) {
      part[kCopies] = shared_with[kCopies];
      part[kEnd] = shared_with[kEnd];
      shared_with = next(shared_with);
    } else {
      usize bytes = part[kBytes] * threads;
      part[kCopies] = reinterpret_cast<uptr>(allocate(bytes, part[kCopies]));
      part[kEnd] = part[kCopies] + bytes;
    }
    part[kLast] = part[kNext] == 0;
    if (part[kLast]) {
      part[kNext] = reinterpret_cast<uptr>(outer);
      return;
    }
  }
}

struct Found {
  const uptr* part = nullptr;
  uptr offset = 0;
  uptr original = 0;
};

// By the variable's address, or that of any thread's copy.
Found find(const uptr* data, uptr address) {
  for (const uptr* part = data; part; part = next(part)) {
    const uptr* entry = part + kFirst;
    for (usize i = 0; i < part[kCount]; ++i, entry += kWordsEach)
      if (entry[0] == address) return {part, entry[1], address};
  }
  for (const uptr* part = data; part; part = next(part)) {
    if (address < part[kCopies] || address >= part[kEnd]) continue;
    uptr offset = (address - part[kCopies]) % part[kBytes];
    const uptr* entry = part + kFirst;
    for (usize i = 0; i < part[kCount]; ++i, entry += kWordsEach)
      if (entry[1] == offset) return {part, offset, entry[0]};
    return {part, offset, 0};
  }
  return {};
}

}  // namespace

void register_reductions(Thread& thread, uptr* data, const uptr* shared_with) {
  Group* group = thread.task->group;
  link(data, thread.member->team->size, shared_with, group->reductions);
  group->reductions = data;
}

void allocate_reductions(uptr* data, u32 threads) { link(data, threads, nullptr, nullptr); }

void free_reductions(uptr* data) {
  for (uptr* part = data;; part = next(part)) {
    deallocate(reinterpret_cast<void*>(part[kCopies]));
    if (part[kLast]) return;
  }
}

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY void GOMP_taskgroup_reduction_register(uptr* data) { register_reductions(self(), data); }
HEDDLE_GOMP_ENTRY void GOMP_taskgroup_reduction_unregister(uptr* data) { free_reductions(data); }

// Each pointer points to a reduced variable, or to a thread's copy: it becomes the calling thread's copy. After all
// of them, the addresses of the variables themselves are returned for the first few.
HEDDLE_GOMP_ENTRY void GOMP_task_reduction_remap(usize count, usize originals, void** pointers) {
  Thread& thread = self();
  Group* group = thread.task->group;
  for (usize i = 0; i < count; ++i) {
    Found found = find(group ? group->reductions : nullptr, reinterpret_cast<uptr>(pointers[i]));
    if (!found.part) stop("in_reduction of a variable that no task_reduction around it names");
    pointers[i] = reinterpret_cast<void*>(found.part[kCopies] + thread.member->number * found.part[kBytes] +
                                          found.offset);
    if (i < originals) pointers[count + i] = reinterpret_cast<void*>(found.original);
  }
}

HEDDLE_GOMP_ENTRY void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  Thread& thread = self();
  uptr* data = thread.task->group->reductions;
  close_group(thread, HEDDLE_GOMP_PC);
  if (!cancelled) pass_barrier(thread, ompt_sync_region_barrier_implicit_workshare, false, HEDDLE_GOMP_PC);
  // After the barrier: all members have combined their copies.
  if (thread.member->number == 0) free_reductions(data);
}
