#include "engine/zipper/greedy.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/hash_map.hpp"

namespace heddle::engine {

void CoreRecorder::fork(TaskIndex task, TaskIndex child) {
  at(tasks_, child) = next_task_++;
  events.push_back({.op = CoreEvent::kFork, .task = tasks_[task], .other = tasks_[child]});
}
void CoreRecorder::begin(TaskIndex task, u32 thread) {
  events.push_back({.op = CoreEvent::kBegin, .task = tasks_[task], .other = thread});
}
void CoreRecorder::end(TaskIndex task) { events.push_back({.op = CoreEvent::kEnd, .task = tasks_[task]}); }
void CoreRecorder::join(TaskIndex task, TaskIndex child) {
  events.push_back({.op = CoreEvent::kJoin, .task = tasks_[task], .other = tasks_[child]});
}
u32 CoreRecorder::object(ObjectIndex index) {
  u32& number = at(objects_, index);
  if (number == kNone) number = next_object_++;
  return number;
}
void CoreRecorder::signal(TaskIndex task, ObjectIndex index, bool replace) {
  events.push_back(
      {.op = CoreEvent::kSignal, .write = replace, .task = tasks_[task], .other = object(index)});
}
void CoreRecorder::await(TaskIndex task, ObjectIndex index) {
  events.push_back({.op = CoreEvent::kAwait, .task = tasks_[task], .other = object(index)});
}
void CoreRecorder::forget(ObjectIndex index) { at(objects_, index) = kNone; }
void CoreRecorder::acquire(TaskIndex task, u32 lock, bool write) {
  events.push_back({.op = CoreEvent::kAcquire, .write = write, .task = tasks_[task], .other = lock});
}
void CoreRecorder::release(TaskIndex task, u32 lock, bool write) {
  events.push_back({.op = CoreEvent::kRelease, .write = write, .task = tasks_[task], .other = lock});
}
void CoreRecorder::access(TaskIndex task, const Access& a) {
  events.push_back({.op = CoreEvent::kAccess,
                    .write = a.write,
                    .atomic = a.atomic,
                    .task = tasks_[task],
                    .other = a.site,
                    .bound_to = a.bound_to,
                    .address = a.address,
                    .size = a.size});
}
void CoreRecorder::new_memory(TaskIndex task, u64 address, u64 size) {
  events.push_back({.op = CoreEvent::kNewMemory, .task = tasks_[task], .address = address, .size = size});
}

void play(const CoreEvent& e, Sink& sink) {
  switch (e.op) {
    case CoreEvent::kFork:
      return sink.fork(e.task, e.other);
    case CoreEvent::kBegin:
      return sink.begin(e.task, e.other);
    case CoreEvent::kEnd:
      return sink.end(e.task);
    case CoreEvent::kJoin:
      return sink.join(e.task, e.other);
    case CoreEvent::kSignal:
      return sink.signal(e.task, e.other, e.write);
    case CoreEvent::kAwait:
      return sink.await(e.task, e.other);
    case CoreEvent::kAcquire:
      return sink.acquire(e.task, e.other, e.write);
    case CoreEvent::kRelease:
      return sink.release(e.task, e.other, e.write);
    case CoreEvent::kAccess:
      return sink.access(e.task,
                         {e.address, static_cast<u32>(e.size), e.write, e.atomic, e.other, e.bound_to});
    case CoreEvent::kNewMemory:
      return sink.new_memory(e.task, e.address, e.size);
  }
}

namespace {

constexpr u32 kNone = ~u32{0};

// An object whose uses keep their order: its uses are divided into *runs*. Those of one run may come in any order,
// and a run begins when the one before is complete. Consecutive reads are a run, and each write is one; so are
// consecutive signals and consecutive awaits; a lock's consecutive readers, and each writer from its acquisition to
// its release.
struct Sequence {
  std::vector<u32> left;  // by run: uses that have not been placed
  u32 current = 0;
  u8 kind = 0;  // of the last run, while the history is read
  u32 last_task = kNone;
  std::vector<u32> waiting;  // tasks
};

class Reordering {
 public:
  explicit Reordering(const std::vector<CoreEvent>& events) : events_(events) {
    for (const CoreEvent& e : events)
      if (e.op == CoreEvent::kAccess)
        for (u64 word = e.address / 8; word * 8 < e.address + e.size; ++word) accessed_.push_back(word);
    std::sort(accessed_.begin(), accessed_.end());
    accessed_.erase(std::unique(accessed_.begin(), accessed_.end()), accessed_.end());
    for (u32 i = 0; i < events.size(); ++i) read(i);
  }

  std::vector<CoreEvent> run() {
    result_.reserve(events_.size());
    start(0);
    while (!runnable_.empty()) {
      u32 task = runnable_.back();
      runnable_.pop_back();
      while (tasks_[task].next < tasks_[task].events.size() && place(task)) {
      }
    }
    HEDDLE_CHECK(result_.size() == events_.size());
    return std::move(result_);
  }

