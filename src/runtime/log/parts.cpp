#include "runtime/log/parts.hpp"

#include <link.h>

#include "base/hash_map.hpp"
#include "model/kinds.hpp"
#include "runtime/state/process.hpp"
#include "runtime/state/thread_list.hpp"

namespace heddle::raw_log {

using race::Access;

namespace {

HashMap<u8>& written_tasks() {
  static HashMap<u8>* tasks = memory::make<HashMap<u8>>();
  return *tasks;
}

bool in_module_data(uptr address) {
  return dl_iterate_phdr(
             [](dl_phdr_info* info, size_t, void* data) {
               uptr at = *static_cast<uptr*>(data);
               for (int i = 0; i < info->dlpi_phnum; ++i) {
                 const auto& header = info->dlpi_phdr[i];
                 uptr begin = info->dlpi_addr + header.p_vaddr;
                 if (header.p_type == PT_LOAD && at >= begin && at < begin + header.p_memsz) return 1;
               }
               return 0;
             },
             &address) != 0;
}

}  // namespace

void write_task(const order::Task* task) {
  for (; task && !written_tasks().find(task->id); task = task->parent) {
    written_tasks()[task->id] = 1;
    task->kept.store(true, std::memory_order_relaxed);
    Line line(g_usual, "task");
    if (rt().counts_creations) line.raw(",\"count\":").number(task->created_before);
    line.raw(",\"id\":")
        .number(task->id)
        .raw(",\"kind\":")
        .text(name(static_cast<TaskKind>(task->kind)))
        .raw(",\"parent\":")
        .number(task->parent ? task->parent->id : 0)
        .raw(",\"thread\":")
        .number(task->thread.load(std::memory_order_relaxed))
        .raw(",\"created\":")
        .stack(task->created_at);
  }
}

void forget_written_tasks() { written_tasks().reset(); }

void write_lock(Line& line, u32 id, bool write) {
  Sync* sync = rt().syncs.lock_by_id(id);
  line.raw("{\"id\":")
      .number(id)
      .raw(",\"kind\":")
      .text(sync ? name(sync->kind) : "lock")
      .raw(",\"address\":")
      .address(sync ? sync->address : 0)
      .raw(",\"mode\":")
      .text(write ? "write" : "read");
}

void write_access(Line& line, const char* role, const Access& access, uptr granule) {
  u8 bytes = access.bytes();
  uptr from = granule + static_cast<uptr>(__builtin_ctz(bytes));
  line.raw(",\"")
      .raw(role)
      .raw("\":{\"op\":")
      .text(access.free()    ? "free"
            : access.write() ? "write"
                             : "read")
      .raw(",\"atomic\":")
      .raw(access.atomic() ? "true" : "false")
      .raw(",\"address\":")
      .address(from)
      .raw(",\"size\":")
      .number(count_bits(bytes))
      .raw(",\"stack\":")
      .stack(access.site())
      .raw(",\"task\":")
      .number(access.task())
      .raw(",\"thread\":")
      .number(rt().order.find(access.task())->thread.load(std::memory_order_relaxed))
      .raw(",\"locks\":[");
  const Lockset& locks = rt().locksets.get(access.lockset());
  bool first = true;
  for (u32 i = 0; i < locks.count; ++i) {
    const Sync* sync = rt().syncs.lock_by_id(locks.at[i] >> 1);
    if (sync && sync->kind == LockKind::kOneThread) continue;
    if (!std::exchange(first, false)) line.raw(",");
    write_lock(line, locks.at[i] >> 1, locks.at[i] & 1);
    line.raw("}");
  }
  line.raw("]}");
}

void write_location(Line& line, uptr address, const HeapBlock& block) {
  line.raw(",\"location\":");
  thread_list::Owner owner = thread_list::find(address);
  if (owner.thread) {
    line.raw("{\"kind\":").text(owner.in_tls ? "tls" : "stack").raw(",\"thread\":").number(owner.thread);
    if (owner.frame_pointer)
      line.raw(",\"frame\":").address(owner.pc).raw(",\"cfa_hint\":").address(owner.frame_pointer);
    line.raw("}");
  } else if (block.size) {
    line.raw("{\"kind\":\"heap\",\"base\":")
        .address(block.base)
        .raw(",\"size\":")
        .number(block.size)
        .raw(",\"offset\":")
        .number(address - block.base)
        .raw(",\"stack\":")
        .stack(block.stack)
        .raw(",\"task\":")
        .number(block.task)
        .raw(",\"freed\":")
        .raw(block.freed ? "true" : "false");
    if (rt().counts_creations) line.raw(",\"count\":").number(block.count);
    line.raw("}");
  } else if (in_module_data(address)) {
    line.raw("{\"kind\":\"global\"}");
  } else {
    line.raw("{\"kind\":\"unknown\"}");
  }
}

}  // namespace heddle::raw_log
