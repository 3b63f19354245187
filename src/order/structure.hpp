// The order of strands by the structure of the program: what every order-building event does, and the one question it
// answers.
//
// A strand u comes before the current strand v iff there is a path of program order, spawns, joins and (for
// `structure`) signals, and (for `full`) also of lock hand-overs. Spawns and joins are the tree of dpst/task.hpp.
// Everything else travels as clocks: whoever publishes puts its own strand, and the spawning strands of its ancestors,
// into the clock.
//
//   Example: main spawns a; a writes x; main takes a taskwait, then signals s; thread t awaits s.
//   Is a's write before t? a is joined into (main, 3), and t's clock knows main up to 3: yes. It needs no entry for a.
//
// Why this is exact: a path from u to v can be normalised into joins upwards from u's task, program order, then either
// spawns down to v, or spawns down to a publishing strand p followed by a shorter path. p's clock names its ancestors,
// so the place where the path turns from up to down is named in v's clock. (A join of a task other than by its parent
// or a scope around it, such as pthread_join by a third thread, is a signal.)
//
// Cost: spawn, join, barrier O(1) plus clock joins where tasks acquired something; a query climbs at most depth levels,
// and is cached by the caller for as long as the asking strand lasts. Thread safety: operations on a task are called by
// the thread that runs it; queries by anyone for their own task.
#pragma once

#include "order/dpst/task.hpp"
#include "order/listener.hpp"
#include "order/records.hpp"

namespace heddle::order {

// A place where knowledge waits for whoever comes next: a flag, a semaphore, a finished future, the end of a thread.
//
// What is asked most often comes first: a line of cache that travels between the threads for each hand-over.
class SyncObject {
 public:
  SpinLock lock;

 private:
  std::atomic<u32> version_{0};
  std::atomic<u64> named_{0};  // the strand that the knowledge is of; chain 0: none, or nothing is known

 public:
  Snapshot knowledge;
  // Of a recorded history, guarded by lock: its number, 0 while there is nothing to await, and what changes when there
  // is more.
  u32 recorded_as = 0;
  u32 recorded_version = 0;

  // To be called, the lock held, after every change of the knowledge.
  void changed() {
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    named_.store(u64{knowledge.chain} << 32 | knowledge.element, std::memory_order_release);
  }
  // Most who look know already what is there, and need not take the lock, which others want, too, to see that.
  bool names_what_is_known_to(const Task& task) const { return look(task) == Look::kKnown; }
  enum class Look : u8 { kKnown, kNews, kNoName };
  Look look(const Task& task) const {
    const u64 named = named_.load(std::memory_order_acquire);
    const u32 chain = static_cast<u32>(named >> 32);
    if (!chain) return Look::kNoName;
    return chain == task.chain.load(std::memory_order_relaxed) ||
                   task.live->knows.includes(chain, static_cast<u32>(named))
               ? Look::kKnown
               : Look::kNews;
  }
  // Was nobody at work here while `glance` ran?
  template <class Glance>
  bool undisturbed(Glance glance) const {
    if (lock.held()) return false;
    const u32 before = version_.load(std::memory_order_acquire);
    glance();
    // In this order: whoever is at work has the lock, whoever was has changed the version.
    return !lock.held() && version_.load(std::memory_order_acquire) == before;
  }
};

// A lock hands over knowledge too, but only the `full` order counts it. Readers do not hand over to readers.
class LockObject {
 public:
  SpinLock lock;
  Index released_at = 0;  // the last strand of it before the release
  const Task* last_writer = nullptr;
  // For Section. A release by a task that does not hold it hands nothing of the earlier sections on, so it begins a new
  // numbering.
  const Task* holder = nullptr;
  u32 name = 0;
  u32 sections = 0;
  Clock by_writers;  // what the last one knew, but for itself
  Clock by_readers;
};

enum class Mode : u8 { kRead, kWrite };

// A deferred snapshot of a task at its end: the strand is named in clocks only if somebody acquires it.
struct EndSnapshot {
  Knowledge knows;
  Task* task = nullptr;
  Index at = 0;
};

// The threads of a parallel region between its barriers. Each thread's stretch between two barriers is a task of its
// own: that makes a barrier a join of all of them (and of every explicit task) into the parent, followed by a spawn.
struct Team {
  Task* parent;
  SpinLock lock;
  Scope* phase;
  Index spawned_at;
  u32 recorded_as;  // its number in a recorded history
};

class Structure {
 public:
  Structure();

  // To be set before anything else happens, or never.
  void set_listener(Listener* listener) { listener_ = listener; }

  // A task without a parent: the initial thread.
  Task* make_root();

