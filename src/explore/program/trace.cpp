#include "explore/program/trace.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "engine/lower.hpp"
#include "explore/footprint.hpp"
#include "history/codec.hpp"

namespace heddle::explore {

using RecordOp = history::Op;
using history::Record;

void TraceRecords::append(u32 stream, std::span<const Record> records) {
  auto& all = streams_[stream];
  all.insert(all.end(), records.begin(), records.end());
}

namespace {

// A call site as a number that is equal in all executions of one program image.
u32 site_digest(u32 caller, u64 pc) {
  const u64 mixed = mix(mix(pc) ^ caller);
  return static_cast<u32>(mixed ^ mixed >> 32) | 1;
}

// The records of one step: a piece of one stream.
struct Piece {
  const Record* begin = nullptr;
  const Record* end = nullptr;
};

// Reallocated memory is different memory: bytes that were touched before get a new generation, which is part of the
// address that the explorer sees.
class Generations {
 public:
  void touched(u64 address, u64 size) {
    for (u64 page = address >> kPageBits; page <= (address + size - 1) >> kPageBits; ++page)
      pages_[page].touched = true;
  }
  void renew(u64 address, u64 size) {
    for (u64 page = address >> kPageBits; page <= (address + size - 1) >> kPageBits;) {
      auto found = pages_.find(page);
      if (found == pages_.end() && size > kSparse) {  // a whole stack: few of its pages were ever touched
        for (auto& [number, known] : pages_)
          if (number >= page && number <= (address + size - 1) >> kPageBits)
            renew(known, number, address, size);
        return;
      }
      if (found != pages_.end()) renew(found->second, page, address, size);
      ++page;
    }
  }
  u64 of(u64 address) const {
    auto found = pages_.find(address >> kPageBits);
    if (found == pages_.end() || found->second.generation.empty()) return address;
    return address | u64{found->second.generation[(address & (kPage - 1)) / 8]} << 48;
  }
  // The end of the bytes from `address` on that are of one generation.
  u64 alike(u64 address, u64 end) const {
    u64 generation = of(address) - address;
    u64 at = (address & ~u64{7}) + 8;
    while (at < end && of(at) - at == generation) {
      auto found = pages_.find(at >> kPageBits);
      bool whole_page = found == pages_.end() || found->second.generation.empty();
      at = whole_page ? ((at >> kPageBits) + 1) << kPageBits : at + 8;
    }
    return std::min(at, end);
  }

 private:
  static constexpr u32 kPageBits = 8;
  static constexpr u64 kPage = 1 << kPageBits;
  static constexpr u64 kSparse = 1 << 16;
  struct Page {
    bool touched = false;
    std::vector<u16> generation;  // by granule of eight bytes
  };
  static void renew(Page& page, u64 number, u64 address, u64 size) {
    if (!page.touched) return;
    if (page.generation.empty()) page.generation.resize(kPage / 8);
    u64 low = std::max(address, number << kPageBits),
        high = std::min(address + size, (number + 1) << kPageBits);
    for (u64 at = low & ~u64{7}; at < high; at += 8) ++page.generation[(at & (kPage - 1)) / 8];
  }
  std::unordered_map<u64, Page> pages_;
};

class Builder final : public engine::Sink {
 public:
  Builder(const control::Board& board, std::span<const ActorNumber> numbers)
      : board_(board), numbers_(numbers), lowering_(*this) {
    steps_.reserve(board.steps);
    tasks_.resize(1);
    tasks_[0].serial = next_serial_++;
    runs_[0] = {0, 0, true};
  }

  void step(u32 number, u32 stream, std::span<const Piece> pieces) {
    begin_step(board_.trace[number]);
    for (const Piece& piece : pieces) read(piece, task_of_stream_[stream]);
    end_step();
  }
  void finish(Execution& execution) {
    for (u32 i = 0; i < board_.waiting; ++i) {
      Step& step = execution.waiting.emplace_back(about_to(board_.waits[i]));
      step.task = runs_[step.actor].serial;
    }
    for (u32 i = 0; i < steps_.size(); ++i) explain_wait(i);
    execution.steps = std::move(steps_);
  }

