// Deadlocks by lock order: the lock dependency relation, and cycles in it of any length (iGoodlock: Joshi, Park, Sen,
// Naik 2009).
//
//   thread 1: lock A; lock B        wants B, holds A
//   thread 2: lock B; lock A        wants A, holds B        each wants what the other holds: a cycle of two
//
// A *dependency* is a lock that is acquired, and where, with the locks that are held meanwhile, and where they were
// acquired. Equal dependencies are one, however often they occur, so their number follows the source and the locks, not
// the length of the run. An *entry* says that a strand had a dependency; strands of a task between two of its acquires
// or releases are one *sync epoch*. A cycle is dependencies s1, ..., sk with entries e1, ..., ek such that
//   1. si wants a lock that s(i+1) holds, and one of the two for writing; sk wants what s1 holds;
//   2. no lock is wanted twice, and no two of them hold a common lock (a guard), held for writing by one;
//   3. e1, ..., ek are pairwise parallel by structure. The published relation knows no order, and so calls a deadlock
//      what fork and join forbid.
// Each cycle of dependencies is reported once, whichever of its entries came last.
//
// What is remembered. With a new epoch, all that are remembered are asked once whether they come before it; later no
// question about strands that are over is needed. An entry e of the same dependency is forgotten for y if e comes
// before y, and every kept entry that is parallel to e is parallel to y: a later z that is parallel to e is parallel to
// y, since it does not come after y (or it would after e), nor before y, which has happened. Likewise y is not
// remembered if an entry stands for it (race/stands_for.hpp). Everything before a quiescent point is forgotten. Beyond
// kMost entries of a dependency the second half of the rule is given up for the oldest one: cycles of two are still
// found, longer ones perhaps not; no cycle is ever made up.
//
// Cost: an epoch is compared with each kept one, an entry with none; cycles are searched only if both ends of an edge
// are in a cycle of locks. Not thread-safe: the owner brings the lock.
#pragma once

#include "checker/deadlock/lock_graph.hpp"

namespace heddle::deadlock {

struct Acquisition {
  u32 lock = 0;
  u32 site = 0;  // where, as a number; not interpreted here
  bool write = true;
  bool operator==(const Acquisition&) const = default;
};

// Of two that hold the lock, or of one that holds it and one that wants it.
inline bool exclude(const Acquisition& a, const Acquisition& b) {
  return a.lock == b.lock && (a.write || b.write);
}

struct Dependency {
  Acquisition wants;
  u32 count;
  Acquisition held[];  // ascending by lock, each lock once

  static Dependency* make(const Acquisition& wants, const Acquisition* held, u32 count) {
    auto* made = static_cast<Dependency*>(memory::allocate(size_of(count)));
    made->wants = wants;
    made->count = count;
    for (u32 i = 0; i < count; ++i) made->held[i] = held[i];
    return made;
  }
  static void release(const Dependency* dependency) {
    memory::release(const_cast<Dependency*>(dependency), size_of(dependency->count));
  }
  // Does a task that wants that lock wait for a task with this dependency?
  bool holds_against(const Acquisition& other_wants) const {
    for (u32 i = 0; i < count; ++i)
      if (exclude(held[i], other_wants)) return true;
    return false;
  }

 private:
  static usize size_of(u32 count) { return sizeof(Dependency) + count * sizeof(Acquisition); }
};

// A guard: a task with the one dependency excludes the other.
inline bool exclude_each_other(const Dependency& a, const Dependency& b) {
  for (u32 i = 0, j = 0; i < a.count && j < b.count;) {
    if (exclude(a.held[i], b.held[j])) return true;
    if (a.held[i].lock <= b.held[j].lock)
      ++i;
    else
      ++j;
  }
  return false;
}

// One member of a cycle.
struct Edge {
  const Dependency* dependency;
  u64 strand;
};

// Two strands of a task with the same sync epoch are the same to other tasks: no acquire or release lies between
// them.
struct SyncEpoch {
  u64 knowledge = 0;  // task and strand since which it knows what it knows
  u32 released_at = 0;
  bool operator==(const SyncEpoch&) const = default;
};

class Relation {
 public:
  using DependencyId = u32;

  Relation() = default;
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;
  ~Relation() {
    for (Known* known : dependencies_) {
      Dependency::release(known->dependency);
      memory::destroy(known);
    }
    for (Epoch* epoch : epochs_) memory::destroy(epoch);
    holders_.for_each([](u64, Vector<DependencyId>*& list) { memory::destroy(list); });
  }

  // The number of a dependency. REQUIRES: `held` is ascending by lock, does not have the lock that is wanted, and is
  // not empty.
  DependencyId dependency(const Acquisition& wants, const Acquisition* held, u32 count) {
    u64 hash = hash_of(wants);
    for (u32 i = 0; i < count; ++i) hash = mix(hash ^ hash_of(held[i]));
    constexpr u64 kMask = ~u64{0} >> 1;  // the map keeps ~0 for itself
    for (hash &= kMask;; hash = (hash + 1) & kMask) {
      u32* known = by_hash_.find(hash);
      if (!known) break;
      if (is(*dependencies_[*known]->dependency, wants, held, count)) return *known;
    }
    const DependencyId id = dependencies_.size();
    by_hash_[hash] = id;
    Known* known = memory::make<Known>();
    known->dependency = Dependency::make(wants, held, count);
    dependencies_.push_back(known);
    for (u32 i = 0; i < count; ++i) {
      graph_.add(held[i].lock, wants.lock);
      Vector<DependencyId>*& list = holders_[held[i].lock];
      if (!list) list = memory::make<Vector<DependencyId>>();
      list->push_back(id);
    }
    return id;
  }

