// Feeds a history to the order engine, event by event: the same calls that the runtime makes for a running
// program. Not thread-safe: a history is read by one thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "event/event.hpp"
#include "order/depends.hpp"

namespace heddle::order {

class OrderBuilder {
 public:
  explicit OrderBuilder(Structure& structure);

  void add(const event::Event& event);

  // What the engine calls the task now: a thread of a team is a new Task after each barrier.
  Task& task(u32 number) { return *tasks_[number].task; }
  u32 thread_of(u32 number) const { return tasks_[number].thread; }

 private:
  struct Entry {
    Task* task = nullptr;
    Task* creator = nullptr;
    bool undeferred = false;
    std::unique_ptr<SyncObject> thread_end = {};
    DependNode* depends = nullptr;
    u32 thread = 0;
  };
  Entry& entry(u32 number);
  void run_on(u32 number, u32 thread);

  Structure& structure_;
  std::vector<Entry> tasks_;
  std::map<u32, Team*> teams_;
  std::map<u32, std::unique_ptr<SyncObject>> objects_;
  std::map<u32, std::unique_ptr<LockObject>> locks_;
};

}  // namespace heddle::order