 private:
  bool is_of_another(u32 earlier, const Step& step) const { return steps_[earlier].actor != step.actor; }
  // Does structure order it after a step of another actor?
  bool ordered_by_structure(const Step& step) const {
    return std::any_of(step.after.begin(), step.after.end(),
                       [&](u32 earlier) { return is_of_another(earlier, step); });
  }

  // The events that ended a wait may be recorded after the next cut, by the task that continues there (the threads of
  // a team after a barrier). These are the same in every execution of a class; which arrival came last is not.
  void explain_wait(u32 number) {
    Step& step = steps_[number];
    auto other = [&](u32 earlier) { return is_of_another(earlier, step); };
    if (step.op != Op::kWait || !step.syncs.empty() ||
        (step.enabled_by.empty() && ordered_by_structure(step)))
      return;
    auto next = std::find_if(steps_.begin() + number + 1, steps_.end(),
                             [&](const Step& later) { return later.actor == step.actor; });
    if (next == steps_.end() || next->op != Op::kGoOn) return;
    std::vector<u32> causes;
    for (u32 earlier : next->after)
      if (earlier < number && other(earlier)) causes.push_back(earlier);
    if (causes.empty()) return;
    std::erase_if(step.after, other);
    step.enabled_by.clear();
    step.after.insert(step.after.end(), causes.begin(), causes.end());
  }

  struct Task {
    u32 serial = 0;
    std::vector<u32> knows;  // steps that happen before its next one, its own last step among them
  };

  // --- steps ---------------------------------------------------------------------------------------------------------

  // The part of a step that is known before it runs.
  Step about_to(const control::StepRecord& record) {
    Step step;
    step.actor = numbers_[record.actor];
    step.op = record.op;
    const bool of_lock = step.op == Op::kAcquire || step.op == Op::kTryAcquire;
    step.object = of_lock ? lock_name(history::lock_digest(record.object)) : record.object;
    step.write = record.write != 0;
    step.succeeded = record.outcome == control::Outcome::kReady;
    step.held = held_[step.actor];
    if (step.object && (step.op == Op::kChoice || (step.op == Op::kWait && record.flags & control::kTakes)))
      step.syncs.push_back({step.object, step.write});
    step.repeats = record.flags & control::kRepeats;
    for (u32 i = record.enabled_by; step.repeats && i < steps_.size(); ++i)
      if (steps_[i].actor == step.actor) add_looks(step.looks, steps_[i]);
    return step;
  }
  // Collects what a step without visible changes read.
  static void add_looks(Looks& looks, const Step& step) {
    if (step.op == Op::kAtomic) looks.syncs.push_back({step.object, false});
    for (const Sync& sync : step.syncs) looks.syncs.push_back({sync.object, false});
    if (step.op == Op::kTryAcquire && !step.succeeded) looks.locks.push_back({step.object, step.write});
    const std::vector<Held> locks = locks_of(step);
    looks.held.insert(looks.held.end(), locks.begin(), locks.end());
    for (Access access : step.accesses) {
      if (access.fresh || (locks.empty() && !access.atomic)) continue;
      access.write = false;
      looks.reads.push_back(access);
    }
  }
  void begin_step(const control::StepRecord& record) {
    now_ = static_cast<u32>(steps_.size());
    steps_.push_back(about_to(record));
    enabled_by_.clear();
    ran_out_ = record.outcome == control::Outcome::kTimedOut;  // no other actor was enabled
    if (ran_out_)
      for (auto [actor, last] : last_of_) enabled_by_.push_back(last);
    else if (record.enabled_by && !steps_[now_].repeats)
      enabled_by_.push_back(record.enabled_by - 1);
    const auto last = last_of_.find(steps_[now_].actor);
    previous_ = last == last_of_.end() ? std::nullopt : std::optional(last->second);
    last_of_[steps_[now_].actor] = now_;
    sealed_ = false;
    seen_task_ = false;
    fresh_.clear();
    acquired_here_ = 0;
  }

