// What lines of findings are made of: tasks, locks, accesses, locations. For the files of this room.
#pragma once

#include "checker/race/access.hpp"
#include "order/dpst/task.hpp"
#include "runtime/log/line.hpp"
#include "runtime/shadow/heap_map.hpp"

namespace heddle::raw_log {

// Lines for the task and its ancestors, once each: a written task has its ancestors written. REQUIRES: g_lock.
void write_task(const order::Task* task);
void forget_written_tasks();

// Without the closing brace: more may follow.
void write_lock(Line& line, u32 id, bool write);
// The whole of an access that was checked granule by granule cannot be known: its part in this granule is.
void write_access(Line& line, const char* role, const race::Access& access, uptr granule);
void write_location(Line& line, uptr address, const HeapBlock& block);

}  // namespace heddle::raw_log
