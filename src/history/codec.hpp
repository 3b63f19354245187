// Events to records and back. Encoder writes the records of a single stream, for imports and generators.
#pragma once

#include <vector>

#include "event/event.hpp"
#include "history/channel/record.hpp"

namespace heddle::history {

// One record, or several if one is too small. They do not name the task.
void put_memory(const event::Access& access, std::vector<Record>& records);
void put_memory(const event::NewMemory& memory, std::vector<Record>& records);

class Encoder {
 public:
  void add(const event::Event& event, std::vector<Record>& records);
  void add(const event::Access& access, std::vector<Record>& records);
  void add(const event::NewMemory& memory, std::vector<Record>& records);

 private:
  void of_task(u32 task, std::vector<Record>& records);

  u32 task_ = ~u32{0};
  u32 ticket_ = 0;
};

constexpr bool is_memory(Op op) { return op == Op::kAccess || op == Op::kNewMemory; }

// REQUIRES: has_ticket(record.op), not kOrder, and is_valid(record). Its depend clauses are added by the caller.
event::Event decode(const Record& record, u32 task);
event::Depend decode_depend(const Record& record);

// The largest number of a task, team, thread, lock or object that the event names.
u32 largest_number(const event::Event& event);
// Numbers are dense. A history with this many records (or lines) has no number as large as this: tables by number
// stay small.
constexpr u64 number_limit(u64 records) { return (u64{1} << 16) + 16 * records; }

// The number of kDepend records that follow it.
inline u32 depends_of(const Record& record) {
  return record.op == Op::kSpawn || record.op == Op::kWaitDepend ? record.size : 0;
}

// Is the record valid by itself? `numbers` bounds the numbers of tasks, locks and so on.
bool is_valid(const Record& record, u64 numbers);

// The part of is_valid for every access.
inline bool is_valid_memory(const Record& record) {
  u64 size = record.op == Op::kAccess ? record.size : record.a;
  return size != 0 && record.address <= ~u64{0} - size;
}

}  // namespace heddle::history