  // The step's task is that of its first task record; later records of other tasks (`event` only) do not change it.
  void of_task(engine::TaskIndex task) {
    if (seen_task_) return;
    seen_task_ = true;
    run(task);
  }
  void run(engine::TaskIndex index) { runs_[steps_[now_].actor] = {index, task(index).serial, true}; }
  bool runs(engine::TaskIndex index) {
    const Run& run = runs_[steps_[now_].actor];
    return run.known && run.index == index;
  }
  void seal() {
    if (sealed_) return;
    sealed_ = true;
    Step& step = steps_[now_];
    const Run& run = runs_[step.actor];
    step.task = run.known ? run.serial : kNoTask | step.actor;
    // The task may have ended and its index been reused. The step then only follows the actor's previous step. The
    // same holds if the actor has not yet entered a task.
    const bool ended = !run.known || task(run.index).serial != run.serial;
    if (!ended)
      step.after = std::move(tasks_[run.index].knows);
    else if (previous_)
      step.after = {*previous_};
    std::sort(step.after.begin(), step.after.end());
    step.after.erase(std::unique(step.after.begin(), step.after.end()), step.after.end());
    // If structure explains the wait, enabled_by adds nothing.
    if (ran_out_ || !ordered_by_structure(step))
      for (u32 earlier : enabled_by_)
        if (earlier < now_ && !std::binary_search(step.after.begin(), step.after.end(), earlier))
          step.enabled_by.push_back(earlier);
    step.after.insert(step.after.end(), step.enabled_by.begin(), step.enabled_by.end());
    if (!ended) tasks_[run.index].knows = {now_};
  }
  void end_step() {
    seal();
    Step& step = steps_[now_];
    const auto& held = held_[step.actor];
    for (const Held& lock : held)
      if (std::find(step.held.begin(), step.held.end(), lock) == step.held.end()) step.gained.push_back(lock);
    // A lock that passed from one task to another was not released.
    for (auto* locks : {&step.given, &step.pulsed})
      std::erase_if(
          *locks, [&](const Held& lock) { return std::find(held.begin(), held.end(), lock) != held.end(); });
    if (step.op == Op::kTryAcquire) step.succeeded = acquired_here_ != 0;
    merge(step.accesses);
  }

  // Merges equal and adjacent accesses: a loop over an array is one access.
  static void merge(std::vector<Access>& accesses) {
    auto kind = [](const Access& a) { return std::tuple(a.write, a.atomic, a.bound_to, a.site, a.fresh); };
    std::sort(accesses.begin(), accesses.end(), [&](const Access& a, const Access& b) {
      return std::tuple(kind(a), a.address, a.size) < std::tuple(kind(b), b.address, b.size);
    });
    usize kept = 0;
    for (usize i = 1; i < accesses.size(); ++i) {
      Access& last = accesses[kept];
      const Access& next = accesses[i];
      if (kind(last) == kind(next) && next.address <= last.address + last.size && !next.atomic &&
          next.address + next.size - last.address < u64{1} << 31) {
        last.size =
            static_cast<u32>(std::max(last.address + last.size, next.address + next.size) - last.address);
      } else {
        accesses[++kept] = next;
      }
    }
    if (!accesses.empty()) accesses.resize(kept + 1);
  }

  // --- records -------------------------------------------------------------------------------------------------------

