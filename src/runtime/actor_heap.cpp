#include "runtime/actor_heap.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/system_call.hpp"
#include "control/control.hpp"

namespace heddle::actor_heap {
namespace {

// Far more than the programs that one can explore have, or use; nothing is taken before it is touched.
constexpr u32 kActors = 256;
constexpr usize kRegion = usize{64} << 20;

// Sizes are multiples of 16 up to kFine, then powers of two.
constexpr usize kFine = 1024;
constexpr u32 kClasses = kFine / 16 + 10;
constexpr u32 kNoClass = ~u32{0};

struct Header {
  u64 size;
  u32 size_class;  // kNoClass: it is not used again
  u32 unused;
};
static_assert(sizeof(Header) == 16);

struct FreeBlock {
  FreeBlock* next;
};
// At the beginning of each region. Not looked at before it is written, which would cost a page fault more.
struct Heap {
  char* next;
  FreeBlock* free[kClasses];
};

char* g_regions = nullptr;
bool g_on = false;
bool g_used[kActors];  // this region

u32 class_of(usize size) {
  if (size <= kFine) return size ? static_cast<u32>((size - 1) / 16) : 0;
  u32 index = kFine / 16;
  for (usize room = kFine * 2; room < size; room *= 2) ++index;
  return index;
}
usize room_of(u32 index) {
  return index < kFine / 16 ? (usize{index} + 1) * 16 : kFine << (index - kFine / 16 + 1);
}
static_assert(kFine << 10 == kLargest);

Heap* heap_of(u32 actor) { return reinterpret_cast<Heap*>(g_regions + actor * kRegion); }
Header& header_of(const void* block) { return reinterpret_cast<Header*>(const_cast<void*>(block))[-1]; }

Heap* own_heap() {
  const control::Actor* actor = control::current();
  if (!g_on || !actor || control::number(actor) >= kActors) return nullptr;
  const u32 number = control::number(actor);
  Heap* heap = heap_of(number);
  if (!g_used[number]) {
    g_used[number] = true;
    heap->next = reinterpret_cast<char*>(heap + 1);
  }
  return heap;
}

void* cut(Heap& heap, usize room, usize alignment) {
  uptr at = reinterpret_cast<uptr>(heap.next) + sizeof(Header);
  at = (at + alignment - 1) & ~(alignment - 1);
  if (at + room > reinterpret_cast<uptr>(&heap) + kRegion) return nullptr;
  heap.next = reinterpret_cast<char*>(at + room);
  return reinterpret_cast<void*>(at);
}

}  // namespace

void reserve() {
  const long at = system_call(SYS_mmap, 0, kActors * kRegion, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at > 0) g_regions = reinterpret_cast<char*>(at);
}

void start() { g_on = g_regions != nullptr; }

void* allocate(usize size, usize alignment, bool zeroed) {
  Heap* heap = own_heap();
  if (!heap || size > kLargest || alignment > kLargest) return nullptr;
  const bool usual = alignment <= 16;
  const u32 index = class_of(size);
  void* block = nullptr;
  if (FreeBlock* free = usual ? heap->free[index] : nullptr) {
    heap->free[index] = free->next;
    block = zeroed ? __builtin_memset(free, 0, room_of(index)) : free;
  } else {
    block = cut(*heap, room_of(index), usual ? 16 : alignment);
    if (!block) return nullptr;
  }
  header_of(block) = {size, usual ? index : kNoClass, 0};
  return block;
}

bool owns(const void* block) {
  return g_regions && reinterpret_cast<uptr>(block) - reinterpret_cast<uptr>(g_regions) < kActors * kRegion;
}

void release(void* block) {
  Heap* heap = own_heap();
  const u32 index = header_of(block).size_class;
  if (index == kNoClass || !heap || reinterpret_cast<uptr>(block) - reinterpret_cast<uptr>(heap) >= kRegion)
    return;
  auto* free = static_cast<FreeBlock*>(block);
  free->next = heap->free[index];
  heap->free[index] = free;
}

usize size_of(const void* block) { return header_of(block).size; }

}  // namespace heddle::actor_heap