 private:
  struct Use {
    u32 sequence, run;
  };
  struct Task {
    std::vector<u32> events;
    usize next = 0;
    bool started = false;
    u32 waiting = kNone;  // the task that joins it
  };
  enum Kind : u8 { kNobody, kShared, kExclusive, kOther };

  Task& task(u32 number) {
    if (number >= tasks_.size()) tasks_.resize(number + 1);
    return tasks_[number];
  }
  u32 sequence(HashMap<u32>& numbers, u64 key) {
    u32& number = numbers[key];
    if (number == 0) {
      sequences_.emplace_back();
      number = static_cast<u32>(sequences_.size());  // plus one
    }
    return number - 1;
  }

  // The event uses the sequence: in the current run, or in a new one.
  void use(u32 number, Kind kind, u32 by, bool goes_on) {
    Sequence& s = sequences_[number];
    if (s.left.empty() || !goes_on) s.left.push_back(0);
    ++s.left.back();
    s.kind = kind;
    s.last_task = by;
    uses_.push_back({number, static_cast<u32>(s.left.size() - 1)});
  }

  void read(u32 i) {
    const CoreEvent& e = events_[i];
    first_use_.push_back(static_cast<u32>(uses_.size()));
    task(e.task).events.push_back(i);
    switch (e.op) {
      case CoreEvent::kSignal:
      case CoreEvent::kAwait: {
        u32 number = sequence(objects_, e.other);
        Kind kind = e.op == CoreEvent::kAwait ? kShared : e.write ? kExclusive : kOther;
        use(number, kind, e.task, sequences_[number].kind == kind && kind != kExclusive);
        break;
      }
      case CoreEvent::kAcquire: {
        u32 number = sequence(locks_, e.other);
        Kind kind = e.write ? kExclusive : kShared;
        use(number, kind, e.task, kind == kShared && sequences_[number].kind == kShared);
        // Its release is part of the run: counted now, or the run would be complete too early.
        ++sequences_[number].left.back();
        break;
      }
      case CoreEvent::kRelease: {
        // Of the last run: a run ends only when all its holders have released.
        u32 number = sequence(locks_, e.other);
        uses_.push_back({number, static_cast<u32>(sequences_[number].left.size() - 1)});
        break;
      }
      case CoreEvent::kAccess:
      case CoreEvent::kNewMemory: {
        Kind kind = e.op == CoreEvent::kAccess && !e.write ? kShared : kExclusive;
        auto first = std::lower_bound(accessed_.begin(), accessed_.end(), e.address / 8);
        for (; first != accessed_.end() && *first * 8 < e.address + e.size; ++first) {
          u32 number = sequence(words_, *first);
          const Sequence& s = sequences_[number];
          bool goes_on = kind == s.kind && (kind == kShared || s.last_task == e.task);
          use(number, kind, e.task, goes_on);
        }
        break;
      }
      default:
        break;
    }
  }

  void start(u32 number) {
    task(number).started = true;
    runnable_.push_back(number);
  }

  // Places the next event of the task, or makes it wait for what blocks it.
  bool place(u32 number) {
    const u32 i = tasks_[number].events[tasks_[number].next];
    const CoreEvent& e = events_[i];
    if (e.op == CoreEvent::kJoin) {
      Task& child = task(e.other);
      if (!child.started || child.next < child.events.size()) {
        child.waiting = number;
        return false;
      }
    }
    const u32 end = i + 1 < first_use_.size() ? first_use_[i + 1] : static_cast<u32>(uses_.size());
    for (u32 u = first_use_[i]; u < end && e.op != CoreEvent::kRelease; ++u) {
      Sequence& s = sequences_[uses_[u].sequence];
      if (s.current == uses_[u].run) continue;
      s.waiting.push_back(number);
      return false;
    }
    ++tasks_[number].next;
    result_.push_back(e);
    for (u32 u = first_use_[i]; u < end; ++u) done(sequences_[uses_[u].sequence], uses_[u].run);
    if (e.op == CoreEvent::kFork) start(e.other);
    Task& t = tasks_[number];
    if (t.next == t.events.size() && t.waiting != kNone) runnable_.push_back(t.waiting);
    return true;
  }

  void done(Sequence& s, u32 run) {
    if (--s.left[run] != 0 || run != s.current) return;
    ++s.current;
    for (u32 task : s.waiting) runnable_.push_back(task);
    s.waiting.clear();
  }

  const std::vector<CoreEvent>& events_;
  std::vector<u64> accessed_;  // words, sorted: most new memory is never accessed
  std::vector<Task> tasks_;
  std::vector<Sequence> sequences_;
  HashMap<u32> objects_, locks_, words_;
  std::vector<Use> uses_;
  std::vector<u32> first_use_;  // by event
  std::vector<u32> runnable_;
  std::vector<CoreEvent> result_;
};

}  // namespace

std::vector<CoreEvent> greedy_order(const std::vector<CoreEvent>& events) { return Reordering(events).run(); }

}  // namespace heddle::engine