  void read(const Piece& piece, u32& task) {
    for (const Record* at = piece.begin; at != piece.end; ++at) {
      switch (at->op) {
        case RecordOp::kTask:
          task = at->a;
          break;
        case RecordOp::kAccess:
          touch(task, *at);
          break;
        case RecordOp::kNewMemory:
          generations_.renew(at->address, at->a);
          fresh_.push_back({at->address, at->a});
          break;
        case RecordOp::kSite:
          site_ = at->a;
          caller_ = static_cast<u32>(at->address);
          break;
        case RecordOp::kSitePc:
          digest_of_[site_] = site_digest(caller_ ? digest_of_[caller_] : 0, at->address);
          break;
        case RecordOp::kDepend:
        case RecordOp::kOrder:
        case RecordOp::kNone:
          break;
        default: {
          event::Event event = history::decode(*at, task);
          if (u32 count = history::depends_of(*at)) {
            auto& depends = std::holds_alternative<event::Spawn>(event)
                                ? std::get<event::Spawn>(event).depends
                                : std::get<event::WaitDepend>(event).depends;
            for (u32 i = 0; i < count && at + 1 != piece.end; ++i)
              depends.push_back(history::decode_depend(*++at));
          }
          if (at->op == RecordOp::kAcquire) acquires_ = lock_name(at->b);
          begins_in_team_ = std::holds_alternative<event::TeamBegin>(event) ||
                            std::holds_alternative<event::WorkBegin>(event);
          leaves_barrier_ = std::holds_alternative<event::BarrierLeave>(event);
          lowering_.add(event);
        }
      }
    }
  }

  void touch(u32 number, const Record& record) {
    engine::TaskIndex task = lowering_.find(number);
    of_task(task);
    if (!sealed_) run(task);  // tasks named earlier did nothing that counts
    // An atomic operation acquires by its own access.
    if (!(record.flags & history::kAtomicFlag)) seal();
    u64 address = record.address;
    const bool fresh = std::any_of(fresh_.begin(), fresh_.end(),
                                   [&](const auto& range) { return address - range.first < range.second; });
    engine::Access access = lowering_.access_of(task, record);
    generations_.touched(address, access.size);
    u32 site = access.site ? digest_of_[access.site] : 0;
    // Its bytes may be of several generations.
    for (u64 end = address + access.size; address < end;) {
      u64 part = generations_.alike(address, end);
      steps_[now_].accesses.push_back({generations_.of(address), static_cast<u32>(part - address),
                                       access.write, access.atomic, site, access.bound_to, fresh});
      address = part;
    }
  }

  // --- the core vocabulary -------------------------------------------------------------------------------------------

  Task& task(engine::TaskIndex index) {
    if (index >= tasks_.size()) tasks_.resize(index + 1);
    return tasks_[index];
  }
  static void join_steps(std::vector<u32>& knows, const std::vector<u32>& more) {
    knows.insert(knows.end(), more.begin(), more.end());
  }

  void fork(engine::TaskIndex parent, engine::TaskIndex child) override {
    // A task that begins as a member of a team, or with a part of its work, has a record of its own: the parent may
    // have done nothing in this step.
    if (!begins_in_team_) of_task(parent);
    if (runs(parent)) seal();
    Task& made = task(child);
    made.serial = next_serial_++;
    made.knows = task(parent).knows;
  }
  void begin(engine::TaskIndex index, u32) override {
    if (begins_in_team_)
      run(index), seen_task_ = true;
    else
      of_task(index);
  }
  void join(engine::TaskIndex index, engine::TaskIndex child) override {
    of_task(index);
    join_steps(task(index).knows, task(child).knows);
  }
  void signal(engine::TaskIndex index, engine::ObjectIndex object, bool replace) override {
    of_task(index);
    // The first task to leave a barrier records which tasks have ended. Being first orders nothing: all leave after
    // all arrivals and tasks, in any order.
    if (runs(index) && !leaves_barrier_) seal();
    auto& knows = objects_[object];
    if (replace) knows.clear();
    join_steps(knows, task(index).knows);
  }
  void await(engine::TaskIndex index, engine::ObjectIndex object) override {
    of_task(index);
    join_steps(task(index).knows, objects_[object]);
  }
  void forget(engine::ObjectIndex object) override { objects_.erase(object); }

