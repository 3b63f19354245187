#include "runtime/controlled/actor_heap.hpp"

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
// Not read before it is written: that would cost another page fault.
struct Heap {
  char* next;
  char* end;  // of the pocket, then of the region
  FreeBlock* free[kClasses];
};

// What most actors need is a few small blocks. Those lie close together, a pocket beside the other: a page, its page
// table and its shadow serve several actors, where a region of one's own would cost each of them all three.
constexpr usize kPocket = 512;
constexpr usize kFront = (kActors * (sizeof(Heap) + kPocket) + 4095) / 4096 * 4096;

// First the heaps, then the pockets, then the regions.
Heap* g_heaps = nullptr;
char* g_pockets = nullptr;
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

// Whose it is. REQUIRES: owns(block).
u32 owner_of(const void* block) {
  const auto* at = static_cast<const char*>(block);
  return static_cast<u32>(at < g_regions ? static_cast<usize>(at - g_pockets) / kPocket
                                         : static_cast<usize>(at - g_regions) / kRegion);
}
Header& header_of(const void* block) { return reinterpret_cast<Header*>(const_cast<void*>(block))[-1]; }

Heap* own_heap() {
  const control::Actor* actor = control::current();
  if (!g_on || !actor || control::number(actor) >= kActors) return nullptr;
  const u32 number = control::number(actor);
  Heap* heap = g_heaps + number;
  if (!g_used[number]) {
    g_used[number] = true;
    heap->next = g_pockets + number * kPocket;
    heap->end = heap->next + kPocket;
  }
  return heap;
}

void* cut(Heap& heap, usize room, usize alignment) {
  for (;;) {
    uptr at = reinterpret_cast<uptr>(heap.next) + sizeof(Header);
    at = (at + alignment - 1) & ~(alignment - 1);
    if (at + room <= reinterpret_cast<uptr>(heap.end)) {
      heap.next = reinterpret_cast<char*>(at + room);
      return reinterpret_cast<void*>(at);
    }
    if (heap.end > g_regions) return nullptr;
    heap.next = g_regions + static_cast<usize>(&heap - g_heaps) * kRegion;
    heap.end = heap.next + kRegion;
  }
}

}  // namespace

void reserve() {
  const long at = system_call(SYS_mmap, 0, kFront + kActors * kRegion, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at <= 0) return;
  g_heaps = reinterpret_cast<Heap*>(at);
  g_pockets = reinterpret_cast<char*>(g_heaps + kActors);
  g_regions = reinterpret_cast<char*>(at) + kFront;
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
  return g_regions &&
         reinterpret_cast<uptr>(block) - reinterpret_cast<uptr>(g_heaps) < kFront + kActors * kRegion;
}

void release(void* block) {
  const control::Actor* actor = control::current();
  if (!actor || owner_of(block) != control::number(actor)) return;
  Heap* heap = own_heap();
  const u32 index = header_of(block).size_class;
  if (index == kNoClass || !heap) return;
  auto* free = static_cast<FreeBlock*>(block);
  free->next = heap->free[index];
  heap->free[index] = free;
}

usize size_of(const void* block) { return header_of(block).size; }

}  // namespace heddle::actor_heap
