// Imports traces in the text format of RAPID (".std"): a line is `thread|operation(argument)|location`.
//
//   T0|fork(T1)|12         r, w: a read or write of a variable      acq, rel: a lock
//   T1|w(V3)|40            fork, join: a thread
//   T0|r(V3)|13            begin, end, enter, exit, req, branch, dummy: no event of ours
//
// Each thread of the trace becomes a task, a variable eight bytes, a location a site. Task 0 does nothing: it forks
// the threads that no other thread forked. In those traces a thread may acquire a lock that it holds, and be joined
// more than once: the inner pairs are left out, and a later join awaits the signal that every thread sends at its
// end.
//
// Streaming: memory grows with the names in the trace, not with its length.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/lines.hpp"
#include "history/names.hpp"
#include "history/source.hpp"

namespace heddle::history {

class StdImport : public EventSource {
 public:
  explicit StdImport(std::unique_ptr<Input> input) : lines_(std::move(input)) {}

  bool next(Batch& batch) override;
  // The location as in the trace.
  std::optional<Site> site(u32 number) const override;

  u64 lines() const { return lines_.number(); }
  // The variable of an address.
  std::string_view variable(u64 address) const { return variables_.name(static_cast<u32>(address / 8 - 1)); }
  std::string_view thread(u32 task) const { return threads_.name(task - 1); }

 private:
  struct Thread {
    bool spawned = false, begun = false, ended = false;
    u32 locks = 0;  // that it holds
  };
  struct Lock {
    u32 owner = 0, depth = 0;
  };
  static constexpr usize kBatch = 4096;  // records: they stay in the second-level cache

  // Handles the next line: adds to events_, or sets pending_. False at the end.
  bool line();
  bool parse(std::string_view text);
  bool malformed(const std::string& what);
  Thread& thread_state(u32 task);
  bool begin(u32 task);
  bool acquire(u32 task, std::string_view name);
  bool release(u32 task, std::string_view name);
  bool fork(u32 task, std::string_view name);
  bool join(u32 task, std::string_view name);
  std::string name_of(u32 task) const { return std::string(thread(task)); }

  Lines lines_;
  Names threads_, variables_, locks_, sites_;
  std::vector<Thread> thread_states_;
  std::vector<Lock> lock_states_;
  std::vector<event::Event> events_;  // that wait to be taken
  usize taken_ = 0;
  std::vector<Record> memory_;
  u32 memory_task_ = 0;
  std::optional<Record> pending_;
  u32 pending_task_ = 0;
  bool over_ = false;
};

}  // namespace heddle::history