  void acquire(engine::TaskIndex index, u32 lock, bool write) override {
    of_task(index);
    Step& step = steps_[now_];
    // The lock of a mutexinoutset clause has another address where it is chosen (control/openmp) than where it is
    // recorded.
    const bool asked = step.op == Op::kAcquire || step.op == Op::kTryAcquire;
    const u64 name = asked && acquired_here_ == 0 ? step.object : acquires_;
    ++acquired_here_;
    name_of_lock_[lock] = name;
    held_[step.actor].push_back({name, write});
  }
  void release(engine::TaskIndex index, u32 lock, bool write) override {
    of_task(index);
    seal();
    Step& step = steps_[now_];
    auto& held = held_[step.actor];
    auto found = std::find(held.begin(), held.end(), Held{name_of(lock), write});
    if (found == held.end()) return;
    bool from_before = std::find(step.held.begin(), step.held.end(), *found) != step.held.end();
    (from_before ? step.given : step.pulsed).push_back(*found);
    held.erase(found);
  }
  u64 name_of(u32 lock) { return name_of_lock_[lock]; }
  // No object of another kind has such a name.
  static u64 lock_name(u32 digest) { return u64{1} << 63 | digest; }

  void access(engine::TaskIndex, const engine::Access&) override {}
  void new_memory(engine::TaskIndex, u64, u64) override {}

  const control::Board& board_;
  std::span<const ActorNumber> numbers_;
  std::vector<Step> steps_;
  engine::Lowering lowering_;

  std::vector<Task> tasks_;  // by index; indices are reused
  u32 next_serial_ = 0;
  std::unordered_map<u32, std::vector<u32>> objects_;
  std::unordered_map<ActorNumber, std::vector<Held>> held_;
  struct Run {
    engine::TaskIndex index = 0;
    u32 serial = 0;
    bool known = false;  // false: it has not yet entered a task
  };
  static constexpr u32 kNoTask = u32{1} << 31;
  std::unordered_map<ActorNumber, Run> runs_;
  std::unordered_map<u32, u32> task_of_stream_;
  std::unordered_map<u32, u64> name_of_lock_;
  Generations generations_;

  u32 now_ = 0;
  bool sealed_ = false, seen_task_ = false;
  bool ran_out_ = false;
  bool begins_in_team_ = false, leaves_barrier_ = false;  // of the event that is being read
  u64 acquires_ = 0;                                      // of the acquisition that is being read: its lock
  u32 acquired_here_ = 0;
  std::vector<u32> enabled_by_;
  std::optional<u32> previous_;                   // the actor's step before this one
  std::unordered_map<ActorNumber, u32> last_of_;  // the last step of each
  std::vector<std::pair<u64, u64>> fresh_;        // memory that is new in this step
  std::unordered_map<u32, u32> digest_of_;        // sites
  u32 site_ = 0, caller_ = 0;
};

}  // namespace

std::string read_trace(const control::Board& board, const TraceRecords& records,
                       std::span<const ActorNumber> numbers, Execution& execution,
                       const std::function<bool()>& unwanted) {
  struct Place {
    u32 stream = 0;
    std::vector<Piece> pieces;
  };
  std::vector<Place> places(board.steps);
  for (const auto& [stream, all] : records.streams()) {
    const Record *begin = all.data(), *end = begin + all.size();
    // Records before the first mark (a thread attaches itself) belong to the thread's first step.
    u32 step = ~u32{0};
    const Record* from = begin;
    for (const Record* at = begin; at != end; ++at) {
      if (at->op != RecordOp::kOrder || at->a == 0 || at->a > board.steps) continue;
      if (step != ~u32{0}) {
        places[step].pieces.push_back({from, at});
        from = at;
      }
      step = at->a - 1;
      places[step].stream = stream;
    }
    if (step != ~u32{0}) places[step].pieces.push_back({from, end});
  }
  Builder builder(board, numbers);
  u32 step = 0;
  try {
    for (; step < board.steps; ++step) {
      constexpr u32 kBetweenLooks = 256;
      if (unwanted && step % kBetweenLooks == 0 && unwanted()) {
        execution.end = End::kAborted;
        return "";
      }
      builder.step(step, places[step].stream, places[step].pieces);
    }
  } catch (const engine::NoHistory& why) {
    return "what was recorded in step " + std::to_string(step) + " cannot be understood: " + why.what();
  }
  builder.finish(execution);
  return "";
}

}  // namespace heddle::explore
