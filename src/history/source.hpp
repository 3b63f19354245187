// A source of events: a recorded file, an imported trace, a text of events, a generator. Engines read one of these,
// never a format.
//
// Most events are accesses, so they come in batches, as stored records: an engine that reads the records does not pay
// for the generality of event::Event.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "event/event.hpp"
#include "history/channel/record.hpp"

namespace heddle::history {

// Memory records of one task, then perhaps one event, of any task. Valid until the next call.
struct Batch {
  u32 task = 0;
  std::span<const Record> memory;       // kAccess and kNewMemory only
  const event::Event* event = nullptr;  // neither Access nor NewMemory
};

// A place in the program: a stack is the chain of callers.
struct Site {
  u32 caller = 0;
  u64 pc = 0;
  std::string name = {};  // of imported traces
};

// Not thread-safe.
class EventSource {
 public:
  virtual ~EventSource() = default;

  // False at the end of the readable part: problem() then says whether that is too early.
  [[nodiscard]] virtual bool next(Batch& batch) = 0;
  // Empty, or why the rest could not be read.
  const std::string& problem() const { return problem_; }
  // A site, as far as it is known so far; nothing for unknown ones.
  virtual std::optional<Site> site(u32) const { return std::nullopt; }

 protected:
  std::string problem_;
};

inline event::Access access_of(const Record& record, u32 task) {
  return {task,
          record.address,
          record.size,
          (record.flags & kWriteFlag) != 0,
          (record.flags & kAtomicFlag) != 0,
          record.a,
          (record.flags & kBoundFlag) != 0};
}
inline event::NewMemory new_memory_of(const Record& record, u32 task) {
  return {task, record.address, record.a};
}

// Calls on(event::Access), on(event::NewMemory) and on(event::Event) (for all others), in the order of the history.
template <class F>
void for_each_event(EventSource& source, F&& on) {
  Batch batch;
  while (source.next(batch)) {
    for (const Record& record : batch.memory)
      if (record.op == Op::kAccess)
        on(access_of(record, batch.task));
      else
        on(new_memory_of(record, batch.task));
    if (batch.event) on(*batch.event);
  }
}

// All of it in memory: for tests and small histories.
event::History read_all(EventSource& source);

}  // namespace heddle::history