  // The child starts after the parent's current strand. An undeferred child is joined as soon as it ends.
  Task* spawn(Task& parent, bool undeferred = false);
  // A thread: starts after the parent's current strand, and no wait, group or barrier joins it. Its creator may join it
  // by name, after its end; anyone else awaits an object that the thread publishes to before its end.
  Task* spawn_thread(Task& parent);
  void join_thread(Task& creator, Task& thread);
  // The same by a stranger: `end` is where the thread published its end.
  void join_thread(Task& stranger, Task& thread, SyncObject& end);
  // The end of a thread, for whoever joins it.
  void end_thread(Task& thread, SyncObject& end);
  // The creator knows of the thread's last strand, in which it left its end snapshot. Once is enough.
  void join_awaited(Task& creator, Task& thread) {
    if (!thread.wait->closed.load(std::memory_order_relaxed)) close_child_scope(creator, thread);
  }
  // Threads whose ends were awaited as signals: nothing of them is outside any more.
  void threads_awaited(u32 count) { threads_outside_.fetch_sub(count, std::memory_order_relaxed); }
  // It could not be started.
  void cancel_thread(Task& creator, Task& thread);
  // A task that is made inside `sibling` on behalf of its parent: it starts after sibling's current strand, but is
  // joined where sibling is (taskloop splits its work this way).
  Task* spawn_beside(Task& sibling);
  void end(Task& task);
  // For an undeferred child, after its end: the parent goes on after it.
  void join_undeferred(Task& parent, Task& child);

  // An undeferred child without dependences may as well be part of its parent: nothing is parallel to it that is not
  // parallel to the parent, and no strand ends. Only its children are its own: they are set apart until it ends.
  struct Included {
    Scope* children;
    Scope* floor;
    DependTable* depends;
  };
  Included begin_included(Task& task);
  void end_included(Task& task, const Included& outer);

  void wait_children(Task& task);
  // Waits for the children that another task left when it ended. In another schedule the task might not wait for them,
  // so it orders them in the full order only. `left` is that task's `live->children` at its end.
  void wait_in_full(Task& task, Scope& left) {
    task.kept.store(true, std::memory_order_relaxed);
    left.waited.store(u64{task.id} << 32 | ++task.now, std::memory_order_release);
  }
  void open_group(Task& task);
  void close_group(Task& task);

  Team* fork(Task& parent);
  Task* implicit_task(Team& team);
  // At a barrier: ends the task of this phase.
  void arrive(Team& team, Task& task);
  // REQUIRES: every task of the phase has ended or arrived. Returns the thread's task in the next phase, with as many
  // open groups.
  Task* pass_barrier(Team& team, Task& arrived);
  // A piece of work that any thread of the team may get (dynamic chunk, section, single): begins after the last
  // barrier, ends before the next one, and is parallel to everything else between the two.
  Task* team_work(Team& team);
  void join(Team& team);

  // Signals. `publish` adds the task's knowledge to the object, `publish_only` replaces what was there.
  void publish(Task& task, SyncObject& object);
  void publish_only(Task& task, SyncObject& object);
  void await(Task& task, SyncObject& object);
  // Knowledge as a value, for fences and hand-overs that have no object.
  Snapshot snapshot(Task& task);
  void acquire_snapshot(Task& task, const Snapshot& knowledge);
  // What a task releases that is about to end. Costs next to nothing until somebody acquires it who does not join the
  // task otherwise.
  EndSnapshot end_snapshot(Task& task);
  void acquire_snapshot(Task& task, const EndSnapshot& left);
  // Puts a snapshot there, in place of what there was (`only`) or beside it. What is not needed any more is left in
  // `known`. REQUIRES: the object's lock.
  static void put(SyncObject& object, Snapshot& known, bool only);
  // Would an acquire there add nothing to its clocks? May say no where it would not. REQUIRES: the object's lock.
  static bool knows(const Task& task, const SyncObject& object) {
    const Snapshot& there = object.knowledge;
    return there.empty() || task.live->knows.includes(there.chain, there.element) ||
           (there.chain && there.chain == task.chain.load(std::memory_order_relaxed));
  }

  void acquire(Task& task, LockObject& lock, Mode mode);
  void release(Task& task, LockObject& lock, Mode mode);

  // Quiescent: the initial task runs and everything that ever started has been joined into it. What it does then comes
  // before all that will ever happen, and so does all that happened before: neither can race any more.
  bool quiescent(const Task& task) const {
    return !task.parent && task.live && !task.live->children && !task.live->group && !task.live->set_apart &&
           threads_outside_.load(std::memory_order_relaxed) == 0 && !escaped_.load(std::memory_order_relaxed);
  }
  // Whatever ran is over and of no interest any more, as if it had been joined. For tests, which run one program after
  // the other.
  void start_again() {
    threads_outside_.store(0, std::memory_order_relaxed);
    escaped_.store(false, std::memory_order_relaxed);
    quiescent_points_.store(quiescent_points() + 1, std::memory_order_relaxed);
    quiescent_root_.store(0, std::memory_order_relaxed);
  }
  // How often the process stopped being quiescent: what was done before the last time happens before all that is done
  // since.
  u32 quiescent_points() const { return quiescent_points_.load(std::memory_order_relaxed); }
  // Was the strand (id, index) made before the last quiescent point?
  bool before_quiescent_point(TaskId id, Index index) const {
    return find(id)->born < quiescent_points() && (id != quiescent_root_.load(std::memory_order_relaxed) ||
                                                   index < quiescent_index_.load(std::memory_order_relaxed));
  }
  // All strands (earlier, i) with i <= the result come before the current strand of `now`. kAll if the whole task does.
  Index known_by_structure(const Task& earlier, const Task& now) const;
  Index known_in_full(const Task& earlier, const Task& now) const;

