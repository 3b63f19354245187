#include "event/random/schedule.hpp"

#include <algorithm>
#include <optional>

#include "event/run_state.hpp"

namespace heddle::event {
namespace {

class Scheduler {
 public:
  Scheduler(const Program& program, Rng& rng)
      : program_(program), rng_(rng), tasks_(program.bodies.size()), teams_(program.teams.size()) {
    constexpr u32 kStay[] = {0, 50, 80, 97};
    stay_percent_ = kStay[rng.below(4)];
    preference_ = static_cast<Preference>(rng.below(3));
  }

  Run run() {
    active_.push_back(0);
    u32 current = 0;
    while (!active_.empty()) {
      if (!rng_.percent(stay_percent_) || tasks_[current].over || !advance(current)) {
        std::optional<u32> next = choose();
        if (!next) {
          run_.finished = false;
          break;
        }
        current = *next;
      }
    }
    return std::move(run_);
  }

 private:
  enum Preference { kAny, kNewest, kOldest };
  struct Progress {
    bool begun = false, over = false, in_work = false, arrived = false, forked = false;
    u32 locks_taken = 0, locks_released = 0;
    u32 step = 0;
    u32 work = 0;    // the piece of work it is doing
    u32 team = ~0u;  // of a piece of work
    u32 phase = 0;   // of a thread of a team
  };
  struct TeamProgress {
    std::vector<u32> taken;
  };  // pieces taken, for each phase

  // Makes a step of the first task that can, in an order that depends on the schedule's bias.
  std::optional<u32> choose() {
    std::vector<u32> order = active_;
    if (preference_ == kNewest) std::reverse(order.begin(), order.end());
    if (preference_ == kAny || rng_.percent(15))
      for (usize i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[rng_.below(static_cast<u32>(i))]);
    for (u32 task : order)
      if (advance(task)) return task;
    return std::nullopt;
  }

  bool emit(u32 task, Event event) {
    if (!state_.allows(event)) return false;
    state_.apply(event);
    run_.history.push_back(std::move(event));
    run_.origins.push_back({task, tasks_[task].step});
    return true;
  }

  // The next event of the task, if it is allowed now.
  bool advance(u32 task) {
    Progress& p = tasks_[task];
    const Body& body = program_.bodies[task];
    if (p.in_work) {
      if (!tasks_[p.work].over) return false;
      p.in_work = false;
    }
    if (!p.begun) return begin(task);
    if (p.locks_taken < body.locks.size()) {
      if (!emit(task, Acquire{task, body.locks[p.locks_taken], true, true})) return false;
      ++p.locks_taken;
      return true;
    }
    if (p.step < body.steps.size()) return step(task, body.steps[p.step]);
    if (is_thread_of_team(task) && take_work(task)) return true;
    if (p.locks_released < body.locks.size()) {
      if (!emit(task, Release{task, body.locks[p.locks_released], true})) return false;
      ++p.locks_released;
      return true;
    }
    if (!emit(task, End{task})) return false;
    p.over = true;
    active_.erase(std::find(active_.begin(), active_.end(), task));
    return true;
  }

  bool is_thread_of_team(u32 task) const { return threads_.size() > task && threads_[task]; }

  bool begin(u32 task) {
    Progress& p = tasks_[task];
    if (task == 0) {
      p.begun = true;
      return advance(task);
    }
    u32 thread = 1 + rng_.below(3);
    Event event = Begin{task, thread};
    if (p.team != ~0u)
      event = WorkBegin{task, p.team, thread};
    else if (is_thread_of_team(task))
      event = TeamBegin{task, program_.bodies[task].team, thread};
    if (!emit(task, event)) return false;
    p.begun = true;
    return true;
  }

  bool take_work(u32 task) {
    Progress& p = tasks_[task];
    u32 team = program_.bodies[task].team;
    const auto& pieces = program_.teams[team].work[p.phase];
    u32& taken = teams_[team].taken[p.phase];
    if (taken >= pieces.size()) return false;
    u32 work = pieces[taken];
    tasks_[work].team = team;
    if (!begin(work)) return false;
    ++taken;
    active_.push_back(work);
    p.work = work;
    p.in_work = true;
    return true;
  }

  bool done(u32 task, bool emitted) {
    if (emitted) ++tasks_[task].step;
    return emitted;
  }

  bool step(u32 task, const Step& s) {
    Progress& p = tasks_[task];
    switch (s.op) {
      case Step::kAccess:
        return done(task, emit(task, Access{task, s.address, s.size, s.write, s.atomic, 0, s.bound}));
      case Step::kSpawn:
        if (!done(task, emit(task, Spawn{task, s.number, s.kind, s.depends}))) return false;
        active_.push_back(s.number);
        return true;
      case Step::kJoinThread:
        return done(task, emit(task, JoinThread{task, s.number}));
      case Step::kWaitChildren:
        return done(task, emit(task, WaitChildren{task}));
      case Step::kWaitDepend:
        return done(task, emit(task, WaitDepend{task, s.depends}));
      case Step::kGroupOpen:
        return done(task, emit(task, GroupOpen{task}));
      case Step::kGroupClose:
        return done(task, emit(task, GroupClose{task}));
      case Step::kParallel:
        return parallel(task, s.number);
      case Step::kTakeWork:
        ++p.step;
        return take_work(task) || advance(task);
      case Step::kBarrier:
        if (!p.arrived) {
          if (take_work(task)) return true;
          p.arrived = emit(task, BarrierArrive{task, program_.bodies[task].team});
          return p.arrived;
        }
        if (!done(task, emit(task, BarrierLeave{task, program_.bodies[task].team}))) return false;
        p.arrived = false;
        ++p.phase;
        return true;
      case Step::kSignal:
        return done(task, emit(task, Signal{task, s.number, s.write}));
      case Step::kAwait:
        return done(task, emit(task, Await{task, s.number}));
      case Step::kAcquire:
        return done(task, emit(task, Acquire{task, s.number, s.write, s.tries}));
      case Step::kRelease:
        return done(task, emit(task, Release{task, s.number, s.write}));
      case Step::kBind:
        return done(task, emit(task, Bind{task}));
      case Step::kNewMemory:
        return done(task, emit(task, NewMemory{task, s.address, s.size}));
      case Step::kDetachThread:
        return done(task, emit(task, DetachThread{task, s.number}));
    }
    return false;
  }

  bool parallel(u32 task, u32 team) {
    Progress& p = tasks_[task];
    if (p.forked) {
      // All threads must have begun: RunState does not know their number in advance.
      for (u32 thread : program_.teams[team].threads)
        if (!tasks_[thread].over) return false;
      if (!done(task, emit(task, Join{task, team}))) return false;
      tasks_[task].forked = false;
      return true;
    }
    if (!emit(task, Fork{task, team})) return false;
    p.forked = true;
    teams_[team].taken.resize(program_.teams[team].work.size());
    // All begin at once: a barrier counts the threads that have begun.
    for (u32 thread : program_.teams[team].threads) {
      if (threads_.size() <= thread) threads_.resize(thread + 1);
      threads_[thread] = true;
      active_.push_back(thread);
      begin(thread);
    }
    return true;
  }

  const Program& program_;
  Rng& rng_;
  RunState state_;
  Run run_;
  std::vector<Progress> tasks_;
  std::vector<TeamProgress> teams_;
  std::vector<bool> threads_;  // which tasks are threads of a team
  std::vector<u32> active_;
  u32 stay_percent_;
  Preference preference_;
};

}  // namespace

Run schedule(const Program& program, Rng& rng) { return Scheduler(program, rng).run(); }

}  // namespace heddle::event