  // The current strand has the dependency. `Now` answers for it:
  //   u64 strand()                    its name: task << 32 | index
  //   SyncEpoch sync_epoch()
  //   bool before(u64 strand)         does that strand come before it, by structure?
  //   bool obsolete(u64 strand)       does that strand come before all that is still to come?
  //   bool stands_for(u64 strand)     is every strand that is parallel to the current one parallel to that one?
  //   void deadlock(const Edge*, u32) a cycle; the current strand comes first
  template <class Now>
  void add(DependencyId dependency, Now& now) {
    const u32 epoch = epoch_of(now);
    for (u32 known : dependencies_[dependency]->epochs)
      if (known == epoch) return;
    search({dependency, epoch}, now);
    remember({dependency, epoch}, now);
  }

  u32 dependencies() const { return dependencies_.size(); }
  u32 entries() const { return entries_; }
  // A search was given up: a cycle may be missing.
  bool gave_up() const { return gave_up_; }

 private:
  static constexpr u32 kMost = 64;
  // Lock orders that are all different make exponentially many chains: some milliseconds are enough for one
  // acquisition.
  static constexpr u32 kMostSteps = 100'000;

  class Bits {
   public:
    bool test(u32 at) const { return at / 64 < words_.size() && (words_[at / 64] >> (at % 64) & 1); }
    void set(u32 at) {
      while (words_.size() <= at / 64) words_.push_back(0);
      words_[at / 64] |= u64{1} << (at % 64);
    }
    void reset(u32 at) {
      if (at / 64 < words_.size()) words_[at / 64] &= ~(u64{1} << (at % 64));
    }
    void clear() { words_.clear(); }

   private:
    Vector<u64> words_;
  };
  struct Epoch {
    u64 strand = 0;  // its first
    SyncEpoch sync_epoch;
    u64 age = 0;
    bool used = false;
    Bits before;                        // epochs that come before it
    Vector<DependencyId> dependencies;  // in which its task was then
  };
  struct Known {
    Dependency* dependency = nullptr;
    Vector<u32> epochs;
  };
  struct Entry {
    DependencyId dependency;
    u32 epoch;
  };

  static u64 hash_of(const Acquisition& a) {
    return mix(mix(u64{a.lock} << 32 | a.site) + static_cast<u64>(a.write));
  }
  static bool is(const Dependency& s, const Acquisition& wants, const Acquisition* held, u32 count) {
    if (!(s.wants == wants) || s.count != count) return false;
    for (u32 i = 0; i < count; ++i)
      if (!(s.held[i] == held[i])) return false;
    return true;
  }

  const Dependency& of(const Entry& entry) const { return *dependencies_[entry.dependency]->dependency; }
  bool comes_before(u32 a, u32 b) const { return epochs_[b]->before.test(a); }
  bool parallel(u32 a, u32 b) const { return a != b && !comes_before(a, b) && !comes_before(b, a); }

  template <class Now>
  u32 epoch_of(Now& now) {
    const SyncEpoch sync_epoch = now.sync_epoch();
    u32& latest = latest_[now.strand() >> 32];
    if (latest < epochs_.size() && epochs_[latest]->used && epochs_[latest]->sync_epoch == sync_epoch)
      return latest;
    const u32 slot = latest = free_slot();
    Epoch& made = *epochs_[slot];
    made.strand = now.strand();
    made.sync_epoch = sync_epoch;
    made.age = ++ages_;
    for (u32 other = 0; other < epochs_.size(); ++other) {
      if (!epochs_[other]->used) continue;
      if (now.obsolete(epochs_[other]->strand))
        forget_epoch(other);
      else if (now.before(epochs_[other]->strand))
        made.before.set(other);
    }
    made.used = true;
    return slot;
  }
  u32 free_slot() {
    if (!free_.empty()) {
      const u32 slot = free_.back();
      free_.pop_back();
      return slot;
    }
    epochs_.push_back(memory::make<Epoch>());
    return epochs_.size() - 1;
  }
  static void erase(Vector<u32>& list, u32 value) {
    for (u32 i = 0; i < list.size(); ++i)
      if (list[i] == value) return list.erase_swap(i);
  }
  void forget_epoch(u32 slot) {
    for (DependencyId dependency : epochs_[slot]->dependencies)
      erase(dependencies_[dependency]->epochs, slot);
    entries_ -= epochs_[slot]->dependencies.size();
    epochs_[slot]->dependencies.clear();
    release_if_empty(slot);
  }
  void forget(const Entry& entry) {
    erase(dependencies_[entry.dependency]->epochs, entry.epoch);
    erase(epochs_[entry.epoch]->dependencies, entry.dependency);
    --entries_;
    release_if_empty(entry.epoch);
  }
  void release_if_empty(u32 slot) {
    Epoch& epoch = *epochs_[slot];
    if (!epoch.dependencies.empty()) return;
    epoch.used = false;
    epoch.before.clear();
    for (Epoch* other : epochs_) other->before.reset(slot);
    free_.push_back(slot);
  }

