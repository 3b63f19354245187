#include "runtime/state/abstract_names.hpp"

#include <link.h>

#include "runtime/state/process.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::abstract_names {
namespace {

struct Executable {
  uptr bias = 0, end = 0;
  bool has(uptr address) const { return bias <= address && address < end; }
};

const Executable& executable() {
  static const Executable found = [] {
    Executable result;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
          auto* into = static_cast<Executable*>(data);
          into->bias = into->end = info->dlpi_addr;
          for (int i = 0; i < info->dlpi_phnum; ++i)
            if (info->dlpi_phdr[i].p_type == PT_LOAD) {
              const uptr end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
              if (end > into->end) into->end = end;
            }
          return 1;  // it is the first
        },
        &result);
    return result;
  }();
  return found;
}

// Never 0.
u64 join(u64 so_far, u64 next) { return mix(so_far * 31 + next) | 1; }

u64 of_creation(StackId stack, u32 count, const order::Task* creator) {
  constexpr u32 kDeepest = 256;
  uptr pcs[kDeepest];
  const u32 depth = rt().stacks.unwind(stack, pcs, kDeepest);
  u64 name = 1;
  for (u32 i = 0, sites = 0; i < depth && sites < rt().options.names_depth; ++i) {
    if (!executable().has(pcs[i])) continue;
    ++sites;
    name = join(name, pcs[i] - executable().bias);
  }
  if (rt().options.naming() != Names::kIndex) return name;
  return join(join(name, count), creator ? of_task(*creator) : 0);
}

}  // namespace

u64 of_task(const order::Task& task) {
  if (rt().options.naming() == Names::kTrivial || !rt().counts_creations) return 0;
  return task.parent ? of_creation(task.created_at, task.created_before, task.parent) : 1;
}

u64 of_lock(uptr address) {
  if (rt().options.naming() == Names::kTrivial || !rt().counts_creations) return 0;
  if (const Sync* sync = rt().syncs.find(address, SyncTable::kLock)) address = sync->address;
  if (executable().has(address)) return join(2, address - executable().bias);
  if (thread_list::find(address).thread) return 0;
  const HeapBlock block = rt().heap.around(address);
  if (block.size == 0) return 0;
  const u64 creation = of_creation(block.stack, block.count, rt().order.find(block.task));
  return join(join(3, address - block.base), creation);
}

}  // namespace heddle::abstract_names