  // From strand i on the task has not published anything, and never will: only joins can order it before others.
  static bool quiet_by_structure(const Task& task, Index i) {
    return task.ended.load(std::memory_order_acquire) && i > task.last_signal.load(std::memory_order_relaxed);
  }
  static bool quiet_in_full(const Task& task, Index i) {
    return quiet_by_structure(task, i) && i > task.last_release.load(std::memory_order_relaxed);
  }
  // Where all of the task comes before: the closed scope that joined it, or null.
  // Where several could, the innermost did first: a group's end waits for the tasks whose taskwait it would be.
  static const Scope* joined_by(const Task& task) {
    for (const Scope* scope = task.wait; scope; scope = scope->enclosing.load(std::memory_order_acquire))
      if (scope->closed.load(std::memory_order_acquire)) return scope;
    for (const Scope* scope = task.group; scope; scope = scope->enclosing.load(std::memory_order_acquire))
      if (scope->closed.load(std::memory_order_acquire)) return scope;
    return nullptr;
  }

  // The scope that closes in its place: the group around it, if its owner ended before closing it.
  static const Scope* in_force(const Scope* scope) {
    while (scope)
      if (const Scope* enclosing = scope->enclosing.load(std::memory_order_acquire))
        scope = enclosing;
      else
        break;
    return scope;
  }
  // Has the task surely ended when the group is closed? May say no where it has. REQUIRES: `group` is in force.
  static bool within(const Task& task, const Scope& group) {
    for (const Scope* scope = in_force(task.group); scope;
         scope = in_force(scope->outer ? scope->outer : scope->owner->group))
      if (scope == &group) return true;
    return false;
  }

  Task* find(TaskId id) const { return records_.find(id); }
  u64 task_count() const { return records_.tasks(); }

  // The maker of a task that has ended forgets it.
  void let_go(Task& task) {
    if (!listener_) task.let_go.store(true, std::memory_order_release);
  }
  Records& records() { return records_; }

 private:
  friend class DependTable;

  Task* make_task(Task* parent, Scope* wait, Scope* group, Index spawned_at);
  static Scope* make_scope(Task& owner);
  Task* make_child(Task& parent, bool own_scope);
  Task* make_team_task(Team& team);
  void finish(Task& task);
  struct Published {
    bool by_signal, by_release;
  };
  void settle(Scope& scope, int change, Published published);
  void push_group(Task& task);
  void close_child_scope(Task& parent, Task& child);
  // Threads end where they please, so they are counted.
  void thread_joined() { threads_outside_.fetch_sub(1, std::memory_order_relaxed); }
  void inherit(Task& child, const Task& parent);
  // Another task now knows what the task has done so far.
  static void note_release(Task& task) {
    task.live->released_at = task.live->released_by_structure_at = ++task.now;
  }
  // What siblings had acquired they leave to the scope that will join the task, too. To leave it again would cost the
  // task the time of all that ended before: where siblings know different things, the clock of what all of them left
  // shares no part with theirs.
  static bool comes_from_siblings(const Task& task, u64 wait) {
    return wait && task.wait && wait == task.wait->name;
  }
  void ensure_chain(Task& task);
  enum class Order : u8 { kStructure, kFull, kBoth };
  void enter(Task& task, Order order);
  void name_ancestors(const Task& task, Clock& clock);
  void close(Scope& scope);
  void close_and_forget(Scope& scope);
  void leave_to(Scope* scope, const Task& task, bool knowledge, FreeChain chain);
  void pass_to_enclosing(Scope& scope, Scope* enclosing);
  static InheritedClocks& inherited_of(Scope& scope);
  static bool after_join(const Task& owner, Index at, const Task& now);
  template <Order order>
  Index known(const Task& earlier, const Task& now, const Clock& clock) const;

  void end_quiescence(const Task& task);
  // REQUIRES: the lock's lock.
  Section end_section(const Task& task, LockObject& lock);

  Listener* listener_ = nullptr;
  std::atomic<u32> threads_outside_{0};
  std::atomic<bool> escaped_{
      false};  // a task outlived its parent with no group around: nothing will ever join it
  std::atomic<u32> quiescent_points_{0};
  std::atomic<TaskId> quiescent_root_{0};  // at the last one the initial task,
  std::atomic<Index> quiescent_index_{0};  // which was here
  Records records_;
  std::atomic<u32> next_chain_{1};
  std::atomic<u32> next_lock_{1};
  SpinLock chain_lock_;
};

}  // namespace heddle::order