  // --- cycles

  template <class Now>
  void search(const Entry& entry, Now& now) {
    if (!graph_.cyclic(of(entry).wants.lock)) return;
    steps_ = 0;
    chain_.clear();
    chain_.push_back(entry);
    extend(now);
  }

  // The dependencies that hold the lock that the last of the chain wants.
  template <class Now>
  void extend(Now& now) {
    const Acquisition wants = of(chain_.back()).wants;
    Vector<DependencyId>** list = holders_.find(wants.lock);
    if (!list) return;
    for (DependencyId id : **list) {
      const Dependency& next = *dependencies_[id]->dependency;
      if (!next.holds_against(wants)) continue;
      if (id == chain_[0].dependency) {
        if (chain_.size() > 1) found(now);
        continue;
      }
      if (!fits(next) || !graph_.cyclic(next.wants.lock)) continue;
      for (u32 epoch : dependencies_[id]->epochs) {
        if (++steps_ > kMostSteps) {
          gave_up_ = true;
          return;
        }
        if (!parallel_to_chain(epoch)) continue;
        chain_.push_back({id, epoch});
        extend(now);
        chain_.pop_back();
      }
    }
  }
  bool fits(const Dependency& next) const {
    for (const Entry& entry : chain_)
      if (of(entry).wants.lock == next.wants.lock || exclude_each_other(of(entry), next)) return false;
    return true;
  }
  bool parallel_to_chain(u32 epoch) const {
    for (const Entry& entry : chain_)
      if (!parallel(entry.epoch, epoch)) return false;
    return true;
  }

  template <class Now>
  void found(Now& now) {
    // The same cycle begins with another one of its dependencies when that one comes last.
    u32 least = 0;
    for (u32 i = 1; i < chain_.size(); ++i)
      if (chain_[i].dependency < chain_[least].dependency) least = i;
    u64 key = 0x9e3779b97f4a7c15ull;
    for (u32 i = 0; i < chain_.size(); ++i) key = mix(key ^ chain_[(least + i) % chain_.size()].dependency);
    u8& known = cycles_[key >> 1];
    if (known) return;
    known = 1;
    Vector<Edge> edges;
    for (const Entry& entry : chain_) edges.push_back({&of(entry), epochs_[entry.epoch]->strand});
    now.deadlock(edges.begin(), edges.size());
  }

  // --- what need not be remembered

  template <class Now>
  void remember(const Entry& y, Now& now) {
    Vector<u32>& list = dependencies_[y.dependency]->epochs;
    for (u32 i = 0; i < list.size();) {
      if (comes_before(list[i], y.epoch) && serves_for(y.epoch, list[i], y.dependency))
        forget({y.dependency, list[i]});
      else
        ++i;
    }
    for (u32 older : list)
      if (!comes_before(older, y.epoch) && now.stands_for(epochs_[older]->strand) &&
          serves_for(older, y.epoch, y.dependency))
        return release_if_empty(y.epoch);
    if (list.size() >= kMost) {
      u32 oldest = ~0u;
      for (u32 older : list)
        if (comes_before(older, y.epoch) && (oldest == ~0u || epochs_[older]->age < epochs_[oldest]->age))
          oldest = older;
      if (oldest != ~0u) forget({y.dependency, oldest});
    }
    list.push_back(y.epoch);
    epochs_[y.epoch]->dependencies.push_back(y.dependency);
    ++entries_;
  }
  // Is every kept entry that is parallel to `gone` parallel to `kept` as well? (A cycle has no dependency twice.)
  bool serves_for(u32 kept, u32 gone, DependencyId dependency) const {
    for (u32 other = 0; other < epochs_.size(); ++other) {
      const Epoch& epoch = *epochs_[other];
      const bool only_the_same = epoch.dependencies.size() == 1 && epoch.dependencies[0] == dependency;
      if (epoch.used && !only_the_same && other != kept && parallel(other, gone) && !parallel(other, kept))
        return false;
    }
    return true;
  }

  LockGraph graph_;
  HashMap<u32> by_hash_;
  Vector<Known*> dependencies_;
  HashMap<Vector<DependencyId>*> holders_;  // by lock: the dependencies in which it is held
  Vector<Epoch*> epochs_;
  Vector<u32> free_;
  HashMap<u32> latest_;  // by task: its latest epoch, if it is still that
  u32 entries_ = 0;
  u64 ages_ = 0;
  HashMap<u8> cycles_;   // that were reported, by their dependencies
  Vector<Entry> chain_;  // of the search
  u32 steps_ = 0;
  bool gave_up_ = false;
};

}  // namespace heddle::deadlock
